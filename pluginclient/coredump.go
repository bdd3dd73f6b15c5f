package pluginclient

// A Crash is the end of a process by a signal for which the system may keep a core file.
type Crash struct {
	Err  error  // the signal
	Core string // where the core file is, or why none is known
}

func (c *Crash) Error() string { return c.Err.Error() }

// Unwrap returns the error of the signal.
func (c *Crash) Unwrap() error { return c.Err }
