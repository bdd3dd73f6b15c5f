package engine

// As returns the outermost of a Searcher and those that it wraps that has the ability T, like
// errors.As, and reports whether there is one. A wrapper has a method Unwrap() Searcher; a wrapper
// that must intercept a call implements that ability itself.
func As[T any](s Searcher) (able T, ok bool) {
	for s != nil {
		if able, ok = s.(T); ok {
			return able, true
		}
		w, wraps := s.(interface{ Unwrap() Searcher })
		if !wraps {
			break
		}
		s = w.Unwrap()
	}
	return able, false
}
