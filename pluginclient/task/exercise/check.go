package exercise

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/explore"
)

// A Check is what games and a database say of a repertoire.
type Check struct {
	Departures []Departure
	Gaps       []Gap
}

// A Departure is the last position of a game that stands in a repertoire, and the move after it.
type Departure struct {
	At     explore.GameID
	Game   *record.Game
	Pos    engine.Position // nil: no position of the game stands in it
	Ply    int             // of the move, from 1
	Move   engine.Move     // NoMove: the game ends
	Has    []engine.Move   // of the repertoire; none: it ends
	Reader bool            // it is the reader's move
}

// Leave returns where a game leaves the repertoire for good.
func (r *Repertoire) Leave(at explore.GameID, g *record.Game) Departure {
	d := Departure{At: at, Game: g}
	ply := 0
	for n, pos := range g.Positions(false) {
		ply++
		p := r.find(pos)
		if p == nil {
			continue
		}
		d.Pos, d.Ply, d.Move, d.Has, d.Reader = pos, ply, engine.NoMove, nil, pos.Turn() == r.Side
		if len(n.Next) > 0 {
			d.Move = n.Next[0].Move
		}
		for _, b := range p.moves {
			d.Has = append(d.Has, b.move)
		}
	}
	return d
}

// by says who has left the repertoire.
func (d *Departure) by() string {
	switch {
	case d.Pos == nil:
		return "never in it"
	case d.Move == engine.NoMove:
		return "the game ends in it"
	case len(d.Has) == 0:
		return "the repertoire ends"
	case d.Reader:
		return "reader"
	}
	return "opponent"
}

// Common says which moves of a database are common in a position.
type Common struct {
	Games   int
	Percent float64 // of the games of the position
}

// DefaultCommon returns 5 games and 5 %.
func DefaultCommon() Common { return Common{5, 5} }

// String formats it in the syntax of ParseCommon.
func (c Common) String() string { return fmt.Sprintf("%d,%.4g", c.Games, c.Percent) }

// ParseCommon parses a number of games and a percentage, such as "5,10".
func ParseCommon(text string) (c Common, err error) {
	first, second, _ := strings.Cut(text, ",")
	c.Games, err = strconv.Atoi(strings.TrimSpace(first))
	percent, err2 := strconv.ParseFloat(strings.TrimSpace(second), 64)
	if err != nil || err2 != nil || c.Games < 1 || !(0 <= percent && percent <= 100) {
		return Common{}, errors.New("want a number of games and a percentage, such as 5,10")
	}
	c.Percent = percent
	return c, nil
}

// A Gap is a move of the other side after which a repertoire has none.
type Gap struct {
	Pos     engine.Position // with the moves that led to it
	Move    engine.Move
	Games   int
	Percent float64 // of the games of the position
}

