// Package jsonl is a protocol for any program and any game: every request and every answer is an object of
// JSON on a line. The requests are those of 'qhsh analyze', which is therefore such an engine, and whose
// schema.json describes them:
//
//	{"id":1,"action":"versions"}                   {"id":1,"engines":[{"name":"nimble"}]}
//	{"id":2,"fen":"7","moves":["2"],"lines":2,     {"id":2,"hints":[{"move":"1","cp":30},{"move":"3"}]}
//	  "limits":{"time":1000},"ban":["2"]}
//	{"id":3,"action":"terminate","ids":[2]}        2 is answered with the best so far
//	{"id":4,"action":"state","fen":"7",            {"id":4,"state":{"fen":"5","turn":"second",
//	  "moves":["2"]}                                 "moves":["1","2","3"],"board":"OOOOO"}}
//
// The protocol is stateless: a request has the whole position, so an engine keeps nothing, and one that was
// lost is started again without a word. An engine answers every request once, in any order. An answer with
// "final":false is followed by others. An action that an engine does not know is answered with an "error"
// like everything that it cannot do; only "state", for a program that knows the rules of a game, and
// searches matter. The end of the input is the end of the engine.
//
// [Client] is the Session of such an engine; everything that belongs to a conversation, such as the board,
// is kept on this side. [Game] is a game whose rules are known to a program alone, its referee.
package jsonl

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

// Protocol is the protocol's name.
const Protocol = "JSONL"

// The actions that a client asks for.
const (
	ActionVersions  = "versions"
	ActionTerminate = "terminate" // answer requests with the best so far
	ActionCancel    = "cancel"    // give requests up
	ActionState     = "state"     // the State after moves
)

// A Request is a line to an engine: a search, or an action.
type Request struct {
	ID     int      `json:"id"`
	Action string   `json:"action,omitempty"`
	IDs    []int    `json:"ids,omitempty"` // of terminate and cancel
	FEN    string   `json:"fen,omitempty"` // "" is the start of the game
	Moves  []string `json:"moves,omitempty"`
	Limits Limits   `json:"limits,omitzero"`
	Lines  int      `json:"lines,omitempty"`
	Ban    []string `json:"ban,omitempty"`
}

// Limits are those of a search, the time in milliseconds.
type Limits struct {
	Level int   `json:"level,omitempty"`
	Nodes int64 `json:"nodes,omitempty"`
	Depth int   `json:"depth,omitempty"`
	Time  int64 `json:"time,omitempty"`
}

// NewSearch returns the Request of a search.
func NewSearch(pos engine.Position, lim engine.Limits) Request {
	start, moves := pos.History()
	return Request{
		FEN: start.String(), Moves: engine.FormatMoves(start, moves), Lines: lim.Lines,
		Limits: Limits{lim.Level, lim.Nodes, lim.Depth, lim.Time.Milliseconds()},
		Ban:    engine.FormatEach(pos, lim.Ban),
	}
}

// Encode returns a request as a line.
func (r Request) Encode() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // nothing in it can fail
	}
	return string(text)
}

// An Answer is a line of an engine. Keys that are not here are passed over.
type Answer struct {
	ID        *int   `json:"id"`
	Final     *bool  `json:"final"` // absent: true
	Error     string `json:"error"`
	Hints     []Hint `json:"hints"`
	Over      string `json:"over"` // how the game has ended
	Cancelled bool   `json:"cancelled"`
	State     *State `json:"state"`
	Engines   []struct {
		Name   string `json:"name"`
		Levels []struct {
			Level int    `json:"level"`
			Text  string `json:"text"`
		} `json:"levels"`
	} `json:"engines"`
}

// A Hint is a line of play.
type Hint struct {
	Move string `json:"move"`
	engine.ScoreJSON
	Depth int   `json:"depth,omitempty"`
	Nodes int64 `json:"nodes,omitempty"`
	engine.Details
	PV   []string `json:"pv"` // move and what is expected to follow; absent: not known
	Text string   `json:"text,omitempty"`
}

// ParseAnswer parses an engine's line.
func ParseAnswer(line string) (a Answer, err error) {
	err = json.Unmarshal([]byte(line), &a)
	switch {
	case err != nil && !strings.HasPrefix(strings.TrimSpace(line), "{"):
		err = fmt.Errorf("%w: %q is not an object of JSON", pluginclient.ErrInvalidReply, pluginclient.Excerpt(line))
	case err != nil:
		err = fmt.Errorf("%w: %q: %w", pluginclient.ErrInvalidReply, pluginclient.Excerpt(line), printable.JSONError(err))
	case a.ID == nil && a.Error != "":
		err = fmt.Errorf("%w: %s", pluginclient.ErrRefused, pluginclient.Excerpt(a.Error))
	case a.ID == nil:
		err = fmt.Errorf("%w: %q has no id, a number", pluginclient.ErrInvalidReply, pluginclient.Excerpt(line))
	}
	return a, err
}

// IsFinal reports whether nothing follows an answer.
func (a Answer) IsFinal() bool { return a.Final == nil || *a.Final }

