package qchess_test

import (
	"bufio"
	"fmt"
	"os"
	"testing"

	"qhsh/engine/enginetest"
)

// deafTo is the environment variable that makes the test binary an agent that ignores QUIT and the
// end of its input.
const deafTo = "QHSH_TEST_DEAF_AGENT"

func TestMain(m *testing.M) {
	if os.Getenv(deafTo) != "" {
		stubborn()
	}
	os.Exit(enginetest.Main(m))
}

// stubborn is an agent that does not exit.
func stubborn() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if lines.Text() == "SELECTION?" {
			fmt.Println("3 6")
		}
	}
	select {}
}
