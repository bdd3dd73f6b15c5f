package pluginclient

import "qhsh/engine"

// As is [engine.As] for a Session: the outermost of it and those that it wraps that has the ability T.
func As[T any](s Session) (able T, ok bool) { return engine.As[T](s) }
