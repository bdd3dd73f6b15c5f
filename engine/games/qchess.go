package games

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/qchess"
	qchessrecord "qhsh/engine/qchess/record"
	"qhsh/engine/qchess/search"
	"qhsh/engine/render"
)

var qchessRow = &Row{
	Game:    qchess.Rules,
	Heading: "Quantum chess", Summary: "quantum chess: positions, agents, matches",
	PositionText: `w or b to move, White's 16 pieces and Black's, the back row and then the
             pawns by columns, as they stood at the start, and the selected piece's square
             or -. A piece is its first kind, its second kind or ?, 0 or 1 if it has taken
             one of them, and its square: r?@07, rn1@24; a captured one is -`,
	Words: map[string]map[string]string{chinese: {
		"white": "白方", "black": "黑方", "king captured": "王被吃", "lone kings": "双方只剩王", strings.ToLower(qchess.Rules.Name()): "量子国际象棋",
		"first kind, 50 %": "第一种 50%", "second kind, 50 %": "第二种 50%",
		"pawn": "兵", "rook": "车", "knight": "马", "bishop": "象", "queen": "后", "king": "王",
	}},
	Samples: func(engine.Game) []engine.Position { return positions(qchess.Samples()) },
	Records: qchessrecord.Records,
	Aliases: []string{"quantum chess"},
	// well above the games of agents that make progress: those of the server that we have seen end
	// within some 300 selections and moves of both sides
	MoveLimit: 500,

	Styles: []string{"ascii", "short"}, // short is without the chances
	Draw:   drawQChess,
	Board:  qchessPicture,
	Status: qchessStatus,
	Kinds:  qchessKinds,

	EngineOptions: func() []Option {
		return []Option{
			{Name: "agent", Help: "how it plays: search, which looks ahead, or ply, which looks at one turn", Words: []string{string(search.Search), string(search.Ply)}, Default: string(search.Search)},
			{Name: "seed", Help: "decides between moves that are worth nearly the same", Default: "0"},
		}
	},
	Engine: func(_ engine.Game, settings []Setting) (Engine, error) {
		var o search.Options
		for _, s := range settings {
			if s.Key == "agent" {
				o.Agent = search.Agent(s.Value)
				continue
			}
			var err error
			if o.Seed, err = s.Number(); err != nil {
				return Engine{}, err
			}
		}
		_, err := search.New(o)
		return Engine{New: func() (engine.Searcher, error) { return search.New(o) }, Threads: 1}, err
	},
}

// qchessBoard returns the board of a position of the game.
func qchessBoard(p engine.Position) *qchess.Board {
	board := p.(*qchess.Position).Board()
	return &board
}

var qchessPicture = &Board{
	Look:  func(engine.Game) *render.Look { return qchess.Look() },
	Items: func(p engine.Position) []render.Item { return qchessBoard(p).Items() },
	More:  func(p engine.Position) []render.Item { return qchessBoard(p).ChanceItems() },
	Ends: func(_ engine.Position, move string) (points []string, err error) {
		step, err := qchess.ParseMovement(move)
		for _, at := range step.Squares() {
			points = append(points, at.String())
		}
		return points, err
	},
	Point: func(_ engine.Position, text string) (string, error) {
		at, err := qchess.ParseSquare(text)
		return at.String(), err
	},
	Rules: func(engine.Game) string { return qchess.ScriptRules },
}

func drawQChess(p engine.Position, l TextOptions) string {
	o := qchessPicture.textOptions(p, l)
	if selected, ok := qchessBoard(p).Selected(); ok && l.Last { // since the last move
		o.Last = []string{selected.At.String()}
	}
	o.Last, o.Targets = append(o.Last, o.Targets...), nil // there is one mark for both
	return qchessBoard(p).Diagram(o, l.Style != "short")
}

// qchessKinds returns the pieces by rows from the top left.
func qchessKinds(p engine.Position) (all []PieceKinds) {
	board := qchessBoard(p).View()
	for at := range qchess.Square(64) {
		p, side, ok := board.PieceAt(at)
		if !ok {
			continue
		}
		one := PieceKinds{Point: at.String(), Side: side, Now: kindName(p.Kind())}
		for _, k := range p.Kinds {
			one.Kinds = append(one.Kinds, kindName(k))
		}
		for _, o := range board.OutcomesAt(at) {
			kind := kindName(o.Kind)
			if i := slices.IndexFunc(one.Odds, func(k KindOdds) bool { return k.Kind == kind }); i >= 0 {
				one.Odds[i].Odds += o.Odds
			} else {
				one.Odds = append(one.Odds, KindOdds{kind, o.Odds})
			}
		}
		all = append(all, one)
	}
	return all
}

// kindName returns the name of a kind, or "" if it is unknown.
func kindName(k qchess.Kind) string {
	if k == qchess.Unknown {
		return ""
	}
	return k.String()
}

// qchessStatus says what the side to move has to do.
func qchessStatus(p engine.Position) string {
	if p.Result().Over() {
		return status(p)
	}
	board := qchessBoard(p)
	side := qchess.ColourName(board.Turn())
	piece, selected := board.Selected()
	switch {
	case !selected:
		return side + " to select"
	case board.OutcomePending():
		return fmt.Sprintf("chance to tell what %s's piece on %v is", side, piece.At)
	}
	return fmt.Sprintf("%s to move the %v on %v", side, piece.Kind(), piece.At)
}
