// Package confine lets the system limit the memory of an untrusted script. Where it can, the program runs
// once more, with the same arguments, as a child that limits itself before it runs the script. Go ends a
// process that gets no more memory with a dump of its goroutines, so the child's standard error is a pipe
// to the parent, which keeps such a dump to itself; the child writes its messages to the parent's own
// standard error. Everything else is inherited: standard input and output, the terminal, the process group.
//
// The limits, of data and of addresses (RLIMIT_DATA and RLIMIT_AS), are set beyond what the child has by
// then, since Go reserves gigabytes of addresses that it does not use. They are those of the child alone:
// engines start with the limits from before, see package supervisor.
package confine

import "context"

// An End is how a script's process has ended.
type End struct {
	Status      int  // the exit status, if it is not out of memory
	OutOfMemory bool // the system has refused it more memory
}

// Run runs this program in a child whose script can use limit bytes and so many engines at a time, and
// returns how it ended. When ctx ends, the child gets SIGTERM; it is killed when this process dies. In the
// child itself Run sets the limit and returns nil. Run is nil if the system cannot do this.
var Run func(ctx context.Context, limit int64, engines int) (*End, error) = run

// Room is how many bytes a script gets beyond its limit: for garbage, which the collector of Go frees late if
// the processors are busy, for the old array of a value that grows, and for what the runtime keeps.
func Room(limit int64) int64 { return limit/2 + 64<<20 }
