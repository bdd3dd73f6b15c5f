package games

import (
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/qchess"
	qchessrecord "qhsh/engine/qchess/record"
	qchesssearch "qhsh/engine/qchess/search"
	"qhsh/engine/record"
)

var _ interface {
	Sampler
	TextDrawer
	SVGDrawer
	ScriptDrawer
	PositionDescriber
	Documented
	Player
	Recorder
	Aliased
	StatusReporter
	Translator
	KindLister
} = qchessRow{}

type qchessRow struct{}

func (qchessRow) Section() (heading, summary string) {
	return "Quantum chess", "quantum chess: positions, agents, matches"
}

func (qchessRow) Game() engine.Game { return qchess.Rules }

func (qchessRow) PositionText() string {
	return `w or b to move, White's 16 pieces and Black's, the back row and then the
             pawns by columns, as they stood at the start, and the selected piece's square
             or -. A piece is its first kind, its second kind or ?, 0 or 1 if it has taken
             one of them, and its square: r?@07, rn1@24; a captured one is -`
}

func (qchessRow) Samples(engine.Game) (all []engine.Position) {
	for _, p := range qchess.Samples() {
		all = append(all, p)
	}
	return all
}

func (qchessRow) Aliases() []string { return []string{"quantum chess"} }

func (qchessRow) Records() *record.Library { return qchessrecord.Records }

// Styles returns the only one, so that a board can be flipped.
func (qchessRow) Styles() []string { return []string{"ascii"} }

func (qchessRow) Draw(p engine.Position, l TextOptions) string {
	pos, ok := p.(*qchess.Position)
	if !ok {
		return p.String() + "\n"
	}
	look := qchess.DiagramOptions{Flip: l.Flip, Color: l.Color}
	if l.Last {
		look.Marks = lastSquares(pos)
	}
	for _, m := range l.Targets {
		look.Marks = append(look.Marks, qchess.Step(m).Square())
	}
	board := pos.Board()
	return board.Diagram(look)
}

// MoveLimit is well above the games of agents that make progress: those of the server that
// we have seen end within some 300 selections and moves of both sides.
func (qchessRow) MoveLimit() int { return 500 }

// lastSquares are those of the last move, or of the selection since.
func lastSquares(pos *qchess.Position) (squares []qchess.Square) {
	board := pos.Board()
	if p, ok := board.Selected(); ok {
		return []qchess.Square{p.At}
	}
	if _, last := pos.Undo(); last != engine.NoMove {
		return qchess.Step(last).Squares()
	}
	return nil
}

func (qchessRow) SVG(p engine.Position, pic ImageOptions) (string, error) {
	pos, ok := p.(*qchess.Position)
	if !ok {
		return "", engine.OtherGame(p, qchess.Rules)
	}
	picture := qchess.SVGOptions{Flip: pic.Flip, Last: lastSquares(pos), Width: pic.Width}
	if pic.Last != "" {
		s, err := qchess.ParseMovement(pic.Last)
		if err != nil {
			return "", fmt.Errorf("last: %w", err)
		}
		picture.Last = s.Squares()
	}
	for _, text := range pic.Arrows {
		s, err := qchess.ParseMovement(text)
		if err != nil {
			return "", fmt.Errorf("arrows: %w", err)
		}
		picture.Arrows = append(picture.Arrows, [2]qchess.Square(s.Squares()))
	}
	for _, text := range pic.Marks {
		at, err := qchess.ParseSquare(text)
		if err != nil {
			return "", fmt.Errorf("marks: %w", err)
		}
		picture.Marks = append(picture.Marks, at)
	}
	board := pos.Board()
	return board.SVG(picture), nil
}

// Kinds returns the pieces by rows from the top left.
func (qchessRow) Kinds(p engine.Position) (all []PieceKinds) {
	pos, ok := p.(*qchess.Position)
	if !ok {
		return nil
	}
	board := pos.Board()
	board = board.View()
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
			one.add(kindName(o.Kind), o.Odds)
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

func (qchessRow) Script(engine.Game) string { return qchess.Script() }

// Status says what the side to move has to do.
func (qchessRow) Status(p engine.Position) string {
	pos, ok := p.(*qchess.Position)
	result := p.Result()
	switch {
	case result.Outcome == engine.Draw:
		return "a draw by " + result.Reason
	case result.Over():
		winner := qchess.White
		if result.Outcome == engine.SecondWins {
			winner = qchess.Black
		}
		return qchess.ColourName(winner) + " has won: " + result.Reason
	case !ok:
		return ""
	}
	board := pos.Board()
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

// Notation is none: moves are written alike in all languages.
func (qchessRow) Notation(string) string { return "" }

func (qchessRow) Words(language string) map[string]string {
	if language != chinese {
		return nil
	}
	return map[string]string{
		"white": "白方", "black": "黑方", "king captured": "王被吃", "lone kings": "双方只剩王", strings.ToLower(qchess.Rules.Name()): "量子国际象棋",
		"first kind, 50 %": "第一种 50%", "second kind, 50 %": "第二种 50%",
		"pawn": "兵", "rook": "车", "knight": "马", "bishop": "象", "queen": "后", "king": "王",
	}
}

func (qchessRow) EngineOptions() []EngineOption {
	return []EngineOption{
		{Name: "agent", Help: "how it plays: search, which looks ahead, or ply, which looks at one turn", Words: []string{string(qchesssearch.Search), string(qchesssearch.Ply)}},
		{Name: "seed", Help: "decides between moves that are worth nearly the same"},
	}
}

func (qchessRow) Engine(_ engine.Game, settings []Setting) (Engine, error) {
	var o qchesssearch.Options
	for _, s := range settings {
		var err error
		switch s.Key {
		case "agent":
			o.Agent = qchesssearch.Agent(s.Value)
		case "seed":
			o.Seed, err = s.Number()
		}
		if err != nil {
			return Engine{}, err
		}
	}
	_, err := qchesssearch.New(o)
	return Engine{New: func() (engine.Searcher, error) { return qchesssearch.New(o) }, Threads: 1}, err
}
