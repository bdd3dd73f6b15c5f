package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// GlyphSign returns the sign of an annotation glyph, such as "!", or $ and its number.
func GlyphSign(glyph uint8) string {
	if glyph > 0 && int(glyph) < len(glyphSigns) {
		return glyphSigns[glyph]
	}
	return fmt.Sprintf("$%d", glyph)
}

// ParseGlyph parses what GlyphSign returns.
func ParseGlyph(text string) (glyph uint8, ok bool) {
	if digits, numeric := strings.CutPrefix(text, "$"); numeric {
		n, err := strconv.ParseUint(digits, 10, 8)
		return uint8(n), err == nil && n > 0
	}
	rest, glyph := cutGlyph(text)
	return glyph, rest == "" && glyph > 0
}

// OtherGlyph returns the glyph that says of Black what a glyph says of White, or the reverse. Glyphs of PGN that name no
// side are returned as they are.
func OtherGlyph(glyph uint8) uint8 {
	if 14 <= glyph && glyph <= 139 { // in pairs, from "White has a slight advantage" to the time that Black is short of
		return glyph ^ 1
	}
	return glyph
}

func (t *moveText) glyph(n uint8) {
	if n == 0 || t.skipped > 0 || t.atVariationStart || t.Depth() == 0 {
		return
	}
	t.Current().Glyphs = append(t.Current().Glyphs, n)
}

// sign adds a glyph that has a sign. Another sign, such as !!!, is kept as a comment.
func (t *moveText) sign(text string) {
	if _, glyph := cutGlyph(text); glyph > 0 {
		t.glyph(glyph)
	} else if text != "" {
		t.comment(text)
	}
}

// cutGlyph removes a trailing annotation sign; glyph is 0 if there is none.
func cutGlyph(word string) (rest string, glyph uint8) {
	if n := len(word); n == 0 || word[n-1] < 0x80 && word[n-1] != '!' && word[n-1] != '?' {
		return word, 0
	}
	rest = strings.TrimRight(word, "!?！？")
	sign := toHalfWidth.Replace(word[len(rest):])
	return rest, uint8(max(0, slices.Index(glyphSigns, sign)))
}

var glyphSigns = []string{"", "!", "?", "!!", "??", "!?", "?!"}

var toHalfWidth = strings.NewReplacer("！", "!", "？", "?")
