package annotate

import (
	"io"
	"math"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/explore"
)

// A jsonGame is an annotated game as a line of JSON. Scores of moves are for the mover, those of
// outcomes of chance for First, scores of best moves for the side that could have played them. Chances are from 0 to 1.
type jsonGame struct {
	File   string            `json:"file,omitempty"`
	Game   int               `json:"game,omitempty"`
	Tags   map[string]string `json:"tags,omitempty"`
	FEN    string            `json:"fen"`
	Result string            `json:"result"`
	Engine string            `json:"engine"`
	Level  *int              `json:"level,omitempty"`
	Limits batch.Limits      `json:"limits,omitzero"`
	Deeper batch.Limits      `json:"deeper,omitzero"` // of the second look
	Book   *jsonBook         `json:"book,omitempty"`
	Moves  []jsonMove        `json:"moves"`
	Over   string            `json:"over,omitempty"`
	Sides  map[string]tally  `json:"sides"`
}

// A jsonBook is what the book knows of the game.
type jsonBook struct {
	Plies   int                  `json:"plies"` // that stand in it
	Novelty *explore.NoveltyJSON `json:"novelty,omitempty"`
}

type jsonMove struct {
	Move string `json:"move"`
	engine.ScoreJSON
	Win     *float64       `json:"win,omitempty"`
	Book    bool           `json:"book,omitempty"`
	Class   string         `json:"class,omitempty"`
	Loss    *float64       `json:"loss,omitempty"`
	Luck    *float64       `json:"luck,omitempty"` // of an outcome of chance: how much win is more than before it
	Best    *jsonBest      `json:"best,omitempty"`
	Reasons []games.Reason `json:"reasons,omitempty"`
	Error   string         `json:"error,omitempty"`
}

// A jsonBest is the engine's choice.
type jsonBest struct {
	Move string `json:"move"`
	engine.ScoreJSON
	Depth int      `json:"depth,omitempty"`
	Nodes int64    `json:"nodes,omitempty"`
	PV    []string `json:"pv"`
}

// A GameID identifies a game.
type GameID struct {
	File   string // empty if there is only one file
	Number int    // in its file, from 1; 0: not written
}

// JSON writes the game as one line, with moves in the given notation. A move's error is that of the
// position after it.
func (a *Annotated) JSON(w io.Writer, at GameID, notation string) error {
	g := a.Game
	j := jsonGame{
		File: at.File, Game: at.Number, Tags: map[string]string{}, FEN: g.Start.String(), Result: a.Options.Games.PGN(g.Start.Game()).FormatResult(g.Result),
		Engine: a.Engine, Level: a.Limits.OptionalLevel(), Limits: a.Limits, Deeper: a.Deeper, Moves: []jsonMove{}, Sides: map[string]tally{},
	}
	if a.Options.Book != nil {
		j.Book = &jsonBook{Plies: a.Opening.Plies}
	}
	if a.Opening.Novelty != nil {
		novelty := a.noveltyJSON(notation)
		j.Book.Novelty = &novelty
	}
	for _, tag := range g.Tags {
		j.Tags[tag.Name] = tag.Value
	}
	for i := range a.Plies[1:] {
		j.Moves = append(j.Moves, a.jsonMove(i+1, notation))
	}
	if last := a.Plies[len(a.Plies)-1]; last.Over.Over() {
		j.Over = last.Over.Reason
	}
	for _, side := range sides {
		j.Sides[engine.SideName(g.Start.Game(), side)] = a.tally(side)
	}
	return format.JSONLine(w, j)
}

// sides are the sides that choose moves.
var sides = []engine.Turn{engine.First, engine.Second}

func (a *Annotated) jsonMove(ply int, notation string) jsonMove {
	before, p := &a.Plies[ply-1], &a.Plies[ply]
	names := a.Options.Games.MoveNames
	m := jsonMove{
		Move: names(before.Pos, []engine.Move{p.Move}, notation)[0], ScoreJSON: p.scoreOf(p.By).JSON(), Win: rounded(a.chanceOf(p, p.By)),
		Book: p.Book, Class: p.Class.String(), Loss: rounded(p.Loss, p.Class != Unjudged), Reasons: p.Reasons,
	}
	if from, to, ok := a.luck(ply); ok {
		m.Luck = rounded(to-from, true)
	}
	if len(before.Line) > 0 {
		pv := names(before.Pos, before.Line, notation)
		m.Best = &jsonBest{Move: pv[0], ScoreJSON: before.Score.JSON(), Depth: before.Depth, Nodes: before.Nodes, PV: pv}
	}
	if p.Err != nil {
		m.Error = p.Err.Error()
	}
	return m
}

// rounded returns a chance by Round, or nil if it is not known.
func rounded(chance float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	chance = Round(chance)
	return &chance
}

// Round rounds to four digits, so that all machines write the same.
func Round(chance float64) float64 { return math.Round(chance*1e4) / 1e4 }
