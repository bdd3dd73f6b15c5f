//go:build !windows && (!unix || solaris || illumos || aix)

package gamefile

import "os"

// lock is a no-op: two processes with the same seed damage each other's file on this system.
func lock(*os.File) error { return nil }
