// Package mcpserver lets an assistant use qhsh by the Model Context Protocol (https://modelcontextprotocol.io): its tools
// are what the commands of the same names do, and its resources are the pages of the help.
//
// The client chooses positions, games and limits within bounds, never a program or a path: the engine, and the database
// of explore, are those of the command line. An error of a tool is an answer to the assistant, in the words that a
// person reads, so that it can do better; it ends nothing.
package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/engine/render/raster"
	"qhsh/pluginclient/protocol/jsonl"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/explore"
	"qhsh/pluginclient/task/puzzle"
	"qhsh/pluginclient/task/records"
)

// Bounds of what a client may ask for.
const (
	maxNodes = 10_000_000
	maxTime  = 60 * time.Second
	maxLines = 10
	maxPlies = 400 // of a game that is annotated
	maxText  = 1 << 20

	pictureWidth = 600 // pixels
	puzzleScan   = 4   // levels of an engine with ten
	puzzleProve  = 6
)

// Options are what the tools use.
type Options struct {
	Version string
	Games   games.Table
	Game    engine.Game // of all positions
	Pool    *batch.Pool // asks the engine, within its limits if a client gives none
	Known   engine.Known
	DB      *explore.DB // of explore; nil: there is no such tool
	Pages   []Page
}

// A Page is a page of the help.
type Page struct{ Name, Summary, Text string }

// A place is a position as a client names it.
type place struct {
	FEN   string   `json:"fen,omitempty" jsonschema:"the position; without it the start of a game"`
	Moves []string `json:"moves,omitempty" jsonschema:"moves from there, in any notation of the game"`
}

// New returns a server with the tools.
func New(o Options) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "qhsh", Version: o.Version}, &mcp.ServerOptions{
		Instructions: "Positions and games of " + engine.Title(o.Game) + ". Do not guess what is legal or good: position and analyze know. Scores are in centipawns for the side to move.",
	})
	add(s, "position", "The legal moves of a position, whether the game is over, who wins if that is known exactly, and a board of text.", o.position)
	mcp.AddTool(s, &mcp.Tool{Name: "draw", Description: "A picture of a position, PNG, with arrows."}, o.draw)
	add(s, "analyze", "The best moves of a position with scores and lines, by an engine.", o.analyze)
	if games.HasRuleSets(o.Games.Row(o.Game)) {
		add(s, "judge", "What the rules say of a position after moves that repeat: who checks or chases, and who must deviate.", o.judge)
	}
	add(s, "puzzle", "Whether exactly one move of a position wins, and the solution up to the end, by an engine.", o.puzzle)
	add(s, "annotate", "The mistakes of a game, and what was better, by an engine.", o.annotate)
	if o.DB != nil {
		add(s, "explore", "What was played in a position, with results, in a database of games.", o.explore)
	}
	for _, page := range o.Pages {
		uri := "qhsh://help/" + page.Name
		s.AddResource(&mcp.Resource{URI: uri, Name: page.Name, Description: page.Summary, MIMEType: "text/plain"},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: page.Text}}}, nil
			})
	}
	return s
}

// add adds a tool whose answer is a text.
func add[In any](s *mcp.Server, name, description string, run func(context.Context, In) (string, error)) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: description}, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		text, err := run(ctx, in)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
}

// toText returns a value as JSON.
func toText(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

// find returns the position of a place.
func (o Options) find(p place) (engine.Position, error) {
	if len(p.FEN) > maxText || len(p.Moves) > maxText {
		return nil, errors.New("too long")
	}
	text := p.FEN
	if text == "" {
		text = "startpos"
	}
	item := batch.Record{Text: text, Moves: p.Moves}.Item(o.Games.AnyNotation(o.Game))
	return item.Pos, item.Err
}

func (o Options) position(_ context.Context, p place) (string, error) {
	pos, err := o.find(p)
	if err != nil {
		return "", err
	}
	return toText(struct {
		*jsonl.State
		Ending *engine.Ending `json:"ending,omitempty"`
	}{jsonl.StateOf(pos, o.Games.Draw(pos, games.TextOptions{}), ""), o.Known.Ending(pos)})
}

type drawing struct {
	place
	Arrows []string `json:"arrows,omitempty" jsonschema:"moves to show as arrows"`
	Flip   bool     `json:"flip,omitempty" jsonschema:"show the second side at the bottom"`
}

func (o Options) draw(_ context.Context, _ *mcp.CallToolRequest, d drawing) (*mcp.CallToolResult, any, error) {
	pos, err := o.find(d.place)
	if err != nil {
		return nil, nil, err
	}
	svg, err := o.Games.SVG(pos, games.ImageOptions{Arrows: d.Arrows, Flip: d.Flip})
	var png bytes.Buffer
	if err == nil {
		err = raster.PNG(&png, svg, pictureWidth)
	}
	if err != nil {
		return nil, nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: png.Bytes(), MIMEType: "image/png"}}}, nil, nil
}

