package repl

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
)

// A candidate is a word that may stand where the cursor is.
type candidate struct {
	text string
	note string // for a person; may be empty
	open bool   // no blank is put behind it: more of the word may follow, or nothing at all
}

// byText is the order of candidates by their texts.
func byText(a, b candidate) int { return strings.Compare(a.text, b.text) }

// begins reports whether the candidate begins with what was typed, in any case.
func (c candidate) begins(typed string) bool {
	return len(c.text) >= len(typed) && strings.EqualFold(c.text[:len(typed)], typed)
}

// words are candidates that are always the same.
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

// named are commands. What takes no arguments goes to the engine without a blank.
func commandCandidate(c *command) candidate { return candidate{text: c.name, open: c.usage == ""} }

// A completion is what completing a line comes to.
type completion struct {
	line    string      // with what is certain filled in
	cursor  int         // in bytes
	choices []candidate // what there is to choose from; none if it is settled
}

// complete completes the word before the cursor, a number of bytes. What stands behind
// the cursor stays there.
func (s *Shell) complete(line string, cursor int) completion {
	before, behind := line[:cursor], line[cursor:]
	if s.inStarlark(before) {
		return s.completeStarlark(before, behind)
	}
	from := strings.LastIndexAny(before, " \t") + 1
	return choose(before, behind, from, s.candidates(before[:from], before[from:]))
}

// choose completes what begins at from by those of the candidates that fit.
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

// commonPrefix is what several candidates begin with, in the letters of the first.
func commonPrefix(all []candidate) string {
	same := all[0].text
	for _, c := range all[1:] {
		for !strings.HasPrefix(strings.ToLower(c.text), strings.ToLower(same)) {
			same = same[:len(same)-1]
		}
	}
	return strings.ToValidUTF8(same, "")
}

// candidates are what the word that has been begun may be. before is what stands in
// front of it.
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

// firstWords are the commands: the shell's own once a dot is there, and else the words
// of the protocol; if none of them fits, the moves.
func (s *Shell) firstWords(typed string) []candidate {
	var all []candidate
	for _, c := range s.commands() {
		if strings.HasPrefix(c.name, ".") == strings.HasPrefix(typed, ".") {
			all = append(all, commandCandidate(c))
		}
	}
	begun := func(c candidate) bool { return c.begins(typed) }
	if typed != "" && !strings.HasPrefix(typed, ".") && !slices.ContainsFunc(all, begun) {
		return movesAfter(s, nil, s.style)
	}
	return all
}

// continuations are what the next line of a command that takes several may be.
func (s *Shell) continuations() []candidate {
	p, _ := s.languageOf(s.current).Lookup(s.continuing[0])
	if p.CompleteLine == nil {
		return nil
	}
	return candidates(p.CompleteLine(s.continuing[1:]))
}

// forAll completes the command behind .all.
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

// movesAfter are the legal moves after others.
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

// specs are the names that stand for a SPEC, and files.
func specs(s *Shell, before []string) []candidate {
	if len(before) > 0 {
		return fileNames(s, before)
	}
	return append(plainWords(s.host.Names), fileNames(s, before)...)
}

// ownSquares are where the pieces stand that can move.
func movableSquares(s *Shell, before []string) []candidate {
	if s.current == nil || len(before) > 0 {
		return nil
	}
	pos := s.current.session.Position()
	pieces, ok := games.Ability[games.PieceInspector](s.host.Games, pos.Game())
	if !ok {
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
	styles := s.host.Games.Styles(s.rules(s.current))
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

// maxFiles is how many names of one folder are looked at.
const maxFiles = 2000

// numberedFiles are files behind which :N may follow.
func numberedFiles(s *Shell, before []string) []candidate {
	all := fileNames(s, before)
	for i := range all {
		all[i].open = true
	}
	return all
}

// fileNames are the files in the folder that has been typed.
func fileNames(s *Shell, _ []string) []candidate { return s.files(s.typing) }

// files are the files that a path which has been begun may lead to.
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
			continue // it would have to stand in quotes
		}
		c := candidate{text: folder + entry.Name()}
		if entry.IsDir() {
			c.text, c.open = c.text+string(filepath.Separator), true
		}
		all = append(all, c)
	}
	return all
}

// list shows candidates to a person: in columns, or with their notes a line each.
func list(all []candidate, width int) string {
	noted := slices.ContainsFunc(all, func(c candidate) bool { return c.note != "" })
	var rows [][]string
	if noted {
		for _, c := range all {
			rows = append(rows, []string{"  " + c.text, c.note})
		}
		return columns(rows)
	}
	widest := 0
	for _, c := range all {
		widest = max(widest, wide.StringWidth(c.text))
	}
	each := max(1, (width-1)/(widest+2))
	for i, c := range all {
		if i%each == 0 {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], c.text)
	}
	return columns(rows)
}
