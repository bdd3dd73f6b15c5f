//go:build !linux

package pluginclient

import "time"

// withCore returns the end of a process as it is: where this system keeps core files is not known.
func withCore(exit error, _ string, _ time.Time) error { return exit }
