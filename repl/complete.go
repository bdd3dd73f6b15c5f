package repl

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
)

// A candidate is a possible completion of a word.
type candidate struct {
	text string
	note string // shown to the user; may be empty
	open bool   // no blank is added after it
}

// byText compares candidates by their texts.
func byText(a, b candidate) int { return strings.Compare(a.text, b.text) }

// begins reports whether the candidate starts with typed, ignoring case.
func (c candidate) begins(typed string) bool {
	return len(c.text) >= len(typed) && strings.EqualFold(c.text[:len(typed)], typed)
}

// words returns a completion function for a fixed list of words.
func words(texts ...string) func(*Shell, []string) []candidate {
	return func(*Shell, []string) []candidate { return plainWords(texts) }
}

func plainWords(texts []string) []candidate {
	var all []candidate
	for _, text := range texts {
		all = append(all, candidate{text: text, open: true})
	}
	return all
}

// commandCandidate returns the candidate for a command's name, which a blank follows if the
// command has arguments.
func commandCandidate(c *command) candidate { return candidate{text: c.name, open: c.usage == ""} }

// A completion is the result of completing a line.
type completion struct {
	line    string      // with the completed text
	cursor  int         // a byte offset
	choices []candidate // several possible completions; empty if there is only one
}

// complete completes the word before the cursor, a byte offset. What follows the cursor is kept.
func (s *Shell) complete(line string, cursor int) completion {
	before, behind := line[:cursor], line[cursor:]
	if s.inStarlark(before) {
		return s.completeStarlark(before, behind)
	}
	from := strings.LastIndexAny(before, " \t") + 1
	return choose(before, behind, from, s.candidates(before[:from], before[from:]))
}

// choose completes the word that starts at offset from with the candidates that match it.
func choose(before, behind string, from int, all []candidate) completion {
	typed := before[from:]
	var fitting []candidate
	for _, c := range all {
		if c.begins(typed) {
			fitting = append(fitting, c)
		}
	}
	switch len(fitting) {
	case 0:
		return completion{line: before + behind, cursor: len(before)}
	case 1:
		text := fitting[0].text
		if !fitting[0].open && !strings.HasPrefix(behind, " ") {
			text += " "
		}
		return completion{line: before[:from] + text + behind, cursor: from + len(text)}
	}
	same := commonPrefix(fitting)
	done := completion{line: before[:from] + same + behind, cursor: from + len(same)}
	if len(same) <= len(typed) {
		done.choices = fitting
	}
	return done
}

// commonPrefix returns the longest common prefix of the candidates, ignoring case, spelled as in
// the first.
func commonPrefix(all []candidate) string {
	same := all[0].text
	for _, c := range all[1:] {
		for !strings.HasPrefix(strings.ToLower(c.text), strings.ToLower(same)) {
			same = same[:len(same)-1]
		}
	}
	return strings.ToValidUTF8(same, "")
}

// candidates returns the possible completions of typed, where before is the text in front of it.
func (s *Shell) candidates(before, typed string) []candidate {
	if s.continuing != nil {
		return s.continuations()
	}
	s.typing = typed
	name, rest := cutWord(before)
	if name == "" {
		return s.firstWords(typed)
	}
	cmd := s.command(name)
	if cmd != nil && cmd.complete != nil {
		return cmd.complete(s, strings.Fields(rest))
	}
	if moves, ok := s.reader(s.current).moves(before); ok && cmd == nil {
		return movesAfter(s, moves, s.style)
	}
	return nil
}

// firstWords returns the completions of a line's first word: commands of the shell after a dot,
// otherwise words of the protocol, or moves if none of those match.
func (s *Shell) firstWords(typed string) []candidate {
	var all []candidate
	for _, c := range s.commands() {
		if strings.HasPrefix(c.name, ".") == strings.HasPrefix(typed, ".") {
			all = append(all, commandCandidate(c))
		}
	}
	matches := func(c candidate) bool { return c.begins(typed) }
	if typed != "" && !strings.HasPrefix(typed, ".") && !slices.ContainsFunc(all, matches) {
		return movesAfter(s, nil, s.style)
	}
	return all
}

// continuations returns the completions of the next line of a multi-line command.
func (s *Shell) continuations() []candidate {
	p, _ := s.languageOf(s.current).Lookup(s.continuing[0])
	if p.CompleteLine == nil {
		return nil
	}
	return candidates(p.CompleteLine(s.continuing[1:]))
}

// completeAll completes the command after .all.
func completeAll(s *Shell, before []string) []candidate {
	if len(before) > 0 {
		if cmd := s.command(before[0]); cmd != nil && cmd.complete != nil {
			return cmd.complete(s, before[1:])
		}
		return nil
	}
	var all []candidate
	for _, c := range s.commands() {
		if c.many {
			all = append(all, commandCandidate(c))
		}
	}
	return all
}

