package match

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
)

// Formats returns the output formats for a Table. The first is the default.
func Formats() format.Table[func(io.Writer, *Table) error] {
	return format.Table[func(io.Writer, *Table) error]{
		{Name: "text", Extensions: []string{".txt"}, Write: writeText},
		{Name: "json", Extensions: []string{".json"}, Write: writeJSON},
		{Name: "junit", Extensions: []string{".xml"}, Write: writeJUnit},
	}
}

// writeText writes the players' rows, the meetings, the reasons of endings, and the SPRT.
//
// Elo is the difference to all opponents, with half of its 95% interval; LOS is the likelihood of
// superiority.
func writeText(w io.Writer, t *Table) error {
	var b strings.Builder
	writeRows(&b, t)
	b.WriteByte('\n')
	for _, m := range t.Meetings {
		if m.Score.Games() > 0 {
			fmt.Fprintf(&b, "%s\n", m)
		}
	}
	fmt.Fprintf(&b, "%d of %d games", t.Games, t.Total)
	if ends := counts(t.Ends); ends != "" {
		b.WriteString(": " + ends)
	}
	b.WriteByte('\n')
	if test := t.Test(); test != nil {
		fmt.Fprintf(&b, "%s, %s\n", test, t.Meetings[0].Score.model())
		if test.Normalized {
			fmt.Fprintf(&b, "%s\n", t.Meetings[0].Score.statistics())
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// String returns "A against B: 3.5 of 6, pairs 0 1 1 1 0": the numbers of pairs in which A scored
// 0, 0.5, 1, 1.5 and 2 points.
func (m Meeting) String() string {
	text := fmt.Sprintf("%s against %s: %g of %d", printable.Line(m.First), printable.Line(m.Second), m.Score.Points(), m.Score.Games())
	if m.Score.Pairs != [5]int{} {
		text += ", pairs " + strings.Trim(fmt.Sprint(m.Score.Pairs), "[]")
	}
	return text
}

func (t *Test) String() string {
	text := fmt.Sprintf("SPRT %s: LLR %.2f (%.2f, %.2f), ", t.SPRT, t.LLR, t.Lower, t.Upper)
	switch t.Decision {
	case "H0":
		text += fmt.Sprintf("H0 accepted: not stronger by %g Elo", t.Elo1)
	case "H1":
		text += fmt.Sprintf("H1 accepted: stronger by more than %g Elo", t.Elo0)
	default:
		text += "not decided"
	}
	return text + ", " + t.model()
}

// Interim returns the state of a match of two players, in the words of fastchess, which programs look for.
func (t *Table) Interim() string {
	s := t.Meetings[0].Score
	text := fmt.Sprintf("%d games: %s", t.Games, s.statistics())
	if s.Pairs != [5]int{} {
		text += fmt.Sprintf(", Ptnml(0-2): [%s]", strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Pairs), " ", ", "), "[]"))
	}
	if test := t.Test(); test != nil {
		bound := test.Upper
		if test.LLR < 0 {
			bound = -test.Lower
		}
		text += fmt.Sprintf(", LLR: %.2f (%.1f%%) (%.2f, %.2f) [%.2f, %.2f]",
			test.LLR, 100*test.LLR/bound, test.Lower, test.Upper, test.Elo0, test.Elo1)
	}
	return text
}

// statistics returns the estimates, and the ratios of [Score.ratios], in the words of fastchess.
func (s Score) statistics() string {
	e := s.Estimate()
	draws, pairs := s.ratios()
	text := fmt.Sprintf("Elo: %.2f +/- %.2f, nElo: %.2f +/- %.2f, LOS: %.2f %%, DrawRatio: %.2f %%",
		e.Elo, e.Error, e.NElo, e.NError, 100*e.LOS, 100*draws)
	if s.Pairs != [5]int{} {
		text += fmt.Sprintf(", PairsRatio: %.2f", pairs)
	}
	return strings.NewReplacer("+Inf", "inf", "-Inf", "-inf", "NaN", "nan").Replace(text)
}

func writeRows(b *strings.Builder, t *Table) {
	cells := [][]string{{"", "player", "Elo", "+/-", "LOS", "games", "points", "%", "won", "drawn", "lost", "faults"}}
	for i, row := range t.Ranked() {
		s, e, faults := row.Score, row.Score.Estimate(), "-"
		if len(row.Faults) > 0 {
			faults = counts(row.Faults)
		}
		cells = append(cells, []string{
			fmt.Sprint(i + 1), row.Name, formatElo(e.Elo), formatError(e.Error), fmt.Sprintf("%.1f%%", 100*e.LOS),
			fmt.Sprint(s.Games()), fmt.Sprint(s.Points()), fmt.Sprintf("%.1f", 100*s.ratio()),
			fmt.Sprint(s.Wins), fmt.Sprint(s.Draws), fmt.Sprint(s.Losses), faults,
		})
	}
	b.WriteString(printable.Table(cells, "rlrrrrrrrrrl"))
}

