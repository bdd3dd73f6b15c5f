package qchess

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
)

// hiddenPrefix marks a hidden second kind in the server's format.
const hiddenPrefix = "?"

// ServerLines returns the pieces as in the server's logs, by columns and then by rows:
//
//	white unknown ['rook', '?knight'] at 7,7
//
// Unknown second kinds are 'unknown'.
func (b *Board) ServerLines() []string {
	var lines []string
	for x := range 8 {
		for y := range 8 {
			if p, side, ok := b.PieceAt(SquareAt(x, y)); ok {
				lines = append(lines, p.serverLine(side))
			}
		}
	}
	return lines
}

func (p *Piece) serverLine(side engine.Turn) string {
	second := p.Kinds[1].String()
	if p.Hidden != Unknown {
		second = hiddenPrefix + p.Hidden.String()
	}
	now := p.Kind()
	if p.fixed() {
		now = p.Kinds[0]
	}
	return fmt.Sprintf("%s %v ['%v', '%s'] at %d,%d", ColourName(side), now, p.Kinds[0], second, p.At.X(), p.At.Y())
}

// ParseServerLines parses a board as in logs and in the message BOARD. White is to select.
//
// The format does not identify pieces. A piece on its start square is taken for the original one,
// any other for one of the same first kind. So the odds of second kinds are exact at the start, and
// approximate elsewhere.
func ParseServerLines(lines []string) (Board, error) {
	b := empty()
	var found []serverPiece
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		s, err := parseServerLine(line)
		if err != nil {
			return b, fmt.Errorf("piece %s: %w", engine.Quote(line), err)
		}
		found = append(found, s)
	}
	for _, fits := range []func(s *serverPiece, slot int) bool{
		func(s *serverPiece, slot int) bool {
			return s.At == startSquare(s.side, slot) && s.Kinds[0] == firstKind(slot)
		},
		func(s *serverPiece, slot int) bool { return s.Kinds[0] == firstKind(slot) },
		func(_ *serverPiece, slot int) bool { return slot != kingSlot },
	} {
		var err error
		if found, err = b.assignSlots(found, fits); err != nil {
			return b, err
		}
	}
	if len(found) > 0 {
		return b, fmt.Errorf("a side has more than %d pieces", sidePieces)
	}
	return b, nil
}

// A serverPiece is a parsed piece without a slot.
type serverPiece struct {
	Piece
	side engine.Turn
}

// assignSlots puts pieces into free slots that fit, and returns the others.
func (b *Board) assignSlots(found []serverPiece, fits func(s *serverPiece, slot int) bool) (rest []serverPiece, err error) {
	for _, s := range found {
		slot := 0
		for slot < sidePieces && (b.pieces[number(s.side, slot)].At != NoSquare || !fits(&s, slot)) {
			slot++
		}
		if slot == sidePieces {
			rest = append(rest, s)
			continue
		}
		if s.shown == Queen && b.Shown(s.side).allShown(Queen) { // the queen was promoted
			s.shown, s.promoted[1] = Pawn, true
		}
		if err := b.placePiece(s.side, slot, s.Piece); err != nil {
			return nil, fmt.Errorf("piece %s: %w", engine.Quote(s.serverLine(s.side)), err)
		}
	}
	return rest, nil
}

// parseServerLine parses a piece. The message BOARD has no space before "at".
func parseServerLine(line string) (s serverPiece, err error) {
	s.Piece = Piece{State: superposed}
	head, rest, ok := strings.Cut(line, "[")
	types, place, closed := strings.Cut(rest, "]")
	words := strings.Fields(head)
	if !ok || !closed || len(words) != 2 {
		return s, errServerLine
	}
	if s.side, err = ParseColour(words[0]); err != nil {
		return s, err
	}
	place, _ = strings.CutPrefix(strings.TrimSpace(place), "at")
	if s.At, ok = parseSquare(strings.Replace(strings.TrimSpace(place), ",", "", 1)); !ok {
		return s, errServerLine
	}
	names := strings.Split(types, ",")
	if len(names) != 2 {
		return s, errServerLine
	}
	for i, name := range names {
		name, hidden := strings.CutPrefix(strings.Trim(name, " '\""), hiddenPrefix)
		k := kindByName(name)
		switch {
		case k == Unknown && (i == 0 || name != Unknown.String()):
			return s, fmt.Errorf("%w, not %s", errServerLine, engine.Quote(name))
		case hidden && i == 1:
			s.Hidden = k
		default:
			s.Kinds[i] = k
		}
	}
	if s.Kinds[1] != King {
		s.shown = s.Kinds[1]
	}
	now := kindByName(words[1])
	if now == Unknown || s.Kinds[0] == King { // the server does not report that of a king
		return s, nil
	}
	i := slices.Index(s.Kinds[:], now)
	if i < 0 {
		return s, fmt.Errorf("current kind %v is not one of its two kinds", now)
	}
	s.State = int8(i)
	return s, nil
}

var errServerLine = fmt.Errorf("want a piece such as white unknown ['rook', '%sknight'] at 7,7", hiddenPrefix)

// SetTurn makes a side the one to select.
func (b *Board) SetTurn(side engine.Turn) { b.turn, b.selected = side, -1 }