func commandNames(s *Shell, before []string) []candidate {
	if len(before) > 0 {
		return nil
	}
	var all []candidate
	for _, c := range s.commands() {
		all = append(all, candidate{text: c.name, open: true})
	}
	return all
}

// movesAfter returns the legal moves after the moves in texts.
func movesAfter(s *Shell, texts []string, style string) []candidate {
	if s.current == nil {
		return nil
	}
	pos, err := s.reader(s.current).play(s.current.session.Position(), texts)
	if err != nil {
		return nil
	}
	var all []candidate
	for _, m := range pos.Moves() {
		for _, name := range s.host.Games.MoveNames(pos, []engine.Move{m}, style) {
			all = append(all, candidate{text: name, open: true})
		}
	}
	slices.SortFunc(all, byText)
	return all
}

func engineNames(s *Shell, before []string) []candidate {
	if len(before) > 0 {
		return nil
	}
	var all []candidate
	for _, e := range s.engines {
		all = append(all, candidate{text: e.name, note: e.session.Info().Name, open: true})
	}
	return all
}

// A SpecCompletion is a possible completion of a SPEC.
type SpecCompletion struct {
	Text string
	Note string // one line; may be empty
}

// specs completes a SPEC: names of engines, options, and files.
func specs(s *Shell, before []string) []candidate {
	if len(before) > 0 {
		return fileNames(s, before)
	}
	found, file := s.host.CompleteSpec(s.typing)
	var all []candidate
	for _, c := range found {
		all = append(all, candidate{text: c.Text, note: c.Note, open: true})
	}
	if file < 0 {
		return all
	}
	for _, c := range s.files(s.typing[file:]) {
		c.text = s.typing[:file] + c.text
		all = append(all, c)
	}
	return all
}

// movableSquares completes the squares of pieces that have a legal move.
func movableSquares(s *Shell, before []string) []candidate {
	if s.current == nil || len(before) > 0 {
		return nil
	}
	pos := s.current.session.Position()
	pieces := s.host.Games.Row(pos.Game())
	if !games.HasPieces(pieces) {
		return nil
	}
	var all []candidate
	for _, p := range movable(pieces, pos, pos.Moves()) {
		all = append(all, candidate{text: p.Point, note: p.Kind, open: true})
	}
	slices.SortFunc(all, byText)
	return all
}

func boardWords(s *Shell, before []string) []candidate {
	styles := s.host.Games.Row(s.rules(s.current)).Styles
	if len(styles) == 0 {
		return nil
	}
	if len(before) > 0 && before[len(before)-1] == "-style" {
		return plainWords(styles)
	}
	return append([]candidate{{text: "-style"}, {text: "-flip"}}, movableSquares(s, nil)...)
}

func treeWords(s *Shell, before []string) []candidate {
	if len(before) > 0 && before[len(before)-1] == "-o" {
		return fileNames(s, nil)
	}
	flags := func(*Shell, []string) []candidate {
		return []candidate{{text: "-width"}, {text: "-depth"}, {text: "-timeout"}, {text: "-o"}, {text: "-force"}}
	}
	return withNotation(flags)(s, before)
}

// maxFiles limits how many entries of a directory are listed.
const maxFiles = 2000

// loadWords completes files, which :N may follow, and the flags of .load.
func loadWords(s *Shell, before []string) []candidate {
	all := fileNames(s, before)
	for i := range all {
		all[i].open = true
	}
	return append(all, candidate{text: "-lenient"}, candidate{text: "-encoding"})
}

// fileNames completes the file name that is being typed.
func fileNames(s *Shell, _ []string) []candidate { return s.files(s.typing) }

// files returns the files whose paths start with typed.
func (s *Shell) files(typed string) []candidate {
	folder, _ := filepath.Split(typed)
	look := folder
	if look == "" {
		look = "."
	}
	entries, err := os.ReadDir(look)
	if err != nil {
		return nil
	}
	var all []candidate
	for _, entry := range entries[:min(len(entries), maxFiles)] {
		if strings.ContainsAny(entry.Name(), " \t\"'") {
			continue // would need quotes
		}
		c := candidate{text: folder + entry.Name()}
		if entry.IsDir() {
			c.text, c.open = c.text+string(filepath.Separator), true
		}
		all = append(all, c)
	}
	return all
}

// list formats candidates for the user: in columns, or one per line if they have notes.
func list(all []candidate, width int) string {
	noted := slices.ContainsFunc(all, func(c candidate) bool { return c.note != "" })
	var rows [][]string
	if noted {
		for _, c := range all {
			rows = append(rows, []string{"  " + c.text, c.note})
		}
		return printable.Table(rows, "l")
	}
	widest := 0
	for _, c := range all {
		widest = max(widest, printable.Width.StringWidth(c.text))
	}
	each := max(1, (width-1)/(widest+2))
	for i, c := range all {
		if i%each == 0 {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], c.text)
	}
	return printable.Table(rows, "l")
}
