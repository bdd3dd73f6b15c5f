package reason_test

import (
	"os"
	"testing"

	"qhsh/engine/enginetest"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }
