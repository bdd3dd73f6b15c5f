package records

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
)

// Statistics count what a collection of games has. Games and Library must be set.
type Statistics struct {
	Games   games.Table
	Library *record.Library
	Files   int
	Invalid int            // games that could not be read to their end
	Formats map[string]int // files by format

	duplicates                 Duplicates
	lengths                    []int
	results                    map[engine.Outcome]int
	first, last                string // dates
	undated                    int
	comments, variations, eval int
	players                    record.Spellings
	names                      map[string]int // players' names as they are written
	openings, events           map[string]int
}

// Add counts a game.
func (s *Statistics) Add(file string, number int, g *record.Game) {
	if s.results == nil {
		s.results, s.names, s.openings, s.events = map[engine.Outcome]int{}, map[string]int{}, map[string]int{}, map[string]int{}
		s.duplicates.Games = s.Games
	}
	s.duplicates.Add(file, number, g)
	s.lengths = append(s.lengths, g.Plies())
	s.results[g.Result]++
	if date := strings.ReplaceAll(g.Tags.Known("Date"), ".??", ""); pgnDate().MatchString(date) {
		if s.first == "" || date < s.first {
			s.first = date
		}
		s.last = max(s.last, date)
	} else {
		s.undated++
	}
	for _, tag := range s.Library.PGN.Players() {
		if name := s.Games.PlayerName(g.Start.Game(), g.Tags.Known(tag)); name != "" {
			s.names[name]++
		}
	}
	if opening := s.Games.Opening(g); opening != "" {
		s.openings[opening]++
	}
	if event := cmp.Or(g.Tags.Known("Event"), g.Tags.Known("Title")); event != "" {
		s.events[event]++
	}
	comments, variations := 0, 0
	g.Walk(func(n *record.Node) bool {
		comments += len(n.StartingComment) + len(n.Comment)
		variations += max(0, len(n.Next)-1)
		return true
	})
	s.comments += min(comments, 1)
	s.variations += min(variations, 1)
	for scored := range s.Library.Scored(g) {
		if comments == 0 || scored.Score.Known() {
			s.eval += min(comments, 1)
			break
		}
	}
}

// pgnDate matches a date as PGN has it, without what is not known. There is no month above 12, and no day above 31.
var pgnDate = lazyregexp.New(`^[12]\d{3}(\.(0\d|1[0-2])(\.([0-2]\d|3[01]))?)?$`)

// listed is how many openings, events and players are listed.
const listed = 20

// parts returns the statistics: parts with names and values, of which some are numbers of games.
func (s *Statistics) parts() (parts object) {
	of := map[Relation]int{}
	for _, d := range s.duplicates.Find(true) {
		of[d.Relation]++
	}
	for _, name := range slices.Sorted(maps.Keys(s.names)) {
		s.players.Add(name, s.names[name])
	}
	played := map[string]int{}
	for name, times := range s.names {
		played[s.players.Usual(name)] += times
	}
	slices.Sort(s.lengths)
	length := func(part int) int { // in percent
		if len(s.lengths) == 0 {
			return 0
		}
		return s.lengths[(len(s.lengths)-1)*part/100]
	}
	side := func(t engine.Turn) string { return engine.SideName(s.Library.Game, t) + " wins" }
	parts = object{
		{"collection", object{
			{"games", len(s.lengths)},
			{"files", s.Files},
			{"invalid games", s.Invalid},
			{"players", len(played)},
			{"openings", len(s.openings)},
			{"events", len(s.events)},
		}},
		{"dates", object{{"first", s.first}, {"last", s.last}, {"unknown", s.undated}}},
		{"plies", object{{"shortest", length(0)}, {"median", length(50)}, {"longest", length(100)}}},
		{"results", object{
			{side(engine.First), s.results[engine.FirstWins]},
			{side(engine.Second), s.results[engine.SecondWins]},
			{"draw", s.results[engine.Draw]},
			{"unknown", s.results[engine.Ongoing]},
		}},
		{"games with", object{{"comments", s.comments}, {"variations", s.variations}, {"evaluations", s.eval}}},
		{"repeated games", object{{string(Same), of[Same]}, {string(CutShort), of[CutShort]}, {string(Alike), of[Alike]}}},
		{"files of format", top(s.Formats, len(s.Formats))},
		{"players", top(played, listed)},
		{"openings", top(s.openings, listed)},
		{"events", top(s.events, listed)},
	}
	ambiguous := map[string]int{}
	for _, pair := range s.players.Ambiguous() {
		ambiguous[pair[0]+" / "+pair[1]] = s.names[pair[0]] + s.names[pair[1]]
	}
	return append(parts, object{{"one name or two", top(ambiguous, len(ambiguous))}}...)
}

// top returns the n most frequent names.
func top(counts map[string]int, n int) (most object) {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, name := range names[:min(n, len(names))] {
		most = append(most, object{{name, counts[name]}}...)
	}
	return most
}

// A StatisticsWriter writes statistics to w.
type StatisticsWriter = func(w io.Writer, s *Statistics) error

// StatisticsFormats returns the output formats for statistics. The first is the default.
func StatisticsFormats() format.Table[StatisticsWriter] {
	return format.Table[StatisticsWriter]{
		{Name: "text", Extensions: []string{".txt"}, Write: func(w io.Writer, s *Statistics) error {
			for i, part := range s.parts() {
				rows := [][]string{{part.key, ""}}
				for _, field := range part.value.(object) {
					if field.value != "" {
						rows = append(rows, []string{"  " + field.key, fmt.Sprint(field.value)})
					}
				}
				if len(rows) == 1 {
					continue
				}
				if _, err := io.WriteString(w, map[bool]string{true: "\n"}[i > 0]+printable.Table(rows, "lr")); err != nil {
					return err
				}
			}
			return nil
		}},
		{Name: "json", Extensions: []string{".jsonl", ".json"}, Write: func(w io.Writer, s *Statistics) error {
			return format.JSONLine(w, s.parts())
		}},
		{Name: "csv", Extensions: []string{".csv"}, Write: func(w io.Writer, s *Statistics) error {
			rows := [][]string{{"part", "name", "value"}}
			for _, part := range s.parts() {
				for _, field := range part.value.(object) {
					rows = append(rows, []string{part.key, field.key, fmt.Sprint(field.value)})
				}
			}
			return format.CSV(w, rows...)
		}},
	}
}
