package batch

import (
	"fmt"
	"io"
	"strings"

	"qhsh/engine/printable"
)

// textSink is a Sink for people. Each position has a paragraph, its place and text first,
// then the hints, best first:
//
//	engine qhsh, level 5, spec builtin
//
//	line 7  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w
//	        after H2-E2 H9-G7
//	  1. H0-G2  +0.35  depth 6  H0-G2 I9-H9
//	  2. I0-I1  -0.10  depth 6  I0-I1 C6-C5 I1-F1
//
// The engine, the limits of its searches and its SPEC are named at the top and where they change. A
// score is in pawns, or "mate 3". Control characters of terminals are escaped, see package
// printable.
type textSink struct {
	w   io.Writer
	who string // the engine named last
}

// engineWord starts the line that names an engine, and no other line.
const engineWord = "engine "

func (t *textSink) Write(a Answer) error {
	var b strings.Builder
	if who := printable.Line(engineWord + Who(a.Engine, a.Limits, a.Spec)); a.Engine != "" && who != t.who {
		fmt.Fprintf(&b, "%s\n\n", who)
		t.who = who
	}
	place := Location(a.Item)
	indent := strings.Repeat(" ", len(place)+2)
	text := a.Text
	if a.IsBad() {
		text = a.Input
	}
	fmt.Fprintf(&b, "%s  %s\n", place, printable.Line(text))
	for _, remark := range remarks(a) {
		fmt.Fprintf(&b, "%s%s\n", indent, printable.Line(remark))
	}
	writeHints(&b, a.Hints)
	b.WriteByte('\n')
	_, err := io.WriteString(t.w, b.String())
	return err
}

// remarks returns the lines between a position and its hints.
func remarks(a Answer) []string {
	var all []string
	remark := func(wanted bool, format string, args ...any) {
		if wanted {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	solved, scored := a.Solved()
	remark(a.ID != "", "id %s", a.ID)
	remark(len(a.Moves) > 0, "after %s", strings.Join(a.Moves, " "))
	remark(len(a.BM) > 0, "bm %s", strings.Join(a.BM, " "))
	remark(len(a.AM) > 0, "am %s", strings.Join(a.AM, " "))
	remark(a.Found != Limits{}, "found at %s", a.Found)
	remark(a.Ending != nil, "known: %v", a.Ending)
	remark(scored && solved, "solved")
	remark(scored && !solved, "not solved")
	remark(a.Unscored != nil, "not scored: %v", a.Unscored)
	remark(a.Err != nil, "error: %v", a.Err)
	remark(a.Err == nil && a.Over != "", "over: %s", a.Over)
	return all
}

// Who returns the name of an engine with the limits of its searches and its SPEC, where they are known.
func Who(engine string, lim Limits, spec string) string {
	if limits := lim.String(); limits != "" {
		engine += ", " + limits
	}
	if spec != "" {
		engine += ", spec " + spec
	}
	return engine
}

// Location returns FILE:LINE, or "line N" without a file.
func Location(item Item) string {
	if item.File == "" {
		return fmt.Sprintf("line %d", item.Line)
	}
	return fmt.Sprintf("%s:%d", printable.Line(item.File), item.Line)
}

func writeHints(b *strings.Builder, hints []Hint) {
	var move, score, plies, chances int
	for _, h := range hints {
		move = max(move, printable.Width.StringWidth(h.Move))
		score = max(score, len(h.Score.Pawns()))
		plies = max(plies, len(depth(h)))
		chances = max(chances, len(chancesText(h)))
	}
	for i, h := range hints {
		fmt.Fprintf(b, "%3d. %s", i+1, printable.Width.FillRight(h.Move, move))
		column(b, score, h.Score.Pawns())
		column(b, -plies, depth(h))
		column(b, -chances, chancesText(h))
		fmt.Fprintf(b, "  %s", strings.Join(h.PV, " "))
		if h.Text != "" {
			fmt.Fprintf(b, "  %s", printable.Line(h.Text))
		}
		b.WriteByte('\n')
	}
}

// column writes a table cell, right-aligned, or left-aligned if width is negative. A column of
// width 0 is omitted.
func column(b *strings.Builder, width int, text string) {
	if width != 0 {
		fmt.Fprintf(b, "  %*s", width, text)
	}
}

func chancesText(h Hint) string {
	if !h.WDL.Known() {
		return ""
	}
	return "wdl " + h.WDL.String()
}

func depth(h Hint) string {
	if h.Depth == 0 {
		return ""
	}
	return fmt.Sprintf("depth %d", h.Depth)
}
