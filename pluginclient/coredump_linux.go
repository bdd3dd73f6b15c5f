package pluginclient

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"qhsh/engine/lazyregexp"
)

// corePatternFile holds the name of core files, or the program that gets them; see core(5).
const corePatternFile = "/proc/sys/kernel/core_pattern"

// coreSignals are those whose default action is to dump core.
var coreSignals = []syscall.Signal{
	syscall.SIGQUIT, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGABRT, syscall.SIGBUS,
	syscall.SIGFPE, syscall.SIGSEGV, syscall.SIGXCPU, syscall.SIGXFSZ, syscall.SIGSYS,
}

// withCore makes the end of a process that was started in dir a [Crash] if it is one.
func withCore(exit error, dir string, started time.Time) error {
	var status *exec.ExitError
	if !errors.As(exit, &status) {
		return exit
	}
	wait, ok := status.Sys().(syscall.WaitStatus)
	if !ok || !wait.Signaled() || !slices.Contains(coreSignals, wait.Signal()) {
		return exit
	}
	pattern, err := os.ReadFile(corePatternFile)
	if err != nil {
		return &Crash{exit, fmt.Sprintf("whether there is a core file is not known: %v", err)}
	}
	var limit unix.Rlimit
	allowed := unix.Getrlimit(unix.RLIMIT_CORE, &limit) != nil || limit.Cur > 0
	return &Crash{exit, coreNote(strings.TrimSpace(string(pattern)), dir, started, allowed)}
}

// coreSpecifier is what stands in a pattern for a property of the process.
var coreSpecifier = lazyregexp.New(`%[^%]`)

// coreNote says where the core file is of a process that was started in dir. allowed reports whether
// the resource limit lets the system write one.
func coreNote(pattern, dir string, started time.Time, allowed bool) string {
	if program, piped := strings.CutPrefix(pattern, "|"); piped {
		program, _, _ = strings.Cut(program, " ")
		note := "the system passes core files to " + program
		if filepath.Base(program) == "systemd-coredump" {
			note += ": coredumpctl lists them"
		}
		return note
	}
	name := strings.ReplaceAll(coreSpecifier().ReplaceAllString(inFolder(dir, pattern), "*"), "%%", "%")
	if path := newestSince(started, name, name+".*"); path != "" {
		return "core file " + path
	}
	if !allowed {
		return "no core file: their size is limited to 0, see ulimit -c"
	}
	return "no core file is found as " + name
}

// newestSince returns the latest file that matches one of the patterns and was written since the
// given time. It returns "" if there is none.
func newestSince(since time.Time, patterns ...string) (newest string) {
	latest := since.Add(-time.Second) // clocks of file systems are coarse
	for _, pattern := range patterns {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.ModTime().After(latest) {
				newest, latest = path, info.ModTime()
			}
		}
	}
	return newest
}