// Gaps returns the common moves of a database that the repertoire does not answer, the most common first.
func (r *Repertoire) Gaps(ctx context.Context, db *explore.DB, common Common) (all []Gap, err error) {
	for _, p := range r.places {
		if p.pos.Turn() != r.Side.Other() {
			continue
		}
		report, err := db.Query(ctx, p.pos, explore.Filter{})
		if err != nil {
			return nil, err
		}
		for _, m := range report.Moves {
			percent := 100 * float64(m.Games) / float64(report.Games)
			if m.Games < common.Games || percent < common.Percent {
				continue
			}
			next, err := p.pos.Play(m.Move)
			if err != nil {
				continue // of another position with the same key
			}
			if answer := r.find(next); !next.Result().Over() && (answer == nil || len(answer.moves) == 0) {
				all = append(all, Gap{p.pos, m.Move, m.Games, percent})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Gap) int { return cmp.Compare(b.Games, a.Games) })
	return all, nil
}

// A CheckWriter writes a Check.
type CheckWriter = func(w io.Writer, c Check, all games.Table, o annotate.WriteOptions) error

// CheckFormats returns the output formats of a Check. The first is the default.
func CheckFormats() format.Table[CheckWriter] {
	return format.Table[CheckWriter]{
		{Name: "text", Extensions: []string{".txt"}, Write: checkText},
		{Name: "json", Extensions: []string{".jsonl", ".json", ".ndjson"}, Write: func(w io.Writer, c Check, all games.Table, o annotate.WriteOptions) error {
			for _, row := range c.rows(all, o) {
				if err := format.JSONLine(w, row); err != nil {
					return err
				}
			}
			return nil
		}},
		{Name: "csv", Extensions: []string{".csv"}, Write: func(w io.Writer, c Check, all games.Table, o annotate.WriteOptions) error {
			out := csv.NewWriter(w)
			cells := [][]string{{"kind", "file", "game", "first", "second", "date", "result", "by", "ply", "move", "has", "fen", "line", "games", "percent"}}
			for _, r := range c.rows(all, o) {
				row := []string{
					r.Kind, r.File, count(r.Game), r.First, r.Second, r.Date, r.Result, r.By, count(r.Ply), r.Move, strings.Join(r.Has, " "), r.FEN, strings.Join(r.Line, " "), count(r.Games), "",
				}
				if r.Kind == gapKind {
					row[len(row)-1] = fmt.Sprintf("%.1f", r.Percent)
				}
				for i := range row {
					row[i] = printable.Line(row[i])
				}
				cells = append(cells, row)
			}
			return out.WriteAll(cells)
		}},
	}
}

// count returns a number from 1 as text, "" for 0.
func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// The kinds of a checkRow.
const departureKind, gapKind = "game", "gap"

// A checkRow is a departure or a gap.
type checkRow struct {
	Kind    string   `json:"kind"`
	File    string   `json:"file,omitempty"`
	Game    int      `json:"game,omitempty"`
	First   string   `json:"first,omitempty"`
	Second  string   `json:"second,omitempty"`
	Date    string   `json:"date,omitempty"`
	Result  string   `json:"result,omitempty"`
	By      string   `json:"by,omitempty"`
	Ply     int      `json:"ply,omitempty"` // of the move
	Move    string   `json:"move,omitempty"`
	Has     []string `json:"has,omitempty"`
	FEN     string   `json:"fen,omitempty"`
	Line    []string `json:"line,omitempty"` // that leads to the position of a gap
	Games   int      `json:"games,omitempty"`
	Percent float64  `json:"percent,omitempty"`
}

// rows returns the departures and then the gaps.
func (c *Check) rows(all games.Table, o annotate.WriteOptions) (rows []checkRow) {
	name := func(pos engine.Position, m engine.Move) string {
		return strings.Join(all.MoveNames(pos, []engine.Move{m}, o.Notation), "")
	}
	for _, d := range c.Departures {
		style := o.Records.PGN
		row := checkRow{
			Kind: departureKind, File: d.At.Source, Game: d.At.Number, First: d.Game.Tags.Known(style.First), Second: d.Game.Tags.Known(style.Second),
			Date: d.Game.Tags.Known("Date"), Result: style.FormatResult(d.Game.Result), By: d.by(),
		}
		if d.Pos != nil {
			row.FEN, row.Ply = d.Pos.String(), d.Ply
		}
		if d.Move != engine.NoMove {
			row.Move = name(d.Pos, d.Move)
		}
		for _, m := range d.Has {
			row.Has = append(row.Has, name(d.Pos, m))
		}
		rows = append(rows, row)
	}
	for _, g := range c.Gaps {
		start, moves := g.Pos.History()
		rows = append(rows, checkRow{
			Kind: gapKind, Ply: len(moves) + 1, Move: name(g.Pos, g.Move), FEN: g.Pos.String(), Line: all.MoveNames(start, moves, o.Notation),
			Games: g.Games, Percent: float64(int(10*g.Percent+.5)) / 10,
		})
	}
	return rows
}

// checkText writes tables for a person.
func checkText(w io.Writer, c Check, all games.Table, o annotate.WriteOptions) error {
	style := o.Records.PGN
	left := [][]string{{"game", "date", strings.ToLower(style.First), strings.ToLower(style.Second), "result", "left by", "ply", "move", "repertoire"}}
	lacks := [][]string{{"games", "%", "move", "after"}}
	for _, r := range c.rows(all, o) {
		if r.Kind == gapKind {
			lacks = append(lacks, []string{strconv.Itoa(r.Games), fmt.Sprintf("%.1f", r.Percent), r.Move, cmp.Or(strings.Join(r.Line, " "), "the start")})
			continue
		}
		id := explore.GameID{Source: r.File, Number: r.Game}
		left = append(left, []string{printable.Line(id.String()), printable.Line(r.Date), printable.Line(r.First), printable.Line(r.Second), r.Result, r.By, count(r.Ply), r.Move, strings.Join(r.Has, " ")})
	}
	text := ""
	if len(left) > 1 {
		text = printable.Table(left, "llllllrll")
	}
	if len(lacks) > 1 {
		if text != "" {
			text += "\n"
		}
		text += "Without an answer:\n" + printable.Table(lacks, "rrll")
	}
	_, err := io.WriteString(w, text)
	return err
}
