package qchess

import (
	"fmt"
	"strings"

	"qhsh/engine"
)

// String returns the board's text form, four fields separated by spaces:
//
//	w r?@07,n?@17,b?@27,kk@37,q?@47,...,p?@76 r?@00,...,p?@71 -
//
// They are the side to move, w or b; White's pieces and Black's, each in the order of their start
// squares, the back row by columns and then the pawns; and the square of the selected piece, or -.
//
// A piece is its first kind, its second kind, 0 or 1 for its current kind unless it is in
// superposition, and @ with its square. A kind is a letter of prnbqk, or + for a queen that was a
// pawn. A hidden second kind is a question mark, followed by the kind on a board that knows it: r?n
// is a rook with the hidden kind knight. A captured piece is -, or -n if its second kind was
// revealed.
func (b *Board) String() string {
	selected := NoSquare
	if b.selected >= 0 {
		selected = b.pieces[b.selected].At
	}
	return fmt.Sprintf("%s %s %s %v", ColourName(b.turn)[:1], b.sideText(White), b.sideText(Black), selected)
}

func (b *Board) sideText(side engine.Turn) string {
	texts := make([]string, sidePieces)
	for slot := range texts {
		texts[slot] = b.pieces[number(side, slot)].String()
	}
	return strings.Join(texts, ",")
}

// String returns the piece in the format of [Board.String].
func (p *Piece) String() string {
	if p.At == NoSquare {
		if p.shown == Unknown {
			return "-"
		}
		return "-" + string(p.shown.letter())
	}
	text := []byte{p.letter(0), p.letter(1)}
	if p.Hidden != Unknown {
		text = append(text, p.Hidden.letter())
	}
	if p.State != superposed {
		text = append(text, '0'+byte(p.State))
	}
	return string(text) + "@" + p.At.String()
}

// letter returns the letter of a kind.
func (p *Piece) letter(index int) byte {
	if p.promoted[index] {
		return '+'
	}
	return p.Kinds[index].letter()
}

// ParseBoard parses a board in the format of String. The error names the invalid field.
func ParseBoard(text string) (Board, error) {
	fields := strings.Fields(text)
	if len(fields) != 4 {
		return Board{}, fmt.Errorf("position %s: want four fields: w or b, White's pieces, Black's pieces, and the square of the selected piece or -", engine.Quote(text))
	}
	b := empty()
	switch fields[0] {
	case "w":
	case "b":
		b.turn = Black
	default:
		return Board{}, fmt.Errorf("side to move %s: want w or b", engine.Quote(fields[0]))
	}
	for side := range engine.Turn(2) {
		texts := strings.Split(fields[1+side], ",")
		if len(texts) != sidePieces {
			return Board{}, fmt.Errorf("%s: %d pieces: want %d, the captured ones as -", ColourName(side), len(texts), sidePieces)
		}
		for slot, text := range texts {
			p, err := parsePiece(text)
			if err == nil {
				err = b.placePiece(side, slot, p)
			}
			if err != nil {
				return Board{}, fmt.Errorf("%s: piece %s: %w", ColourName(side), engine.Quote(text), err)
			}
		}
	}
	if b.occupied[White]|b.occupied[Black] == 0 || b.pieces[number(White, kingSlot)].At == b.pieces[number(Black, kingSlot)].At {
		return Board{}, fmt.Errorf("position %s: missing king", engine.Quote(text))
	}
	if err := b.parseSelected(fields[3]); err != nil {
		return Board{}, fmt.Errorf("selected piece %s: %w", engine.Quote(fields[3]), err)
	}
	return b, nil
}

// placePiece puts a piece into a slot after validating it.
func (b *Board) placePiece(side engine.Turn, slot int, p Piece) error {
	if p.shown != Unknown && b.Shown(side).allShown(p.shown) {
		return fmt.Errorf("more than %d pieces with the second kind %v", kindCount[p.shown], p.shown)
	}
	i := number(side, slot)
	if p.At == NoSquare {
		b.pieces[i] = p
		return nil
	}
	if isKing := slot == kingSlot; isKing != (p.Kinds[0] == King) || isKing != (p.Kinds[1] == King) {
		return fmt.Errorf("want kk as piece %d of a side, and nowhere else", kingSlot+1)
	}
	if b.at[p.At] >= 0 {
		return fmt.Errorf("two pieces on %v", p.At)
	}
	b.put(i, p, p.At)
	return nil
}

// parsePiece parses a piece in the format of Piece.String.
func parsePiece(text string) (p Piece, err error) {
	p = Piece{State: superposed, At: NoSquare}
	if secret, ok := strings.CutPrefix(text, "-"); ok {
		if len(secret) == 1 {
			p.shown, ok = kindOf(secret[0])
		}
		if len(secret) > 1 || !ok || p.shown == King || secret == "?" {
			return p, errPiece
		}
		return p, nil
	}
	kinds, square, _ := strings.Cut(text, "@")
	var ok bool
	if p.At, ok = parseSquare(square); !ok || len(kinds) < 2 {
		return p, errPiece
	}
	for i := range 2 {
		p.promoted[i] = kinds[i] == '+'
		if p.Kinds[i], ok = kindOf(kinds[i]); p.promoted[i] {
			p.Kinds[i], ok = Queen, true
		}
		if !ok {
			return p, errPiece
		}
	}
	rest := kinds[2:]
	if p.Kinds[1] == Unknown && rest != "" {
		if hidden, ok := kindOf(rest[0]); ok && hidden != Unknown && hidden != King {
			p.Hidden, rest = hidden, rest[1:]
		}
	}
	if p.Kinds[1] != King {
		p.shown = p.Kinds[1]
	}
	if p.promoted[1] {
		p.shown = Pawn
	}
	switch {
	case rest == "0" || rest == "1":
		p.State = int8(rest[0] - '0')
	case rest != "":
		return p, errPiece
	}
	if p.Kinds[0] == Unknown || p.State != superposed && p.Kind() == Unknown {
		return p, fmt.Errorf("%w: the first kind and the current one must be known", errPiece)
	}
	return p, nil
}

var errPiece = fmt.Errorf("want two kinds of prnbqk+?, then 0 or 1 for the current kind, and a square, such as r?@07 or -")

// parseSelected parses the square of the selected piece.
func (b *Board) parseSelected(field string) error {
	if field == "-" {
		return nil
	}
	at, ok := parseSquare(field)
	if !ok {
		return fmt.Errorf("want a square such as 36, or -")
	}
	if b.Result().Over() {
		return fmt.Errorf("the game is over")
	}
	if err := b.Select(at); err != nil {
		return err
	}
	if b.selected < 0 {
		return fmt.Errorf("the piece cannot move")
	}
	return nil
}