// Lines returns what a search has found. A line is cut at its first move that is not legal, of which bad
// is told, unless it is the move to play: then it is an error that wraps ErrIllegal.
func (a Answer) Lines(pos engine.Position, lim engine.Limits, bad func(move string)) (lines []engine.Line, err error) {
	switch {
	case a.Cancelled:
		return nil, fmt.Errorf("%w: cancelled", pluginclient.ErrRefused)
	case len(a.Hints) == 0 && a.Over != "":
		return nil, fmt.Errorf("%w: the game is over, by %q", pluginclient.ErrInvalidReply, pluginclient.Excerpt(a.Over))
	case len(a.Hints) == 0:
		return nil, fmt.Errorf("%w: no hints", pluginclient.ErrInvalidReply)
	}
	for _, h := range a.Hints[:min(len(a.Hints), max(lim.Lines, 1))] {
		l := engine.Line{Score: h.Score(), Depth: h.Depth, Nodes: h.Nodes, Text: h.Text, Details: h.Details}
		if l.WDL.Check() != nil {
			l.WDL = engine.WDL{}
		}
		if len(h.PV) == 0 || h.PV[0] != h.Move {
			h.PV = []string{h.Move}
		}
		var err error
		l.Moves, _, err = engine.ReadMoves(pos, h.PV)
		switch {
		case err != nil && len(l.Moves) == 0:
			return nil, fmt.Errorf("%w: %w", pluginclient.ErrIllegal, err)
		case err != nil:
			bad(h.PV[len(l.Moves)])
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// A State is a position with all that its rules say, in JSON.
type State struct {
	FEN    string    `json:"fen"`              // its own text, which leads to it again, apart from its history
	Turn   string    `json:"turn"`             // first, second or chance
	Moves  []string  `json:"moves,omitempty"`  // the legal ones, each a word; none if the game is over
	Odds   []float64 `json:"odds,omitempty"`   // of the moves of chance, in their order
	Result string    `json:"result,omitempty"` // 1-0 if the first side has won, 0-1 or 1/2-1/2; "" if it goes on
	Over   string    `json:"over,omitempty"`   // in a word or two, why it has ended
	Board  string    `json:"board,omitempty"`  // a picture in lines of text
	SVG    string    `json:"svg,omitempty"`    // a picture as SVG
}

var results = map[engine.Outcome]string{engine.FirstWins: "1-0", engine.SecondWins: "0-1", engine.Draw: "1/2-1/2"}

// StateOf returns the State of a position, with its board as text and as SVG.
func StateOf(pos engine.Position, board, svg string) *State {
	s := &State{FEN: pos.String(), Turn: pos.Turn().String(), Moves: engine.FormatEach(pos, pos.Moves()), Board: board, SVG: svg}
	if result := pos.Result(); result.Over() {
		s.Result, s.Over = results[result.Outcome], result.Reason
	}
	if odds, ok := pos.(engine.Odds); ok && pos.Turn() == engine.Chance {
		for _, m := range pos.Moves() {
			s.Odds = append(s.Odds, odds.Odds(m))
		}
	}
	return s
}

// maxBoard is the length of the longest picture in bytes.
const maxBoard = 1 << 18

// Check returns what is wrong with a State that a program has sent.
func (s *State) Check() error {
	if s == nil {
		return errors.New("there is no state")
	}
	if s.FEN == "" || s.FEN != strings.TrimSpace(s.FEN) || printable.Line(s.FEN) != s.FEN || strings.Contains(s.FEN, " moves ") {
		return fmt.Errorf("fen is %s: want a text on one line without the word moves", engine.Quote(s.FEN))
	}
	if s.turn() < 0 {
		return fmt.Errorf("turn is %s: want first, second or chance", engine.Quote(s.Turn))
	}
	seen := map[string]bool{}
	for _, m := range s.Moves {
		switch {
		case m == "" || strings.ContainsAny(m, " ,\t") || printable.Line(m) != m:
			return fmt.Errorf("moves has %s: want words without commas", engine.Quote(m))
		case seen[m]:
			return fmt.Errorf("moves has %s twice", engine.Quote(m))
		}
		seen[m] = true
	}
	outcome, known := s.outcome()
	switch {
	case !known:
		return fmt.Errorf("result is %s: want 1-0, 0-1 or 1/2-1/2, or no result while the game goes on", engine.Quote(s.Result))
	case outcome == engine.Ongoing && len(s.Moves) == 0:
		return errors.New("there are neither moves nor a result")
	case outcome != engine.Ongoing && len(s.Moves) > 0:
		return fmt.Errorf("result is %s, but there are moves", s.Result)
	case printable.Line(s.Over) != s.Over:
		return fmt.Errorf("over is %s: want a word or two", engine.Quote(s.Over))
	case len(s.Board)+len(s.SVG) > maxBoard:
		return fmt.Errorf("the board has %d bytes: want at most %d", len(s.Board)+len(s.SVG), maxBoard)
	}
	if err := checkSVG(s.SVG); s.SVG != "" && err != nil {
		return fmt.Errorf("svg: %w", err)
	}
	if s.Turn != engine.Chance.String() || len(s.Moves) == 0 {
		return nil
	}
	sum := 0.0
	for _, p := range s.Odds {
		sum += p
		if !(p > 0) {
			return fmt.Errorf("odds has %v: want numbers above 0", p)
		}
	}
	if len(s.Odds) != len(s.Moves) || math.Abs(sum-1) > 1e-6 {
		return fmt.Errorf("%d odds of %d moves of chance add up to %v: want one of each, and 1", len(s.Odds), len(s.Moves), sum)
	}
	return nil
}

// turn returns whose turn it is; negative if the word is unknown.
func (s *State) turn() engine.Turn {
	for _, t := range []engine.Turn{engine.First, engine.Second, engine.Chance} {
		if t.String() == s.Turn {
			return t
		}
	}
	return -1
}

func (s *State) outcome() (o engine.Outcome, known bool) {
	for o, text := range results {
		if text == s.Result {
			return o, true
		}
	}
	return engine.Ongoing, s.Result == ""
}
