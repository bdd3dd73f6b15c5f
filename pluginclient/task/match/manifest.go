package match

import (
	"crypto/sha256"
	"fmt"

	"qhsh/engine/record"
	"qhsh/pluginclient/task/runlog"
)

// manifestVersion is incremented when the same configuration comes to mean a different match, or more
// of it is noted.
const manifestVersion = 2

// A manifest is the first line of a State: the configuration, checked when the match is resumed.
type manifest struct {
	Match      int              `json:"match"` // the version
	Game       string           `json:"game"`
	Tags       record.Tags      `json:"tags,omitempty"`
	Players    []manifestPlayer `json:"players"`
	Tournament Tournament       `json:"tournament"`
	Games      int              `json:"games"`
	Rounds     int              `json:"rounds"`
	Repeat     bool             `json:"repeat"`
	Openings   int              `json:"openings"`
	Hash       string           `json:"openings_hash,omitempty"`
	Order      Order            `json:"order"`
	Start      int              `json:"start"`
	Plies      int              `json:"plies"`
	Seed       uint64           `json:"srand"`
	Margin     string           `json:"timemargin"`
	Rules      string           `json:"rules,omitempty"`
	Draw       DrawRule         `json:"draw"`
	Resign     ResignRule       `json:"resign"`
	MaxMoves   int              `json:"maxmoves"`
	SPRT       string           `json:"sprt,omitempty"`
}

type manifestPlayer struct {
	Name       string   `json:"name"`
	Spec       string   `json:"spec"`
	Evaluation string   `json:"evaluation,omitempty"`
	Book       string   `json:"book,omitempty"`
	Files      []string `json:"engine_files,omitempty"`
	Level      *int     `json:"level,omitempty"`
	Nodes      int64    `json:"nodes,omitempty"`
	Depth      int      `json:"depth,omitempty"`
	Time       string   `json:"st,omitempty"`
	Clock      string   `json:"tc,omitempty"`
	Ban        bool     `json:"ban"`
	Ask        string   `json:"ask,omitempty"` // askMove; absent: hints
	Ponder     bool     `json:"ponder,omitempty"`
}

// askMove is what a manifest has of a player that is asked for moves.
const askMove = "move"

// ManifestPrefix is the start of a State's file.
const ManifestPrefix = `{"match":`

// Manifest returns the configuration as a line of JSON, with its line feed.
func (t *Config) Manifest() []byte {
	m := manifest{
		Match: manifestVersion, Game: t.Game.Name(), Tags: t.Tags, Tournament: t.Tournament,
		Games: t.Games, Rounds: t.Rounds, Repeat: t.Repeat,
		Openings: len(t.Openings), Hash: t.hashOpenings(), Order: t.Order, Start: t.Start, Plies: t.Plies,
		Seed: t.Seed, Margin: t.Margin.String(), Rules: t.Rules, Draw: t.Draw, Resign: t.Resign, MaxMoves: t.MaxMoves,
	}
	if t.SPRT != nil {
		m.SPRT = t.SPRT.String()
	}
	for _, p := range t.Players {
		mp := manifestPlayer{Name: p.Name, Spec: p.Spec, Evaluation: p.Evaluation, Book: p.Book, Files: p.Files, Level: p.Level, Nodes: p.Nodes, Depth: p.Depth, Clock: p.Clock.String(), Ban: p.Ban, Ponder: p.Ponder}
		if !p.Hints {
			mp.Ask = askMove
		}
		if p.Time > 0 {
			mp.Time = seconds(p.Time)
		}
		m.Players = append(m.Players, mp)
	}
	return marshalLine(m)
}

func (t *Config) hashOpenings() string {
	if len(t.Openings) == 0 {
		return ""
	}
	h := sha256.New()
	for _, pos := range t.Openings {
		start, moves := pos.History()
		fmt.Fprintln(h, start.String(), moves)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

func marshalLine(v any) []byte {
	line, err := runlog.MarshalLine(v)
	if err != nil {
		panic(err) // cannot happen: plain structs
	}
	return line
}
