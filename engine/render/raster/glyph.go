package raster

// Glyph returns the outline of a character of a board as path data of SVG, so that a picture looks the same
// whatever fonts there are; empty if there is none. There are those of the pieces' names, the river, files
// and ranks, and of a FEN. An outline is measured in thousandths of an em, with the middle of the character
// at 0,0 and y growing downwards. Where outlines overlap, a point is inside if its winding number is not
// zero.
func Glyph(r rune) string { return outlines[r] }
