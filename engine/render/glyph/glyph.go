// Package glyph has the outlines of the characters that boards are drawn with, so that a
// picture looks the same wherever it is shown, whatever fonts there are.
//
// They are the names of the pieces, the words on the river, the names of files and ranks,
// and the letters of a FEN. An outline is measured in thousandths of an em, with the
// middle of the character at 0,0 and y growing downwards. Where outlines overlap, a point
// is inside if its winding number is not zero.
package glyph

// Path returns a character's outline as path data of SVG; empty if there is none.
func Path(r rune) string { return outlines[r] }
