package engine

// A Remarker is a Position that knows what its user should be told about it.
type Remarker interface {
	// Remark returns what is odd about the position, or about the text that it was read from, on
	// one line; "" if nothing is.
	Remark() string
}

// Remark returns the remark of a position that is a [Remarker]; "" if it is not, or is nil.
func Remark(p Position) string {
	if r, ok := p.(Remarker); ok {
		return r.Remark()
	}
	return ""
}
