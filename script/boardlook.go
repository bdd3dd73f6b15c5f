package script

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine/games"
	"qhsh/engine/render"
	"qhsh/engine/xiangqi"
)

// pieceLetters are the letters of a FEN by kind.
const pieceLetters = ".RNBAKCP"

// letterOf is a piece's letter, upper case for Red.
func letterOf(p xiangqi.Piece) string {
	letter := pieceLetters[p.Kind() : p.Kind()+1]
	if p.Side() == xiangqi.Black {
		return strings.ToLower(letter)
	}
	return letter
}

// parsePoint reads a point, "H2" or "h2".
func parsePoint(text string) (xiangqi.Square, error) {
	if len(text) == 2 {
		file, rank := text[0]|0x20-'a', text[1]-'0'
		if file < 9 && rank < 10 {
			return xiangqi.Square(rank*9 + file), nil
		}
	}
	return 0, fmt.Errorf("point %s: want a file and a rank, such as \"H2\"", shorten(text))
}

// shorten quotes text that came from a script, cut where it is long.
func shorten(text string) string {
	const most = 40
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return starlark.String(text).String()
}

func pieceAt(b *board, c *call) (starlark.Value, error) {
	var point string
	if err := c.unpack(&point); err != nil {
		return nil, err
	}
	p, err := b.xiangqi(c.fn.Name())
	if err != nil {
		return nil, err
	}
	sq, err := parsePoint(point)
	if err != nil {
		return nil, b.at(c, err)
	}
	if p.At(sq) == xiangqi.Empty {
		return starlark.None, nil
	}
	return starlark.String(letterOf(p.At(sq))), nil
}

// noArguments reads a call without any, of a member that boards of Xiangqi alone have.
func (b *board) noArguments(c *call) (*xiangqi.Position, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	return b.xiangqi(c.fn.Name())
}

func pieces(b *board, c *call) (starlark.Value, error) {
	p, err := b.noArguments(c)
	if err != nil {
		return nil, err
	}
	dict := starlark.NewDict(32)
	for rank := 9; rank >= 0; rank-- {
		for file := range 9 {
			sq := xiangqi.Square(rank*9 + file)
			if p.At(sq) == xiangqi.Empty {
				continue
			}
			if err := dict.SetKey(starlark.String(sq.String()), starlark.String(letterOf(p.At(sq)))); err != nil {
				return nil, err
			}
		}
	}
	return dict, nil
}

func material(b *board, c *call) (starlark.Value, error) {
	p, err := b.noArguments(c)
	if err != nil {
		return nil, err
	}
	var counts [256]int
	for sq := range xiangqi.Square(points) {
		counts[letterOf(p.At(sq))[0]]++
	}
	dict := starlark.NewDict(2 * len(pieceLetters))
	for _, letter := range pieceLetters[1:] + strings.ToLower(pieceLetters[1:]) {
		if n := counts[letter]; n > 0 {
			if err := dict.SetKey(starlark.String(letter), starlark.MakeInt(n)); err != nil {
				return nil, err
			}
		}
	}
	return dict, nil
}

func attackers(b *board, c *call) (starlark.Value, error) {
	var side, point string
	if err := c.unpack(&side, &point); err != nil {
		return nil, err
	}
	p, err := b.xiangqi(c.fn.Name())
	if err != nil {
		return nil, err
	}
	s, err := parseSide(side)
	if err != nil {
		return nil, b.at(c, err)
	}
	sq, err := parsePoint(point)
	if err != nil {
		return nil, b.at(c, err)
	}
	board := p.Board()
	var found []starlark.Value
	for from := range board.Attackers(sq, board.Occupied()).And(board.OccupiedBy(s)).All() {
		found = append(found, starlark.String(from.String()))
	}
	return starlark.NewList(found), nil
}

func parseSide(text string) (xiangqi.Side, error) {
	for _, s := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
		if s.String() == text {
			return s, nil
		}
	}
	return 0, fmt.Errorf("side %s: want \"red\" or \"black\"", shorten(text))
}

