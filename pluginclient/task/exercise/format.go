package exercise

import (
	"encoding/csv"
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
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/page"
)

// A Set is a list of exercises of one game.
type Set struct {
	Exercises []*Exercise

	games      games.Table
	options    annotate.WriteOptions
	common     page.Game
	repertoire *Repertoire // nil: mistakes
}

// A Writer writes exercises.
type Writer = func(w io.Writer, s *Set) error

// Formats returns the output formats: answers in those of puzzles, text for a person, cards for Anki, and a page. The first
// is the default.
func Formats() (all format.Table[Writer]) {
	for _, f := range batch.Formats(2) {
		if slices.Contains([]string{"json", "epd"}, f.Name) {
			all = append(all, format.Format[Writer]{Name: f.Name, Extensions: f.Extensions, Write: func(w io.Writer, s *Set) error { return s.writeAnswers(w, f) }})
		}
	}
	return append(all,
		format.Format[Writer]{Name: "text", Extensions: []string{".txt"}, Write: writeText},
		format.Format[Writer]{Name: "csv", Extensions: []string{".csv"}, Write: writeCards},
		format.Format[Writer]{Name: "html", Extensions: []string{".html", ".htm"}, Write: writePage},
	)
}

func (s *Set) writeAnswers(w io.Writer, f batch.Format) error {
	sink := f.Write(w)
	for i, e := range s.Exercises {
		if err := sink.Write(e.answer(i + 1)); err != nil {
			return err
		}
	}
	return batch.FinishSink(sink)
}