// counts formats counts as "3 checkmate, 1 repetition", the most frequent first.
func counts(of map[string]int) string {
	names := slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(of[b]-of[a], strings.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%d %s", of[name], name)
	}
	return strings.Join(names, ", ")
}

func formatElo(elo float64) string {
	switch {
	case math.IsInf(elo, 1):
		return "+inf"
	case math.IsInf(elo, -1):
		return "-inf"
	case math.Abs(elo) < 0.05:
		return "0.0"
	}
	return fmt.Sprintf("%+.1f", elo)
}

func formatError(x float64) string {
	if math.IsInf(x, 0) {
		return "inf"
	}
	return fmt.Sprintf("%.1f", x)
}

// writeJSON writes a table as one line of JSON. What is infinite or not a number is omitted.
func writeJSON(w io.Writer, t *Table) error {
	out := jsonTable{
		Games: t.Games, Total: t.Total, Faults: t.Faults, Ends: t.Ends,
		Players: []jsonRow{}, Meetings: []jsonMeeting{},
	}
	for _, row := range t.Ranked() {
		out.Players = append(out.Players, jsonRow{Name: row.Name, jsonScore: scoreJSON(row.Score), Faults: row.Faults})
	}
	for _, m := range t.Meetings {
		if m.Score.Games() > 0 {
			out.Meetings = append(out.Meetings, jsonMeeting{First: m.First, Second: m.Second, jsonScore: scoreJSON(m.Score)})
		}
	}
	if test := t.Test(); test != nil {
		out.SPRT = &jsonTest{
			Elo0: test.Elo0, Elo1: test.Elo1, Alpha: test.Alpha, Beta: test.Beta,
			Model: test.model(), LLR: round(test.LLR), Lower: round(test.Lower), Upper: round(test.Upper),
		}
		if s := t.Meetings[0].Score; s.Games() > 0 {
			e := s.Estimate()
			draws, pairs := s.ratios()
			out.SPRT.NElo, out.SPRT.NError = finite(e.NElo), finite(e.NError)
			out.SPRT.DrawRatio, out.SPRT.PairsRatio = finite(draws), finite(pairs)
		}
		if test.Decision != "" {
			out.SPRT.Decision = &test.Decision
		}
	}
	return format.JSONLine(w, out)
}

type jsonTable struct {
	Games    int            `json:"games"`
	Total    int            `json:"total"`
	Faults   int            `json:"faults"`
	Ends     map[string]int `json:"ends"`
	Players  []jsonRow      `json:"players"`
	Meetings []jsonMeeting  `json:"meetings"`
	SPRT     *jsonTest      `json:"sprt,omitempty"`
}

type jsonRow struct {
	Name string `json:"name"`
	jsonScore
	Faults map[string]int `json:"faults,omitempty"`
}

type jsonMeeting struct {
	First  string `json:"first"`
	Second string `json:"second"`
	jsonScore
}

type jsonScore struct {
	Games  int      `json:"games"`
	Points float64  `json:"points"`
	Wins   int      `json:"wins"`
	Draws  int      `json:"draws"`
	Losses int      `json:"losses"`
	Pairs  []int    `json:"pairs,omitempty"` // pairs with 0, 0.5, 1, 1.5 and 2 points
	Elo    *float64 `json:"elo,omitempty"`
	Error  *float64 `json:"elo_error,omitempty"`
	LOS    float64  `json:"los"`
	Model  string   `json:"model"`
}

type jsonTest struct {
	Elo0     float64 `json:"elo0"`
	Elo1     float64 `json:"elo1"`
	Alpha    float64 `json:"alpha"`
	Beta     float64 `json:"beta"`
	Model    string  `json:"model"`
	LLR      float64 `json:"llr"`
	Lower    float64 `json:"lower"`
	Upper    float64 `json:"upper"`
	Decision *string `json:"decision"` // null: none yet

	NElo       *float64 `json:"nelo,omitempty"`
	NError     *float64 `json:"nelo_error,omitempty"`
	DrawRatio  *float64 `json:"draw_ratio,omitempty"`
	PairsRatio *float64 `json:"pairs_ratio,omitempty"`
}

func scoreJSON(s Score) jsonScore {
	e := s.Estimate()
	out := jsonScore{
		Games: s.Games(), Points: s.Points(), Wins: s.Wins, Draws: s.Draws, Losses: s.Losses,
		Elo: finite(e.Elo), Error: finite(e.Error), LOS: round(e.LOS), Model: s.model(),
	}
	if s.Pairs != [5]int{} {
		out.Pairs = s.Pairs[:]
	}
	return out
}

func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return new(round(x))
}

// round rounds to four digits, on which all machines agree, and to 0 instead of -0.
func round(x float64) float64 { return math.Round(x*1e4)/1e4 + 0 }
