package stats

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient/task/batch"
)

// A Matrix is several files and the agreement of each pair of them.
type Matrix struct {
	Files []Summary `json:"files"`
	Pairs []Pairing `json:"pairs"` // each file with all later ones, in the order of the files
}

// A Pairing is two files of a Matrix.
type Pairing struct {
	First  string `json:"first"`
	Second string `json:"second"`
	Agreement

	at [2]int // their indexes in Files
}

// Compare compares files. warn is called with the error of what is not an answer.
func Compare(files []string, answers []iter.Seq2[batch.Answer, error], o Options, warn func(error)) (*Matrix, error) {
	m := &Matrix{}
	var sides []*inputFile
	var comparers []*comparer // of m.Pairs
	for i, file := range files {
		in := openFile(file, answers[i], &o, warn)
		defer in.stop()
		sides = append(sides, in)
		for j := i + 1; j < len(files); j++ {
			comparers = append(comparers, newComparer(file, files[j], &o))
			m.Pairs = append(m.Pairs, Pairing{First: file, Second: files[j], at: [2]int{i, j}})
		}
	}
	for more := true; more; {
		more = false
		for i := range sides {
			a, _, ok, err := sides[i].take()
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			more = true
			key := o.normalise(&a)
			for n, p := range m.Pairs {
				if side := slices.Index(p.at[:], i); side >= 0 {
					if err := comparers[n].add(side, key, a); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	for n := range m.Pairs {
		m.Pairs[n].Agreement = comparers[n].agreement()
	}
	for _, side := range sides {
		side.finish()
		m.Files = append(m.Files, side.Summary)
	}
	return m, nil
}

// Comparison returns a Matrix of two files as a Comparison.
func (m *Matrix) Comparison() Comparison {
	return Comparison{m.Files[0], m.Files[1], m.Pairs[0].Agreement}
}

// Report writes a Matrix for display: all Summaries, then tables that compare the files, which
// are numbered.
func (m *Matrix) Report(b *strings.Builder) {
	for _, s := range m.Files {
		s.Report(b)
		b.WriteByte('\n')
	}
	for i, s := range m.Files {
		fmt.Fprintf(b, "%3d  %s\n", i+1, printable.Line(s.File))
	}
	m.square(b, "same best move", func(a *Agreement) string { return percentOf(a.SameMove, a.SameMove+a.OtherMove) })
	m.square(b, correlationTitle, func(a *Agreement) string {
		if a.Chances == nil {
			return ""
		}
		return fmt.Sprintf("%.2f", a.Chances.Pearson)
	})
	m.square(b, "scores apart, on average", func(a *Agreement) string {
		if a.Scores == nil {
			return ""
		}
		return fmt.Sprintf("%.2f", a.Scores.MeanAbs/100)
	})
	m.bands(b)
	rows := [][]string{{"files", "in both", "only in the first", "only in the second", "differences"}}
	for _, p := range m.Pairs {
		rows = append(rows, []string{
			p.name(), strconv.Itoa(p.Both), strconv.Itoa(p.OnlyFirst), strconv.Itoa(p.OnlySecond), strconv.Itoa(p.Differences),
		})
	}
	b.WriteString("\npositions (-format jsonl lists the differences)\n")
	align(b, rows)
}

// square writes a table with a row and a column for each file.
func (m *Matrix) square(b *strings.Builder, title string, cell func(a *Agreement) string) {
	rows := make([][]string, len(m.Files)+1)
	for i := range rows {
		rows[i] = make([]string, len(m.Files)+1)
		if i > 0 {
			rows[0][i], rows[i][0], rows[i][i] = strconv.Itoa(i), strconv.Itoa(i), "-"
		}
	}
	for _, p := range m.Pairs {
		i, j := p.at[0]+1, p.at[1]+1
		text := cell(&p.Agreement)
		rows[i][j], rows[j][i] = text, text
	}
	fmt.Fprintf(b, "\n%s\n", title)
	align(b, rows)
}

// bands writes the table of agreement by score: a row per band, a column per pair.
func (m *Matrix) bands(b *strings.Builder) {
	rows := [][]string{{""}}
	counts := map[binIndex]int{}
	for _, p := range m.Pairs {
		rows[0] = append(rows[0], p.name())
		for _, band := range p.Bands {
			counts[band.edge] += band.Count
		}
	}
	for _, bin := range binsOf(counts) {
		if bin.Count == 0 {
			continue
		}
		row := []string{bin.label()}
		for _, p := range m.Pairs {
			row = append(row, p.band(bin.edge))
		}
		rows = append(rows, row)
	}
	if len(rows) > 1 {
		fmt.Fprint(b, "\nsame best move, by the score in the first file of the two\n")
		align(b, rows)
	}
}

// band returns a cell of the table of bands.
func (p *Pairing) band(at binIndex) string {
	for _, band := range p.Bands {
		if band.edge == at {
			return fmt.Sprintf("%d of %d", band.SameMove, band.Count)
		}
	}
	return ""
}

func (p *Pairing) name() string { return fmt.Sprintf("%d and %d", p.at[0]+1, p.at[1]+1) }
