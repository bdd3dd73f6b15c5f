package pluginclient

import "qhsh/engine"

// As is [engine.As] for a Session. It returns the outermost of s and the Sessions that s wraps
// that implements T.
func As[T any](s Session) (able T, ok bool) { return engine.As[T](s) }
