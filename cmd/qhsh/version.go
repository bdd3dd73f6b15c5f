package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/hints"
)

var versionCommand = command{
	name:    "version",
	summary: "print the version",
	setup:   defined[versionAction],
}

type versionAction struct{ outputFlags }

func (c *versionAction) define(fs *flag.FlagSet, _ games.Table) {
	defineFormat(fs, &c.outputFlags, "", versionFormats)
}

func (c *versionAction) run(_ context.Context, h host, _ []string) error {
	chosen, err := choose(c.outputFlags, versionFormats)
	if err != nil {
		return err
	}
	return chosen.Write(h.Stdout, currentBuild())
}

var versionFormats = format.Table[func(io.Writer, buildInfo) error]{
	{Name: "text", Write: func(w io.Writer, b buildInfo) error {
		_, err := fmt.Fprintln(w, b)
		return err
	}},
	{Name: "json", Write: format.JSONLine[buildInfo]},
}

func currentBuild() buildInfo {
	info, _ := debug.ReadBuildInfo()
	return buildOf(info)
}

// buildID returns what identifies the code of this program, on every system: its commit or, if that
// is not known or was modified, its file.
func buildID() string {
	b := currentBuild()
	if b.Commit != "" && !b.Modified {
		return b.Version + " " + b.shortCommit()
	}
	self, err := hints.Fingerprints(nil)
	if err != nil {
		return b.Version
	}
	return b.Version + " " + strings.Join(self, " ")
}

// A buildInfo says from what, and for what, qhsh was built.
type buildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"` // empty if the Go tool has not recorded it
	Modified bool   `json:"modified,omitempty"`
	Time     string `json:"time,omitempty"` // of the commit
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// buildOf returns the build that the Go tool has recorded. info may be nil.
func buildOf(info *debug.BuildInfo) buildInfo {
	b := buildInfo{Version: pluginclient.Version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if info == nil {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		case "vcs.time":
			b.Time = s.Value
		}
	}
	return b
}

// shortCommit returns the commit cut to 12 digits.
func (b buildInfo) shortCommit() string {
	const short = 12
	return b.Commit[:min(short, len(b.Commit))]
}

// String returns the build on one line.
func (b buildInfo) String() string {
	commit := ""
	if b.Commit != "" {
		commit = " (" + b.shortCommit()
		if day, _, ok := strings.Cut(b.Time, "T"); ok {
			commit += ", " + day
		}
		if b.Modified {
			commit += ", modified"
		}
		commit += ")"
	}
	return fmt.Sprintf("qhsh %s%s %s %s/%s", b.Version, commit, b.Go, b.OS, b.Arch)
}
