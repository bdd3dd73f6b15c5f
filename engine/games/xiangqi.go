package games

import (
	"cmp"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/render"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/drawing"
	"qhsh/engine/xiangqi/endings"
	"qhsh/engine/xiangqi/notation"
	"qhsh/engine/xiangqi/opening"
	"qhsh/engine/xiangqi/reason"
	xqrecord "qhsh/engine/xiangqi/record"
)

var xiangqiRow = &Row{
	Game:         xiangqi.Rules,
	PositionText: "a FEN, of which the board alone is required",
	Words: map[string]map[string]string{chinese: {
		"red": "红方", "black": "黑方",
		"checkmate": "将死", "stalemate": "困毙", "repetition": "重复局面",
		"perpetual check": "长将", "perpetual chase": "长捉", "perpetual attack": "长打",
		"mutual perpetual check": "双方长将", "mutual perpetual chase": "双方长捉", "lack of attackers": "双方均无攻子",
		"50-move limit": "自然限着", "60-move limit": "自然限着",
	}},

	Perft:         xiangqi.PerftUntil,
	PerftNotation: notation.UCI.String(),
	Samples:       func(engine.Game) []engine.Position { return positions(xiangqi.Samples()) },
	Board:         xiangqiBoard,
	Styles:        []string{styleDiagram, styleLetters, "chinese"},
	Draw:          drawXiangqi,
	Status:        xiangqiStatus,

	Notations:         names(notation.ICCS, notation.UCI, notation.WXF, notation.Chinese, notation.Traditional, notation.SAN),
	ReadableNotations: names(notation.Chinese, notation.Traditional, notation.WXF, notation.ICCS),
	NotationFor:       map[string]string{chinese: notation.Chinese.String()},
	AnyNotation:       notation.Rules,
	Names: func(p engine.Position, moves []engine.Move, name string) []string {
		return notation.FormatMoves(p, moves, notation.StyleOf(name))
	},
	FixedMoveNames: coordinateNames,
	Openings:       opening.Names,
	OpeningWords:   map[string]map[string]string{chinese: opening.Chinese()},
	Records:        xqrecord.Library,
	Books:          xiangqiBooks,
	PlayerName:     xqrecord.PlayerName,

	RuleSets: names(xiangqi.RuleSets()...),
	Adjudicate: func(rules string) (func(engine.Position) engine.Result, error) {
		set, err := xiangqi.ParseRuleSet(rules)
		return set.Adjudicate, err
	},
	Judge:   judgeXiangqi,
	Endings: func(dir string) EndingTables { return EndingTables{endings.Open(dir)} },

	Pieces:  xiangqiPieces,
	Letters: "RNBAKCPrnbakcp",
	Captures: func(p engine.Position, m engine.Move) bool {
		return xiangqiOf(p).At(xiangqi.Move(m).To()) != xiangqi.Empty
	},
	Attackers:   xiangqiAttackers,
	Mirror:      func(p engine.Position) (engine.Position, error) { return xiangqiOf(p).Mirrored(), nil },
	Swap:        func(p engine.Position) (engine.Position, error) { return xiangqiOf(p).Swapped(), nil },
	InCheck:     func(p engine.Position) bool { return xiangqiOf(p).InCheck() },
	GivesCheck:  func(p engine.Position, m engine.Move) bool { return xiangqiOf(p).Board().GivesCheck(xiangqi.Move(m)) },
	Reasons:     xiangqiReasons,
	MoveNumber:  func(p engine.Position) int { return xiangqiOf(p).MoveNumber() },
	QuietPlies:  func(p engine.Position) int { return xiangqiOf(p).QuietPlies() },
	Occurrences: func(p engine.Position) int { return xiangqiOf(p).Board().Occurrences() + 1 },
	Material:    xiangqiMaterial,
	Pattern:     xiangqiPattern,

	Endgame: func(p engine.Position) bool {
		attackers := 0
		for _, kind := range []xiangqi.Kind{xiangqi.Rook, xiangqi.Cannon, xiangqi.Horse} {
			for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
				attackers += xiangqiOf(p).Board().Pieces(side, kind).Count()
			}
		}
		return attackers <= 5 // of 12
	},

	ForcedWin:     "mate",
	HandOver:      handOver(" ", 1, "w", "b"),
	EngineOptions: xiangqiOptions,
	Engine:        xiangqiEngine,
}

