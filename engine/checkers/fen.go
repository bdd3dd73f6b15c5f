package checkers

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
)

// String returns the board's FEN: the side to move, then the squares of White and of Black in the
// variant's numbering, with a K before kings:
//
//	W:W21,22,K5:B1,2,3
func (b *Board) String() string {
	return strings.ToUpper(b.turn.String()[:1]) + ":W" + b.list(White) + ":B" + b.list(Black)
}

// list returns the squares of a colour, sorted by number.
func (b *Board) list(c Colour) string {
	var names []string
	for n := 1; n <= 32; n++ {
		s, _ := b.variant.Square(n)
		if !b.side[c].Has(s) {
			continue
		}
		name := fmt.Sprint(n)
		if b.kings.Has(s) {
			name = "K" + name
		}
		names = append(names, name)
	}
	return strings.Join(names, ",")
}

// maxPieces is the number of pieces of a side at the start.
const maxPieces = 12

// ParseBoard parses a FEN. The two sides may come in any order, squares may be ranges such as 1-12
// or algebraic names, and a period may end the text. The counters of lidraughts, such as :H2:F30, may
// follow: quiet plies and the number of the move, which a Board does not have. The error names the invalid part. Men may be
// on their last row, because CheckerBoard sends such FENs to engines.
func ParseBoard(v Variant, text string) (Board, error) {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSpace(text), "."), ":")
	for len(parts) > 3 && isCounter(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	if len(parts) != 3 {
		return Board{}, errors.New("want a side to move and two lists of squares, such as B:W21,K30:B1-4")
	}
	b := Board{variant: v}
	var err error
	if b.turn, err = parseColour(parts[0]); err != nil {
		return Board{}, fmt.Errorf("side to move: %w", err)
	}
	var seen [2]bool
	for _, part := range parts[1:] {
		part = strings.TrimSpace(part)
		c, err := parseColour(part[:min(1, len(part))])
		switch {
		case err != nil:
			return Board{}, fmt.Errorf("list of squares: %w", err)
		case seen[c]:
			return Board{}, fmt.Errorf("%v is given twice", c)
		}
		seen[c] = true
		if strings.TrimSpace(part[1:]) == "" {
			continue
		}
		for item := range strings.SplitSeq(part[1:], ",") {
			if err := b.parseItem(c, strings.TrimSpace(item)); err != nil {
				return Board{}, fmt.Errorf("%v: %w", c, err)
			}
		}
		if n := b.side[c].Len(); n > maxPieces {
			return Board{}, fmt.Errorf("%v has %d pieces: at most %d are allowed", c, n, maxPieces)
		}
	}
	b.key = b.hash()
	return b, nil
}

// isCounter reports whether the end of a FEN is a counter: H or F and a number.
func isCounter(part string) bool {
	part = strings.ToUpper(strings.TrimSpace(part))
	if len(part) < 2 || part[0] != 'H' && part[0] != 'F' {
		return false
	}
	_, err := strconv.ParseUint(part[1:], 10, 16)
	return err == nil
}

func parseColour(text string) (Colour, error) {
	switch strings.ToUpper(strings.TrimSpace(text)) {
	case "W":
		return White, nil
	case "B":
		return Black, nil
	}
	return 0, fmt.Errorf("%s: want W or B", engine.Quote(text))
}

// parseItem puts pieces of a colour on a square or a range of squares, with a K for kings.
func (b *Board) parseItem(c Colour, item string) error {
	squares, king := item, false
	if strings.HasPrefix(item, "K") || strings.HasPrefix(item, "k") {
		squares, king = item[1:], true
	}
	low, high, ok := strings.Cut(squares, "-")
	if !ok {
		high = low
	}
	first, err := b.variant.ParseSquare(low)
	if err != nil {
		return err
	}
	last, err := b.variant.ParseSquare(high)
	if err != nil {
		return err
	}
	if b.variant.Number(first) > b.variant.Number(last) {
		return fmt.Errorf("range %s: want the lower square first", engine.Quote(squares))
	}
	for n := b.variant.Number(first); n <= b.variant.Number(last); n++ {
		s, _ := b.variant.Square(n)
		if !b.Empty().Has(s) {
			return fmt.Errorf("two pieces on square %d", n)
		}
		b.side[c] |= One(s)
		if king {
			b.kings |= One(s)
		}
	}
	return nil
}
