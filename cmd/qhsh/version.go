package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"

	"qhsh/engine/games"
)

// version is the version of qhsh.
const version = "0.1.0"

var versionCommand = command{
	name:    "version",
	summary: "print the version",
	help: "Prints the version, the source revision if it is known, the version of Go, and the\n" +
		"system.\n",
	setup: func(*flag.FlagSet, games.Table) action { return runVersion },
}

func runVersion(_ context.Context, h host, operands []string) error {
	if len(operands) > 0 {
		return usagef("unexpected argument %q", operands[0])
	}
	_, err := fmt.Fprintf(h.Stdout, "qhsh %s%s %s %s/%s\n",
		version, revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// revision returns the source revision that the Go tool has recorded, with a leading blank, or "".
func revision() string {
	const short = 12
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	rev := settings["vcs.revision"]
	if rev == "" {
		return ""
	}
	rev = rev[:min(short, len(rev))]
	if settings["vcs.modified"] == "true" {
		rev += ", modified"
	}
	return " (" + rev + ")"
}
