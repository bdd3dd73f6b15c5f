package repl

import (
	"os"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/engine/games/gamestest"
)

func TestMain(m *testing.M) {
	gamestest.EvaluateSmall()
	os.Exit(enginetest.Main(m))
}