func (o Options) puzzle(ctx context.Context, p place) (string, error) {
	pos, err := o.find(p)
	if err != nil {
		return "", err
	}
	composer := puzzle.Composer{Engine: o.Pool, Options: puzzle.Options{
		Levels: o.Pool.Info().Levels, Scan: puzzleScan, Prove: puzzleProve, Thresholds: puzzle.DefaultThresholds(), Min: 1, Known: o.Known,
	}}
	found, err := composer.Compose(ctx, pos)
	if err != nil {
		return "", err
	}
	if found == nil {
		return "no: no move wins, or several do", nil
	}
	return toText(struct {
		*puzzle.Puzzle
		Solution batch.HintJSON `json:"solution"`
		Other    batch.HintJSON `json:"other"`
	}{found, found.Solution.JSON(), found.Other.JSON()})
}

type analysis struct {
	place
	Lines int   `json:"lines,omitempty" jsonschema:"how many moves, 1 to 10; without it 3"`
	Level int   `json:"level,omitempty" jsonschema:"level of the engine; a stronger one takes longer"`
	Nodes int64 `json:"nodes,omitempty" jsonschema:"nodes of the search, at most 10,000,000"`
	Time  int64 `json:"time,omitempty" jsonschema:"milliseconds of the search, at most 60,000"`
}

func (o Options) analyze(ctx context.Context, a analysis) (string, error) {
	pos, err := o.find(a.place)
	if err != nil {
		return "", err
	}
	lim := o.Pool.Limits
	if a.Level != 0 || a.Nodes != 0 || a.Time != 0 {
		lim = engine.Limits{Level: a.Level, Nodes: a.Nodes, Time: time.Duration(a.Time) * time.Millisecond}
	}
	if lim.Lines = a.Lines; a.Lines == 0 {
		lim.Lines = 3
	}
	switch {
	case lim.Lines < 1 || lim.Lines > maxLines:
		return "", fmt.Errorf("lines: want 1 to %d", maxLines)
	case a.Nodes < 0 || a.Nodes > maxNodes:
		return "", fmt.Errorf("nodes: want 1 to %d", maxNodes)
	case a.Time < 0 || lim.Time > maxTime:
		return "", fmt.Errorf("time: want 1 to %d", maxTime.Milliseconds())
	case pos.Result().Over():
		return "", fmt.Errorf("the game is over: %s", pos.Result().Why())
	}
	// A level may take long: no search is longer than maxTime.
	ctx, cancel := context.WithTimeoutCause(ctx, maxTime+time.Second, fmt.Errorf("the search took longer than %v: want a lower level", maxTime))
	defer cancel()
	reply, err := o.Pool.Query(ctx, batch.Query{Pos: pos, Limits: lim})
	if err == nil {
		err = reply.Err
	}
	if err != nil {
		return "", err
	}
	hints := make([]batch.HintJSON, len(reply.Hints))
	for i, h := range reply.Hints {
		hints[i] = h.JSON()
	}
	return toText(struct {
		Engine string           `json:"engine"`
		Limits batch.Limits     `json:"limits"`
		Hints  []batch.HintJSON `json:"hints"`
		Ending *engine.Ending   `json:"ending,omitempty"`
	}{reply.Engine, reply.Limits, hints, o.Known.Ending(pos)})
}

type judgement struct {
	place
	Rules string `json:"rules,omitempty" jsonschema:"asian, wxf, chinese or computer; without it asian"`
}

func (o Options) judge(_ context.Context, j judgement) (string, error) {
	pos, err := o.find(j.place)
	if err != nil {
		return "", err
	}
	row := o.Games.Row(o.Game)
	if j.Rules == "" {
		j.Rules = row.RuleSets[0]
	}
	ruling, err := row.Judge(pos, j.Rules)
	if err != nil {
		return "", err
	}
	return ruling.Text + records.KnownLine(records.Referee{Known: o.Known}.EndingOf(pos, ruling)), nil
}

type playedGame struct {
	Game string `json:"game" jsonschema:"the text of the record, such as PGN, or moves alone"`
}

func (o Options) annotate(ctx context.Context, p playedGame) (string, error) {
	if len(p.Game) > maxText {
		return "", errors.New("the game is too long")
	}
	var game *record.Game
	for g, err := range o.Games.Records(o.Game).Read(strings.NewReader(p.Game), "game") {
		switch {
		case err != nil:
			return "", err
		case game != nil:
			return "", errors.New("want one game, there are several")
		}
		game = g
	}
	switch {
	case game == nil:
		return "", errors.New("no game: want PGN, or moves such as 1. h2e2 h9g7")
	case game.Plies() > maxPlies:
		return "", fmt.Errorf("%d plies: want %d at most", game.Plies(), maxPlies)
	}
	annotated, err := annotate.Game(ctx, o.Pool, game, annotate.Options{Games: o.Games, Known: o.Known, Deeper: o.Pool.Deeper()})
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	err = annotated.JSON(&text, annotate.GameID{Number: 1}, "")
	return text.String(), err
}

func (o Options) explore(ctx context.Context, p place) (string, error) {
	pos, err := o.find(p)
	if err != nil {
		return "", err
	}
	report, err := o.DB.Query(ctx, pos, explore.Filter{})
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	err = explore.WriteJSON(&text, report, explore.WriteOptions{})
	return text.String(), err
}
