package explore

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
)

// NoveltyJSON is a Novelty in JSON.
type NoveltyJSON struct {
	Ply    int               `json:"ply"`
	Move   string            `json:"move"`
	FEN    string            `json:"fen"`
	Games  int               `json:"games"`
	Latest []PredecessorJSON `json:"latest"`
}

// PredecessorJSON is a Predecessor in JSON.
type PredecessorJSON struct {
	GameID
	Players [2]string `json:"players"` // in the order of the sides
	Event   string    `json:"event,omitempty"`
	Date    string    `json:"date,omitempty"`
	Result  string    `json:"result"`
	Move    string    `json:"move,omitempty"` // empty: the game ended
}

// String describes the game in a line.
func (p PredecessorJSON) String() string {
	words := []string{cmp.Or(p.Players[0], "?") + " – " + cmp.Or(p.Players[1], "?"), p.Date, p.Result, p.Event}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}

// JSON returns the novelty for JSON.
func (n *Novelty) JSON(o WriteOptions) NoveltyJSON {
	j := NoveltyJSON{Ply: n.Ply, Move: o.name(n.Before, n.Move), FEN: n.Before.String(), Games: n.Games, Latest: []PredecessorJSON{}}
	style := o.Games.PGN(n.Before.Game())
	for _, p := range n.Latest {
		before := PredecessorJSON{GameID: p.GameID, Players: p.Names, Event: p.Event, Date: p.Date.String(), Result: style.FormatResult(p.Result)}
		if p.Move != engine.NoMove {
			before.Move = o.name(n.Before, p.Move)
		}
		j.Latest = append(j.Latest, before)
	}
	return j
}

// A NoveltySink writes the novelty of a game; nil if it has none.
type NoveltySink = func(id GameID, g *record.Game, n *Novelty) error

// A NoveltyWriter returns a NoveltySink for games of one game.
type NoveltyWriter = func(w io.Writer, game engine.Game, o WriteOptions) NoveltySink

// NoveltyFormats returns the output formats of novelties. The first is the default.
func NoveltyFormats() format.Table[NoveltyWriter] {
	return format.Table[NoveltyWriter]{
		{Name: "text", Extensions: []string{".txt"}, Write: noveltyText},
		{Name: "csv", Extensions: []string{".csv"}, Write: noveltyCSV},
		{Name: "json", Extensions: []string{".json", ".jsonl"}, Write: func(w io.Writer, game engine.Game, o WriteOptions) NoveltySink {
			type line struct {
				GameID
				Players [2]string    `json:"players"`
				Novelty *NoveltyJSON `json:"novelty"`
			}
			return func(id GameID, g *record.Game, n *Novelty) error {
				j := line{GameID: id, Players: o.Games.PGN(g.Start.Game()).Names(g.Tags)}
				if n != nil {
					novelty := n.JSON(o)
					j.Novelty = &novelty
				}
				return format.JSONLine(w, j)
			}
		}},
	}
}

// noveltyText writes for a person.
func noveltyText(w io.Writer, game engine.Game, o WriteOptions) NoveltySink {
	style := o.Games.PGN(game)
	return func(id GameID, _ *record.Game, n *Novelty) error {
		if n == nil {
			_, err := fmt.Fprintf(w, "%v: other games have all its positions\n", id)
			return err
		}
		j := n.JSON(o)
		text := fmt.Sprintf("%v: %s at ply %d is new; %s had the position before\n", id, j.Move, j.Ply, printable.Plural(j.Games, "game"))
		rows := [][]string{{"date", strings.ToLower(style.First), strings.ToLower(style.Second), "result", "move", "event"}}
		for _, p := range j.Latest {
			rows = append(rows, []string{p.Date, p.Players[0], p.Players[1], p.Result, p.Move, p.Event})
		}
		if len(j.Latest) > 0 {
			text += printable.Table(rows, "l")
		}
		_, err := io.WriteString(w, text)
		return err
	}
}

// noveltyCSV writes a row for each predecessor, and one for a game whose novelty has none.
func noveltyCSV(w io.Writer, game engine.Game, o WriteOptions) NoveltySink {
	style := o.Games.PGN(game)
	first, second := strings.ToLower(style.First), strings.ToLower(style.Second)
	rows := [][]string{{
		"source", "game", first, second, "ply", "move", "fen", "games",
		"before_source", "before_game", "before_" + first, "before_" + second, "before_event", "before_date", "before_result", "before_move",
	}}
	return func(id GameID, g *record.Game, n *Novelty) error {
		if n != nil {
			j, players := n.JSON(o), o.Games.PGN(g.Start.Game()).Names(g.Tags)
			row := []string{id.Source, strconv.Itoa(id.Number), players[0], players[1], strconv.Itoa(j.Ply), j.Move, j.FEN, strconv.Itoa(j.Games)}
			for _, p := range j.Latest {
				rows = append(rows, append(row[:len(row):len(row)], p.Source, strconv.Itoa(p.Number), p.Players[0], p.Players[1], p.Event, p.Date, p.Result, p.Move))
			}
			if len(j.Latest) == 0 {
				rows = append(rows, append(row, make([]string, 8)...))
			}
		}
		err := csv.NewWriter(w).WriteAll(rows)
		rows = nil
		return err
	}
}
