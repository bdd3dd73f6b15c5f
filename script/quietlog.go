package script

import (
	"log"
	"os"

	_ "qhsh/script/quietlog"
)

func init() { log.SetOutput(os.Stderr) } // the interpreter has been initialized
