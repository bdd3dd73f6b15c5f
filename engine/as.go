package engine

// As returns the outermost of a Searcher and those that it wraps, in the manner of errors.As, that
// has the ability T, and reports whether there is one. A wrapper has the method Unwrap() Searcher;
// one that must see a call has that call's ability itself.
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
