package games

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/render"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
	xqrecord "qhsh/engine/xiangqi/record"
)

var _ interface {
	Divider
	Sampler
	TextDrawer
	SVGDrawer
	ScriptDrawer
	Recorder
	MoveReader
	Notator
	Judge
	PieceInspector
	Checker
	MoveCounter
	StatusReporter
	FixedMoveNamer
	PositionDescriber
	Translator
	PlayerNamer
} = xiangqiRow{}

type xiangqiRow struct{}

func (xiangqiRow) Game() engine.Game         { return xiangqi.Rules }
func (xiangqiRow) AnyNotation() engine.Game  { return notation.Rules }
func (xiangqiRow) Script(engine.Game) string { return render.Script() }

func (xiangqiRow) Records() *record.Library { return xqrecord.Library }

func (xiangqiRow) PlayerName(text string) string { return xqrecord.PlayerName(text) }

func (xiangqiRow) PositionText() string { return "a FEN, of which the board alone is required" }

// xiangqiOf returns a position in its own type. The table calls a Row only with positions of its
// game.
func xiangqiOf(p engine.Position) *xiangqi.Position { return p.(*xiangqi.Position) }

func (xiangqiRow) Divide(ctx context.Context, p engine.Position, depth, jobs int) ([]Branch, error) {
	all, err := xiangqi.Divide(ctx, xiangqiOf(p), depth, jobs)
	branches := make([]Branch, len(all))
	for i, b := range all {
		branches[i] = Branch{b.Move.UCI(), b.Nodes}
	}
	return branches, err
}

func (xiangqiRow) Samples(engine.Game) (all []engine.Position) {
	for _, p := range xiangqi.Samples() {
		all = append(all, p)
	}
	return all
}

func (xiangqiRow) Notations() (names []string) {
	for style := notation.ICCS; style <= notation.SAN; style++ {
		names = append(names, style.String())
	}
	return names
}

func (xiangqiRow) Names(p engine.Position, moves []engine.Move, name string) []string {
	style, err := notation.ParseStyle(name)
	if err != nil {
		style = notation.ICCS
	}
	return notation.FormatMoves(p, moves, style)
}

func (xiangqiRow) ReadableNotations() []string {
	return []string{notation.Chinese.String(), notation.Traditional.String(), notation.WXF.String(), notation.ICCS.String()}
}

// chinese is the language code.
const chinese = "zh"

func (xiangqiRow) Notation(language string) string {
	if language == chinese {
		return notation.Chinese.String()
	}
	return ""
}

func (xiangqiRow) Words(language string) map[string]string {
	if language != chinese {
		return nil
	}
	return map[string]string{
		"red": "红方", "black": "黑方",
		"checkmate": "将死", "stalemate": "困毙", "repetition": "重复局面",
		"perpetual check": "长将", "perpetual chase": "长捉", "perpetual attack": "长打",
		"mutual perpetual check": "双方长将", "mutual perpetual chase": "双方长捉", "lack of attackers": "双方均无攻子",
		"50-move limit": "自然限着", "60-move limit": "自然限着",
	}
}

// FixedMoveNames returns the names of all moves from a point to a point.
func (xiangqiRow) FixedMoveNames() []string {
	const points = 90
	names := make([]string, xiangqi.NewMove(points-1, points-1)+1)
	for from := range xiangqi.Square(points) {
		for to := range xiangqi.Square(points) {
			m := xiangqi.NewMove(from, to)
			names[m] = m.ICCS()
		}
	}
	return names
}

func (xiangqiRow) Styles() []string { return render.StyleNames() }

func (xiangqiRow) Draw(p engine.Position, l TextOptions) string {
	style, _ := render.ParseStyle(cmp.Or(l.Style, render.ASCII.String()))
	o := render.Options{Style: style, Flip: l.Flip, Color: l.Color}
	if l.Last {
		o.Last, _ = xiangqiOf(p).LastMove()
	}
	for _, m := range l.Targets {
		o.Targets = append(o.Targets, xiangqi.Move(m).To())
	}
	return render.Board(xiangqiOf(p), o)
}

func (xiangqiRow) SVG(p engine.Position, pic ImageOptions) (string, error) {
	o, err := svgOptions(xiangqiOf(p), pic)
	if err != nil {
		return "", err
	}
	return render.SVG(xiangqiOf(p), o), nil
}

func svgOptions(p *xiangqi.Position, pic ImageOptions) (o render.SVGOptions, err error) {
	o = render.SVGOptions{Letters: pic.Letters, Flip: pic.Flip, Width: pic.Width}
	if o.Arrows, err = render.ParseArrows(strings.Join(pic.Arrows, " ")); err != nil {
		return o, fmt.Errorf("arrows: %w", err)
	}
	for _, text := range pic.Marks {
		sq, err := xiangqi.ParseSquare(text)
		if err != nil {
			return o, fmt.Errorf("marks: %w", err)
		}
		o.Targets = append(o.Targets, sq)
	}
	if pic.Last == "" {
		o.Last, _ = p.LastMove()
		return o, nil
	}
	if o.Last, err = xiangqi.ParseMove(pic.Last); err == nil {
		return o, nil // any two points are valid, whatever is on them
	}
	if before := p.Before(); before != nil {
		p = before
	}
	if o.Last, err = notation.Parse(p.Board(), pic.Last); err != nil {
		return o, fmt.Errorf("last: %w", err)
	}
	return o, nil
}

