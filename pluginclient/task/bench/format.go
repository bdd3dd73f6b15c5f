package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
)

// Formats returns the output formats for a Report. The first is the default.
func Formats() format.Table[func(io.Writer, *Report) error] {
	return format.Table[func(io.Writer, *Report) error]{
		{Name: "text", Extensions: []string{".txt"}, Write: writeText},
		{Name: "json", Extensions: []string{".json"}, Write: writeJSON},
	}
}

// writeText writes a table by position, then one by engine. With one engine there is only the
// first, with all its values. Values are medians of the repetitions. Where it is asked which moves keep what is known,
// there is only a table of that.
func writeText(w io.Writer, r *Report) error {
	var b strings.Builder
	switch {
	case r.Known != nil:
		rows := [][]string{{"engine", "wins kept", "draws kept"}}
		for i, result := range r.Results {
			kept := r.kept(i)
			rows = append(rows, []string{result.Name, kept["win"].String(), kept["draw"].String()})
		}
		writeTable(&b, rows)
	case len(r.Results) == 1:
		writeOne(&b, r)
	default:
		writeSideBySide(&b, r)
		writeEngines(&b, r)
	}
	for _, d := range r.Disagreements() {
		fmt.Fprintf(&b, "%s\n", printable.Line(d.String()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeOne writes the table of one engine.
func writeOne(b *strings.Builder, r *Report) {
	result := &r.Results[0]
	head := []string{"position", "nodes", "time", "nodes/s", "depth"}
	if r.Perft == 0 {
		head = append(head, "move")
	}
	rows := [][]string{head}
	for i, pos := range r.Positions {
		s := result.at(i)
		row := append([]string{strconv.Itoa(i + 1)}, s.cells()...)
		if r.Perft == 0 {
			row = append(row, pos.Format(s.Answer[0].Move()))
		}
		rows = append(rows, row)
	}
	sum := result.total()
	sum.Depth = 0
	rows = append(rows, append([]string{"all"}, sum.cells()...))
	writeTable(b, rows)
	if sign := r.signature(0); sign != "" {
		fmt.Fprintf(b, "signature %s\n", sign)
	}
}

func (s Sample) cells() []string {
	return []string{count(s.Nodes), seconds(s.Time), count(int64(s.perSecond())), count(int64(s.Depth))}
}

// writeSideBySide writes nodes per second by position, or the time in brackets if nodes
// are unknown.
func writeSideBySide(b *strings.Builder, r *Report) {
	head := []string{"nodes/s"}
	for _, result := range r.Results {
		head = append(head, result.Name)
	}
	rows := [][]string{head}
	for i := range r.Positions {
		row := []string{strconv.Itoa(i + 1)}
		for index := range r.Results {
			s := r.Results[index].at(i)
			cell := "(" + seconds(s.Time) + ")"
			if s.Nodes > 0 {
				cell = count(int64(s.perSecond()))
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	writeTable(b, rows)
	b.WriteByte('\n')
}

// writeEngines writes the totals by engine.
func writeEngines(b *strings.Builder, r *Report) {
	rows := [][]string{{"engine", "nodes", "time", "nodes/s", "ratio", "signature"}}
	signed := false
	for index := range r.Results {
		result := &r.Results[index]
		sum := result.total()
		ratio := "-"
		if x := r.ratio(index); x > 0 {
			ratio = fmt.Sprintf("%.3f", x)
		}
		sign := r.signature(index)
		signed = signed || sign != ""
		rows = append(rows, append([]string{result.Name}, count(sum.Nodes), seconds(sum.Time), count(int64(sum.perSecond())), ratio, sign))
	}
	if !signed {
		for i := range rows {
			rows[i] = rows[i][:5]
		}
	}
	writeTable(b, rows)
}

// writeTable writes rows of cells. The first column is left-aligned, the others right-aligned.
func writeTable(b *strings.Builder, rows [][]string) { b.WriteString(printable.Table(rows, "lr")) }

// count formats a number, or a dash for 0 (unknown).
func count(n int64) string {
	if n == 0 {
		return "-"
	}
	return strconv.FormatInt(n, 10)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3fs", d.Seconds()) }

// writeJSON writes a report as one line of JSON, with every sample and the results. Times are in
// seconds.
func writeJSON(w io.Writer, r *Report) error {
	l := r.Limits
	out := jsonReport{
		Limits: jsonLimits{Nodes: l.Nodes, Depth: l.Depth, Level: l.Level, Seconds: l.Time.Seconds(), Lines: l.Lines},
		Perft:  r.Perft, Repeat: r.Repeat,
	}
	for _, pos := range r.Positions {
		out.Positions = append(out.Positions, pos.String())
	}
	for index := range r.Results {
		out.Engines = append(out.Engines, r.jsonEngine(index))
	}
	for _, d := range r.Disagreements() {
		out.Disagreements = append(out.Disagreements, d.String())
	}
	return json.NewEncoder(w).Encode(out)
}

type jsonReport struct {
	Positions     []string     `json:"positions"`
	Limits        jsonLimits   `json:"limits,omitzero"`
	Perft         int          `json:"perft,omitempty"`
	Repeat        int          `json:"repeat"`
	Engines       []jsonEngine `json:"engines"`
	Disagreements []string     `json:"disagreements,omitempty"`
}

type jsonLimits struct {
	Nodes   int64   `json:"nodes,omitempty"`
	Depth   int     `json:"depth,omitempty"`
	Level   int     `json:"level,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	Lines   int     `json:"hints,omitempty"`
}

type jsonEngine struct {
	Engine    string                `json:"engine"`
	Nodes     int64                 `json:"nodes,omitempty"`
	Seconds   float64               `json:"seconds"`
	PerSecond float64               `json:"nodes_per_second,omitempty"`
	Ratio     float64               `json:"ratio,omitempty"`
	Signature string                `json:"signature,omitempty"`
	Kept      map[string]keptCounts `json:"kept,omitempty"` // by what the positions are worth
	Rounds    [][]jsonSample        `json:"rounds"`
}

type jsonSample struct {
	Nodes   int64   `json:"nodes,omitempty"`
	Seconds float64 `json:"seconds"`
	Depth   int     `json:"depth,omitempty"`
	Move    string  `json:"move,omitempty"`
}

func (r *Report) jsonEngine(index int) jsonEngine {
	result := &r.Results[index]
	sum := result.total()
	e := jsonEngine{
		Engine: result.Name, Nodes: sum.Nodes, Seconds: sum.Time.Seconds(),
		PerSecond: math.Round(sum.perSecond()), Ratio: r.ratio(index), Signature: r.signature(index), Kept: r.kept(index),
	}
	for _, round := range result.Samples {
		steps := make([]jsonSample, len(round))
		for i, s := range round {
			steps[i] = jsonSample{Nodes: s.Nodes, Seconds: s.Time.Seconds(), Depth: s.Depth}
			if len(s.Answer) > 0 {
				steps[i].Move = r.Positions[i].Format(s.Answer[0].Move())
			}
		}
		e.Rounds = append(e.Rounds, steps)
	}
	return e
}
