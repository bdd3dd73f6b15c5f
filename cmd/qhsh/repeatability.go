package main

import "flag"

// defineRestart defines -restart.
func defineRestart(fs *flag.FlagSet, restart *bool) {
	fs.BoolVar(restart, "restart", false, "start a new engine process for each position, see 'qhsh help levels'")
}
