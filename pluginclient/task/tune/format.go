package tune

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
)

// Formats returns the output formats for a Result. The first is the default.
func Formats() format.Table[func(io.Writer, *Result) error] {
	return format.Table[func(io.Writer, *Result) error]{
		{Name: "text", Extensions: []string{".txt"}, Write: writeText},
		{Name: "json", Extensions: []string{".json"}, Write: writeJSON},
		{Name: "svg", Extensions: []string{".svg"}, Write: writeSVG},
	}
}

// sparkWidth is the number of columns of a parameter's line in the text format.
const sparkWidth = 32

// writeText writes a row for each parameter: its values, how many STEPs it has moved, what a STEP was
// worth in the games, and its way from the start to the end, from the lowest value to the highest.
func writeText(w io.Writer, r *Result) error {
	rows := [][]string{{"option", "start", "value", "steps", "Elo a step", "lowest", "highest"}}
	for i, p := range r.Config.Params {
		track := r.track(i)
		value := func(x float64) string { return fmt.Sprintf("%.*f", p.Decimals+1, x) }
		rows = append(rows, []string{
			p.Name, fmt.Sprint(p.Start), value(r.Values[i]), fmt.Sprintf("%+.2f", (r.Values[i]-p.Start)/p.Step), r.effectText(i),
			value(slices.Min(track)), value(slices.Max(track)), sparkline(track),
		})
	}
	faults := ""
	if r.Faults > 0 {
		faults = fmt.Sprintf("; %d by faults", r.Faults)
	}
	_, err := fmt.Fprintf(w, "%s\n%d of %d games: plus won %d, drew %d, lost %d%s\n%s\n", printable.Table(rows, "l"),
		r.Games(), 2*r.Config.Pairs, r.Wins, r.Draws, r.Losses, faults, SpecOptions(r.Settings()))
	return err
}

func (r *Result) effectText(i int) string {
	elo, margin := r.effect(i)
	if math.IsNaN(margin) {
		return "-"
	}
	return fmt.Sprintf("%+.1f ±%.1f", elo, margin)
}

// SpecOptions returns settings as options of a SPEC.
func SpecOptions(settings []Setting) string {
	var all []string
	for _, s := range settings {
		all = append(all, s.Name+"="+s.Value)
	}
	return printable.Line(strings.Join(all, ","))
}

// sparkline draws values as blocks of eight heights.
func sparkline(values []float64) string {
	blocks := []rune("▁▂▃▄▅▆▇█")
	low, high := slices.Min(values), slices.Max(values)
	var b strings.Builder
	for i := range min(sparkWidth, len(values)) {
		v := values[at(i, min(sparkWidth, len(values)), len(values))]
		height := 0
		if high > low {
			height = int(math.Round((v - low) / (high - low) * float64(len(blocks)-1)))
		}
		b.WriteRune(blocks[height])
	}
	return b.String()
}

// at returns the index of the i-th of n values that are taken evenly from all, with the first and
// the last.
func at(i, n, all int) int {
	if n < 2 {
		return 0
	}
	return i * (all - 1) / (n - 1)
}

type jsonResult struct {
	Games  int         `json:"games"`
	Total  int         `json:"total"`
	Wins   int         `json:"wins"`
	Draws  int         `json:"draws"`
	Losses int         `json:"losses"`
	Faults int         `json:"faults"`
	Params []jsonParam `json:"params"`
}

type jsonParam struct {
	Name  string    `json:"name"`
	Start float64   `json:"start"`
	Min   float64   `json:"min"`
	Max   float64   `json:"max"`
	Step  float64   `json:"step"`
	Value float64   `json:"value"`            // unrounded
	Elo   *float64  `json:"elo,omitempty"`    // of a step up, see effect
	Error *float64  `json:"margin,omitempty"` // half width of its 95 % confidence interval
	Track []float64 `json:"track"`            // the start, then the value after each step
}

// writeJSON writes a Result as one line.
func writeJSON(w io.Writer, r *Result) error {
	out := jsonResult{
		Games: r.Games(), Total: 2 * r.Config.Pairs, Wins: r.Wins, Draws: r.Draws, Losses: r.Losses, Faults: r.Faults,
	}
	for i, p := range r.Config.Params {
		row := jsonParam{Name: p.Name, Start: p.Start, Min: p.Min, Max: p.Max, Step: p.Step, Value: r.Values[i], Track: r.track(i)}
		if elo, margin := r.effect(i); !math.IsNaN(margin) {
			elo, margin = math.Round(elo*10)/10, math.Round(margin*10)/10
			row.Elo, row.Error = &elo, &margin
		}
		out.Params = append(out.Params, row)
	}
	return format.JSONLine(w, out)
}