func mirror(b *board, c *call) (starlark.Value, error) {
	p, err := b.noArguments(c)
	if err != nil {
		return nil, err
	}
	pos, err := mirrored(p)
	if err != nil {
		return nil, b.at(c, err)
	}
	return newBoard(pos), nil
}

// mirrored is a game with left and right exchanged. There is no error, for the rules do
// not tell left from right.
func mirrored(p *xiangqi.Position) (*xiangqi.Position, error) {
	start, moves := p.History()
	placement, rest, _ := strings.Cut(start.String(), " ")
	ranks := strings.Split(placement, "/")
	for i, rank := range ranks {
		ranks[i] = reversed(rank)
	}
	pos, err := xiangqi.ParseFEN(strings.Join(ranks, "/") + " " + rest)
	if err != nil {
		return nil, err
	}
	for _, m := range moves {
		pos, err = pos.PlayMove(xiangqi.NewMove(opposite(xiangqi.Move(m).From()), opposite(xiangqi.Move(m).To())))
		if err != nil {
			return nil, err
		}
	}
	return pos, nil
}

// reversed is a rank of a FEN read from the right.
func reversed(rank string) string {
	out := make([]byte, len(rank))
	for i := range len(rank) {
		out[len(rank)-1-i] = rank[i]
	}
	return string(out)
}

// opposite is the point of the same rank as far from the other edge.
func opposite(sq xiangqi.Square) xiangqi.Square { return sq/9*9 + 8 - sq%9 }

func boardText(b *board, c *call) (starlark.Value, error) {
	style, flip := "ascii", false
	if err := c.unpack(&style, &flip); err != nil {
		return nil, err
	}
	if len(games.Default.Styles(b.pos.Game())) == 0 && style == "ascii" && !flip {
		return starlark.String(strings.TrimSuffix(games.Default.Draw(b.pos, games.Look{}), "\n")), nil
	}
	p, err := b.xiangqi(c.fn.Name())
	if err != nil {
		return nil, err
	}
	s, ok := render.ParseStyle(style)
	if !ok {
		return nil, fmt.Errorf("text: style %s: want %s", shorten(style), strings.Join(render.StyleNames(), ", "))
	}
	text := render.Board(p, render.Options{Style: s, Flip: flip})
	return starlark.String(strings.TrimSuffix(text, "\n")), nil // print ends the line
}

func boardSVG(b *board, c *call) (starlark.Value, error) {
	var arrows, marks stringsArgument
	var o render.SVGOptions
	if err := c.unpack(&arrows, &marks, &o.Letters, &o.Flip); err != nil {
		return nil, err
	}
	p, err := b.xiangqi(c.fn.Name())
	if err != nil {
		return nil, err
	}
	for _, text := range arrows {
		m, err := xiangqi.ParseMove(text)
		if err != nil {
			return nil, b.at(c, fmt.Errorf("arrows: %w", err))
		}
		o.Arrows = append(o.Arrows, render.Arrow{From: m.From(), To: m.To()})
	}
	for _, text := range marks {
		sq, err := parsePoint(text)
		if err != nil {
			return nil, b.at(c, fmt.Errorf("marks: %w", err))
		}
		o.Targets = append(o.Targets, sq)
	}
	if last, ok := p.LastMove(); ok {
		o.Last = last
	}
	return starlark.String(render.SVG(p, o)), nil
}

// A stringsArgument is an argument that is a list or another iterable of strings.
type stringsArgument []string

// Unpack reads the argument.
func (s *stringsArgument) Unpack(v starlark.Value) error {
	iter := starlark.Iterate(v)
	if iter == nil {
		return fmt.Errorf("got %s, want a list of strings", v.Type())
	}
	defer iter.Done()
	var elem starlark.Value
	for i := 0; iter.Next(&elem); i++ {
		text, ok := starlark.AsString(elem)
		if !ok {
			return fmt.Errorf("element %d is a %s, want a string", i, elem.Type())
		}
		*s = append(*s, text)
	}
	return nil
}

var _ starlark.Unpacker = (*stringsArgument)(nil)
