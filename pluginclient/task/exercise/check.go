package exercise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/explore"
)

// A Finding is what a game or a database says of a repertoire: where the game leaves it, or a move that it does not answer.
type Finding struct {
	Kind    string   `json:"kind"` // game or gap
	File    string   `json:"file,omitempty"`
	Game    int      `json:"game,omitempty"`
	First   string   `json:"first,omitempty"`
	Second  string   `json:"second,omitempty"`
	Date    string   `json:"date,omitempty"`
	Result  string   `json:"result,omitempty"`
	By      string   `json:"by,omitempty"`  // who has left it
	Ply     int      `json:"ply,omitempty"` // of the move, from 1
	Move    string   `json:"move,omitempty"`
	Has     []string `json:"has,omitempty"` // the moves of the repertoire there
	FEN     string   `json:"fen,omitempty"`
	Line    []string `json:"line,omitempty"` // that leads to the position of a gap
	Games   int      `json:"games,omitempty"`
	Percent float64  `json:"percent,omitempty"` // of the games of the position
}

// kindGap is the Kind of a move without an answer.
const kindGap = "gap"

// Leave returns where a game leaves the repertoire for good.
func (r *Repertoire) Leave(at explore.GameID, g *record.Game, o annotate.WriteOptions) Finding {
	style := o.Records.PGN
	f := Finding{
		Kind: "game", File: at.Source, Game: at.Number, First: g.Tags.Known(style.First), Second: g.Tags.Known(style.Second),
		Date: g.Tags.Known("Date"), Result: style.FormatResult(g.Result), By: "never in it",
	}
	ply := 0
	for n, pos := range g.Positions(false) {
		ply++
		p := r.find(pos)
		if p == nil {
			continue
		}
		f.FEN, f.Ply, f.Move, f.Has, f.By = pos.String(), ply, "", nil, "opponent"
		for _, b := range p.moves {
			f.Has = append(f.Has, r.name(pos, b.move, o))
		}
		switch {
		case len(n.Next) == 0:
			f.By = "the game ends in it"
			continue
		case len(f.Has) == 0:
			f.By = "the repertoire ends"
		case pos.Turn() == r.Side:
			f.By = "reader"
		}
		f.Move = r.name(pos, n.Next[0].Move, o)
	}
	return f
}

func (r *Repertoire) name(pos engine.Position, m engine.Move, o annotate.WriteOptions) string {
	return r.Games.MoveName(pos, m, o.Notation)
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

// Gaps returns the common moves of a database after which the repertoire has none, the most common first.
func (r *Repertoire) Gaps(ctx context.Context, db *explore.DB, common Common, o annotate.WriteOptions) (all []Finding, err error) {
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
			next, err := p.pos.Play(m.Move)
			if m.Games < common.Games || percent < common.Percent || err != nil { // another position may have the same key
				continue
			}
			if answer := r.find(next); next.Result().Over() || answer != nil && len(answer.moves) > 0 {
				continue
			}
			start, moves := p.pos.History()
			all = append(all, Finding{
				Kind: kindGap, Ply: len(moves) + 1, Move: r.name(p.pos, m.Move, o), FEN: p.pos.String(), Line: r.Games.MoveNames(start, moves, o.Notation),
				Games: m.Games, Percent: math.Round(10*percent) / 10,
			})
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Compare(b.Games, a.Games) })
	return all, nil
}

// A CheckWriter writes findings.
type CheckWriter = func(w io.Writer, all []Finding, lib *record.Library) error

// CheckFormats returns the output formats of findings. The first is the default.
func CheckFormats() format.Table[CheckWriter] {
	return format.Table[CheckWriter]{
		{Name: "text", Extensions: []string{".txt"}, Write: checkText},
		{Name: "json", Extensions: []string{".jsonl", ".json", ".ndjson"}, Write: func(w io.Writer, all []Finding, _ *record.Library) error {
			for _, f := range all {
				if err := format.JSONLine(w, f); err != nil {
					return err
				}
			}
			return nil
		}},
		{Name: "csv", Extensions: []string{".csv"}, Write: func(w io.Writer, all []Finding, _ *record.Library) error {
			rows := [][]string{{"kind", "file", "game", "first", "second", "date", "result", "by", "ply", "move", "has", "fen", "line", "games", "percent"}}
			for _, f := range all {
				rows = append(rows, []string{
					f.Kind, f.File, count(f.Game), f.First, f.Second, f.Date, f.Result, f.By, count(f.Ply), f.Move, strings.Join(f.Has, " "), f.FEN, strings.Join(f.Line, " "), count(f.Games), count(f.Percent),
				})
			}
			return format.CSV(w, rows...)
		}},
	}
}

// count returns a number as text, "" for 0.
func count[T int | float64](n T) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// checkText writes tables for a person.
func checkText(w io.Writer, all []Finding, lib *record.Library) error {
	left := [][]string{{"game", "date", strings.ToLower(lib.PGN.First), strings.ToLower(lib.PGN.Second), "result", "left by", "ply", "move", "repertoire"}}
	lacks := [][]string{{"games", "%", "move", "after"}}
	for _, f := range all {
		if f.Kind == kindGap {
			lacks = append(lacks, []string{strconv.Itoa(f.Games), fmt.Sprintf("%.1f", f.Percent), f.Move, cmp.Or(strings.Join(f.Line, " "), "the start")})
			continue
		}
		id := explore.GameID{Source: f.File, Number: f.Game}
		left = append(left, []string{printable.Line(id.String()), printable.Line(f.Date), printable.Line(f.First), printable.Line(f.Second), f.Result, f.By, count(f.Ply), f.Move, strings.Join(f.Has, " ")})
	}
	var parts []string
	if len(left) > 1 {
		parts = append(parts, printable.Table(left, "llllllrll"))
	}
	if len(lacks) > 1 {
		parts = append(parts, "Without an answer:\n"+printable.Table(lacks, "rrll"))
	}
	_, err := io.WriteString(w, strings.Join(parts, "\n"))
	return err
}