// writeCards writes a table for Anki, whose first lines say what its columns are: the board, the answer, and tags.
func writeCards(w io.Writer, s *Set) error {
	if _, err := io.WriteString(w, "#separator:Comma\n#html:true\n#columns:Front,Back,Tags\n#tags column:3\n"); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	for _, e := range s.Exercises {
		front, err := s.front(e)
		if err != nil {
			return err
		}
		tag := "mistake"
		if s.repertoire != nil {
			tag = "repertoire"
		}
		if err := out.Write([]string{front, s.back(e), "qhsh " + e.Pos.Game().Name() + " " + tag}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// front returns the front of a card: the board after the last move, and the prompt.
func (s *Set) front(e *Exercise) (string, error) {
	pos, err := engine.PlayMoves(e.Start, e.Path)
	if err != nil {
		return "", err
	}
	o := games.ImageOptions{Width: 400}
	if s.games.Row(pos.Game()).Board != nil {
		o.Flip, o.Chinese = pos.Turn() == engine.Second, s.options.Language == annotate.Chinese
	}
	svg, err := s.games.SVG(pos, o)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(svg) + "<div>" + printable.Markup(s.prompt(e)) + "</div>", nil
}

// prompt says whose move it is, and in a repertoire the moves so far.
func (s *Set) prompt(e *Exercise) string {
	game, language := e.Pos.Game(), s.options.Language
	side := s.games.Word(game, language.String(), engine.SideName(game, e.Pos.Turn()))
	text := language.Choose(printable.Capital(side)+" to move", side+"走")
	if s.repertoire != nil && len(e.Path) > 0 {
		text += ": " + s.names(e.Start, e.Path)
	}
	return text
}

// back returns the back of a card: the moves that are right, and what is said of them.
func (s *Set) back(e *Exercise) string {
	var b strings.Builder
	for _, line := range s.answer(e) {
		text := printable.Markup(line.text)
		if line.isRight {
			first, rest, _ := strings.Cut(text, ", ")
			text = "<b>" + first + "</b> " + rest
		}
		fmt.Fprintf(&b, "<div>%s</div>", text)
	}
	return b.String()
}

// An answerLine is a line of an answer for a person.
type answerLine struct {
	text    string
	isRight bool // it begins with a move that is right
}

// answer returns the lines that are right with what is said of them, and then what was played.
func (s *Set) answer(e *Exercise) (lines []answerLine) {
	say := func(texts ...string) {
		for _, text := range texts {
			if text != "" {
				lines = append(lines, answerLine{text: printable.Line(text)})
			}
		}
	}
	for i, line := range e.Right {
		lines = append(lines, answerLine{s.names(e.Pos, line), true})
		if e.place != nil {
			say(e.place.moves[i].comment)
		}
	}
	if len(e.Played) > 0 {
		say(s.options.Language.Choose("Played: ", "实战：") + s.names(e.Pos, e.Played))
		say(e.said...)
		say(e.source)
	}
	return lines
}

// writeText writes for a person: the position, whose move it is, and below it the answer.
func writeText(w io.Writer, s *Set) error {
	for i, e := range s.Exercises {
		number := strconv.Itoa(i+1) + ". "
		indent := "\n" + strings.Repeat(" ", len(number))
		text := number + printable.Line(e.ID) + indent + printable.Line(e.Pos.String()) + indent + s.prompt(e)
		for _, line := range s.answer(e) {
			text += indent + line.text
		}
		if _, err := io.WriteString(w, text+"\n\n"); err != nil {
			return err
		}
	}
	return nil
}

// names returns consecutive moves in the reader's notation.
func (s *Set) names(pos engine.Position, moves []engine.Move) string {
	return strings.Join(s.games.MoveNames(pos, moves, s.options.Notation), ", ")
}

// A drill is the data of a [page.Exercises].
type drill struct {
	page.Game
	Repertoire bool     `json:"repertoire"`
	Intervals  []int    `json:"intervals"` // days until a position that was solved is due again
	Exercises  []any    `json:"exercises"` // an excerpt or a path each
	Graph      []vertex `json:"graph,omitempty"`
}

// A task is what a page is told of an exercise besides its moves.
type task struct {
	Key   string   `json:"key"` // of its Memory
	At    int      `json:"at"`  // how many moves of the line lead to it
	Right []string `json:"right"`
	Place int      `json:"place"` // in the graph
}

// A vertex is a position of a repertoire.
type vertex struct {
	Own   bool   `json:"own,omitempty"` // the reader moves
	Moves []edge `json:"moves"`
}

// An edge is a move of a repertoire.
type edge struct {
	Move   string `json:"move"`
	Weight int    `json:"weight"`
	To     int    `json:"to"`
}

// writePage writes a page on which the exercises are played.
func writePage(w io.Writer, s *Set) error {
	if len(s.Exercises) == 0 {
		return nil
	}
	if game := s.Exercises[0].Pos.Game(); s.games.Script(game) == "" {
		return fmt.Errorf("no page can be made: the boards of %s do not play in a browser; use json, csv, epd or text", engine.Title(game))
	}
	data := drill{Game: s.common, Repertoire: s.repertoire != nil, Intervals: intervals[:]}
	for _, e := range s.Exercises {
		t := task{Key: Key(s.games, e.Pos), At: len(e.Path)}
		for _, line := range e.Right {
			t.Right = append(t.Right, e.Pos.Format(line[0]))
		}
		if e.place == nil {
			data.Exercises = append(data.Exercises, struct {
				task
				*annotate.Excerpt
			}{t, e.excerpt})
			continue
		}
		t.Place = e.place.at
		start, line := s.tree(e)
		data.Exercises = append(data.Exercises, struct {
			task
			Start page.Move   `json:"start"`
			Line  []page.Move `json:"line"`
		}{t, start, line})
	}
	if s.repertoire != nil {
		for _, p := range s.repertoire.places {
			v := vertex{Own: p.pos.Turn() == s.repertoire.Side, Moves: []edge{}}
			for _, b := range p.moves {
				v.Moves = append(v.Moves, edge{p.pos.Format(b.move), b.weight, b.to.at})
			}
			data.Graph = append(data.Graph, v)
		}
	}
	return data.Write(w, page.Exercises, printable.Plural(len(s.Exercises), "exercise"), data)
}

// tree returns the moves that lead to a position of a repertoire, with what follows.
func (s *Set) tree(e *Exercise) (page.Move, []page.Move) {
	var root record.Node
	n := root.AppendLine(e.Path)
	for _, b := range e.place.moves {
		last := n
		for _, next := range b.line() {
			last = last.Append(next.move)
			last.Comment = printable.Text(next.comment)
		}
	}
	start := page.Move{Node: s.common.Root(e.Start)}
	return start, s.common.Line(&root, e.Start, start.Number, nil)
}