// xiangqiOf returns a position in its own type.
func xiangqiOf(p engine.Position) *xiangqi.Position { return p.(*xiangqi.Position) }

// coordinateNames returns the names of all moves from a point to a point.
func coordinateNames() []string {
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

var xiangqiBoard = &Board{
	Look:  func(engine.Game) *render.Look { return drawing.Look() },
	Items: func(p engine.Position) []render.Item { return drawing.Items(xiangqiOf(p)) },
	Ends: func(p engine.Position, text string) ([]string, error) {
		m, err := xiangqi.ParseMove(text) // any two points are valid, whatever is on them
		if err != nil {
			m, err = notation.Parse(xiangqiOf(p).Board(), text)
		}
		return []string{m.From().String(), m.To().String()}, err
	},
	Point: func(_ engine.Position, text string) (string, error) {
		sq, err := xiangqi.ParseSquare(text)
		return sq.String(), err
	},
	Rules: func(engine.Game) string { return drawing.Rules },
}

// The styles of boards of text: the diagram of the QHPLUGIN specification, the default; a line a rank with
// the letters of a FEN; and "chinese", with hanzi.
const (
	styleDiagram = "ascii"
	styleLetters = "letters"
)

func drawXiangqi(p engine.Position, l TextOptions) string {
	o := xiangqiBoard.textOptions(p, l)
	if cmp.Or(l.Style, styleDiagram) == styleDiagram {
		return drawing.Diagram(xiangqiOf(p), o)
	}
	o.Letters = l.Style == styleLetters
	return drawing.Look().Text(drawing.Items(xiangqiOf(p)), o)
}

// names returns the names of values.
func names[S fmt.Stringer](all ...S) []string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = s.String()
	}
	return words
}

func judgeXiangqi(p engine.Position, rules string) (Ruling, error) {
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

func xiangqiReasons(j Judged) (reasons []Reason) {
	m := reason.Move{
		Before: xiangqiOf(j.Before), Played: xiangqi.Move(j.Move), Bad: j.Bad, Best: xiangqi.Move(j.Best.Move()),
		BestScore: j.Best.Score, ReplyScore: j.Reply.Score, Known: j.Known,
	}
	if len(j.Reply.Moves) > 0 {
		m.Reply = xiangqi.Move(j.Reply.Move())
	}
	for _, r := range reason.Of(m) {
		reasons = append(reasons, Reason{string(r.Kind), r.English, r.Chinese})
	}
	return reasons
}

// xiangqiPieces returns the pieces from the top left, as in a FEN.
func xiangqiPieces(p engine.Position) (all []Piece) {
	pos := xiangqiOf(p)
	for rank := 9; rank >= 0; rank-- {
		for file := range 9 {
			sq := xiangqi.Square(rank*9 + file)
			piece := pos.At(sq)
			if piece == xiangqi.Empty {
				continue
			}
			all = append(all, Piece{sq.String(), piece.Letter(), piece.Kind().String(), piece.Side().Turn()})
		}
	}
	return all
}

func xiangqiAttackers(p engine.Position, side engine.Turn, point string) (found []string, err error) {
	sq, err := xiangqi.ParseSquare(point)
	if err != nil {
		return nil, err
	}
	b := xiangqiOf(p).Board()
	for from := range b.Attackers(xiangqi.Side(side), sq, b.Occupied()).All() {
		found = append(found, from.String())
	}
	return found, nil
}

func xiangqiStatus(p engine.Position) string {
	pos := xiangqiOf(p)
	switch result := pos.Result(); {
	case result.Over():
		return fmt.Sprintf("%v is to move and has lost by %s", pos.Side(), result.Reason)
	case pos.InCheck():
		return fmt.Sprintf("%v to move, in check", pos.Side())
	}
	return fmt.Sprintf("%v to move", pos.Side())
}
