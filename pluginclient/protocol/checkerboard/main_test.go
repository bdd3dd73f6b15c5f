package checkerboard_test

import (
	"os"
	"testing"

	"qhsh/engine/enginetest"
)

func TestMain(m *testing.M) {
	status := enginetest.Main(m)
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(status)
}