func (xiangqiRow) RuleSets() (names []string) {
	for _, r := range xiangqi.RuleSets() {
		names = append(names, r.String())
	}
	return names
}

func (xiangqiRow) Adjudicate(rules string) (func(engine.Position) engine.Result, error) {
	set, err := xiangqi.ParseRuleSet(rules)
	return set.Adjudicate, err
}

func (xiangqiRow) Judge(p engine.Position, rules string) (Ruling, error) {
	set, err := xiangqi.ParseRuleSet(rules)
	if err != nil {
		return Ruling{}, err
	}
	r := set.Judge(xiangqiOf(p))
	ruling := Ruling{Rules: r.Rules.String(), Result: r.Result, Repetition: r.Repetition, Verdict: r.Verdict(), Times: r.Times, Text: r.String()}
	if r.Cycle == nil {
		return ruling, nil
	}
	for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
		ruling.Conduct[side] = r.ConductWords(side)
	}
	for _, d := range r.Period() {
		ruling.Cycle = append(ruling.Cycle, CycleMove{engine.Move(d.Move), d.Words()})
	}
	return ruling, nil
}

const xiangqiLetters = "RNBAKCP"

func (xiangqiRow) Letters() string { return xiangqiLetters + strings.ToLower(xiangqiLetters) }

// Pieces returns the pieces from the top left, as in a FEN.
func (xiangqiRow) Pieces(p engine.Position) (all []Piece) {
	pos := xiangqiOf(p)
	for rank := 9; rank >= 0; rank-- {
		for file := range 9 {
			sq := xiangqi.Square(rank*9 + file)
			piece := pos.At(sq)
			if piece == xiangqi.Empty {
				continue
			}
			all = append(all, Piece{sq.String(), letterOf(piece), piece.Kind().String(), piece.Side().Turn()})
		}
	}
	return all
}

// letterOf returns a piece's letter, upper case for Red.
func letterOf(piece xiangqi.Piece) byte {
	letter := xiangqiLetters[piece.Kind()-1]
	if piece.Side() == xiangqi.Black {
		letter |= 0x20
	}
	return letter
}

func (xiangqiRow) At(p engine.Position, point string) (letter byte, err error) {
	sq, err := xiangqi.ParseSquare(point)
	if err != nil || xiangqiOf(p).At(sq) == xiangqi.Empty {
		return 0, err
	}
	return letterOf(xiangqiOf(p).At(sq)), nil
}

func (xiangqiRow) Point(text string) (string, error) {
	sq, err := xiangqi.ParseSquare(text)
	if err != nil {
		return "", err
	}
	return sq.String(), nil
}

func (xiangqiRow) Ends(m engine.Move) (from, to string) {
	return xiangqi.Move(m).From().String(), xiangqi.Move(m).To().String()
}

func (xiangqiRow) Captures(p engine.Position, m engine.Move) bool {
	return xiangqiOf(p).At(xiangqi.Move(m).To()) != xiangqi.Empty
}

func (xiangqiRow) Attackers(p engine.Position, side engine.Turn, point string) (found []string, err error) {
	sq, err := xiangqi.ParseSquare(point)
	if err != nil {
		return nil, err
	}
	b := xiangqiOf(p).Board()
	for from := range b.Attackers(sq, b.Occupied()).And(b.OccupiedBy(xiangqi.Side(side))).All() {
		found = append(found, from.String())
	}
	return found, nil
}

// Mirror has no errors of its own: the rules are symmetric.
func (xiangqiRow) Mirror(p engine.Position) (engine.Position, error) {
	start, moves := p.History()
	placement, rest, _ := strings.Cut(start.String(), " ")
	ranks := strings.Split(placement, "/")
	for i, rank := range ranks {
		letters := []byte(rank)
		slices.Reverse(letters)
		ranks[i] = string(letters)
	}
	pos, err := xiangqi.ParseFEN(strings.Join(ranks, "/") + " " + rest)
	for _, m := range moves {
		if err != nil {
			return nil, err
		}
		m := xiangqi.Move(m)
		pos, err = pos.PlayMove(xiangqi.NewMove(opposite(m.From()), opposite(m.To())))
	}
	return pos, err
}

// opposite returns the point mirrored on the middle file.
func opposite(sq xiangqi.Square) xiangqi.Square { return sq/9*9 + 8 - sq%9 }

func (xiangqiRow) InCheck(p engine.Position) bool { return xiangqiOf(p).InCheck() }

func (xiangqiRow) GivesCheck(p engine.Position, m engine.Move) bool {
	return xiangqiOf(p).Board().GivesCheck(xiangqi.Move(m))
}

// MoveNumber returns the FEN's last field.
func (xiangqiRow) MoveNumber(p engine.Position) (n int) {
	text := p.String()
	_, _ = fmt.Sscan(text[strings.LastIndexByte(text, ' ')+1:], &n) // a FEN of our own
	return n
}

func (xiangqiRow) QuietPlies(p engine.Position) int { return xiangqiOf(p).QuietPlies() }

func (xiangqiRow) Occurrences(p engine.Position) int { return xiangqiOf(p).Board().Occurrences() + 1 }

func (xiangqiRow) Status(p engine.Position) string {
	pos := xiangqiOf(p)
	switch result := pos.Result(); {
	case result.Over():
		return fmt.Sprintf("%v is to move and has lost by %s", pos.Side(), result.Reason)
	case pos.InCheck():
		return fmt.Sprintf("%v to move, in check", pos.Side())
	}
	return fmt.Sprintf("%v to move", pos.Side())
}
