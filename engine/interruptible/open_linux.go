package interruptible

import "syscall"

// openFlags make the open of a named pipe return before it has a writer. A wait for input then waits
// for the first one, too.
const openFlags = syscall.O_NONBLOCK
