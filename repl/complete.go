package repl

import (
	"flag"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/annotate"
)

func byText(a, b pluginclient.Completion) int { return strings.Compare(a.Text, b.Text) }

// begins reports whether the completion starts with typed, ignoring case.
func begins(c pluginclient.Completion, typed string) bool {
	return len(c.Text) >= len(typed) && strings.EqualFold(c.Text[:len(typed)], typed)
}

// words returns a completion function for a fixed list of words.
func words(texts ...string) func(*Shell, []string) []pluginclient.Completion {
	return func(*Shell, []string) []pluginclient.Completion { return pluginclient.Completions(texts, false) }
}

// commandCompletion returns the completion for a command's name, which a blank follows if the
// command has arguments.
func commandCompletion(c *command) pluginclient.Completion {
	return pluginclient.Completion{Text: c.name, More: c.usage != ""}
}

// A completion is the result of completing a line.
type completion struct {
	line    string                    // with the completed text
	cursor  int                       // a byte offset
	choices []pluginclient.Completion // several possible completions; empty if there is only one
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
func choose(before, behind string, from int, all []pluginclient.Completion) completion {
	typed := before[from:]
	var fitting []pluginclient.Completion
	for _, c := range all {
		if begins(c, typed) {
			fitting = append(fitting, c)
		}
	}
	switch len(fitting) {
	case 0:
		return completion{line: before + behind, cursor: len(before)}
	case 1:
		text := fitting[0].Text
		if fitting[0].More && !strings.HasPrefix(behind, " ") {
			text += " "
		}
		return completion{line: before[:from] + text + behind, cursor: from + len(text)}
	}
	same := fitting[0].Text // the longest common prefix, ignoring case
	for _, c := range fitting[1:] {
		for !begins(c, same) {
			same = same[:len(same)-1]
		}
	}
	same = strings.ToValidUTF8(same, "")
	done := completion{line: before[:from] + same + behind, cursor: from + len(same)}
	if len(same) <= len(typed) {
		done.choices = fitting
	}
	return done
}

// candidates returns the possible completions of typed, where before is the text in front of it.
func (s *Shell) candidates(before, typed string) []pluginclient.Completion {
	if s.continuing != nil {
		return s.continuations()
	}
	s.typing = typed
	name, rest := cutWord(before)
	if name == "" {
		return s.firstWords(typed)
	}
	cmd := s.command(name)
	if cmd != nil {
		return cmd.arguments(s, strings.Fields(rest))
	}
	if moves, bad := s.reader(s.current).parseMoves(before); len(moves) > 0 && bad == "" {
		return movesAfter(s, moves)
	}
	return nil
}

// arguments completes the value of a flag, or flags and operands, after the words before.
func (cmd *command) arguments(s *Shell, before []string) (all []pluginclient.Completion) {
	if fs, _ := cmd.flags(&call{shell: s, engine: s.current}); fs != nil {
		switch last := append([]string{""}, before...)[len(before)]; last {
		case "-notation":
			return pluginclient.Completions(s.host.Games.Notations(), false)
		case "-style":
			return pluginclient.Completions(s.host.Games.Row(s.rules(s.current)).Styles, false)
		case "-lang":
			return pluginclient.Completions([]string{annotate.English.String(), annotate.Chinese.String()}, false)
		case "-o":
			return fileNames(s, nil)
		}
		fs.VisitAll(func(f *flag.Flag) { all = append(all, pluginclient.Completion{Text: "-" + f.Name, More: true}) })
	}
	if cmd.complete != nil {
		all = append(all, cmd.complete(s, before)...)
	}
	return all
}

// firstWords returns the completions of a line's first word: commands of the shell after a dot,
// otherwise words of the protocol, or moves if none of those match.
func (s *Shell) firstWords(typed string) []pluginclient.Completion {
	var all []pluginclient.Completion
	for _, c := range s.commands() {
		if strings.HasPrefix(c.name, ".") == strings.HasPrefix(typed, ".") {
			all = append(all, commandCompletion(c))
		}
	}
	matches := func(c pluginclient.Completion) bool { return begins(c, typed) }
	if typed != "" && !strings.HasPrefix(typed, ".") && !slices.ContainsFunc(all, matches) {
		return movesAfter(s, nil)
	}
	return all
}

// continuations returns the completions of the next line of a multi-line command.
func (s *Shell) continuations() []pluginclient.Completion {
	p, _ := s.languageOf(s.current).Lookup(s.continuing[0])
	if p.CompleteLine == nil {
		return nil
	}
	return p.CompleteLine(s.continuing[1:])
}

// completeAll completes the command after .all.
func completeAll(s *Shell, before []string) []pluginclient.Completion {
	if len(before) > 0 {
		if cmd := s.command(before[0]); cmd != nil {
			return cmd.arguments(s, before[1:])
		}
		return nil
	}
	var all []pluginclient.Completion
	for _, c := range s.commands() {
		if c.many {
			all = append(all, commandCompletion(c))
		}
	}
	return all
}

// movesAfter returns the legal moves after the moves in texts.
func movesAfter(s *Shell, texts []string) []pluginclient.Completion {
	if s.current == nil {
		return nil
	}
	pos, err := s.reader(s.current).play(s.current.session.Position(), texts)
	if err != nil {
		return nil
	}
	all := s.moveCompletions(pos, pos.Moves())
	slices.SortFunc(all, byText)
	return all
}

func (s *Shell) moveCompletions(pos engine.Position, moves []engine.Move) (all []pluginclient.Completion) {
	for _, m := range moves {
		if name := s.host.Games.MoveName(pos, m, s.style); name != "" {
			all = append(all, pluginclient.Completion{Text: name})
		}
	}
	return all
}

func engineNames(s *Shell, before []string) []pluginclient.Completion {
	if len(before) > 0 {
		return nil
	}
	var all []pluginclient.Completion
	for _, e := range s.engines {
		all = append(all, pluginclient.Completion{Text: e.name, Note: e.session.Info().Name})
	}
	return all
}

// specs completes a SPEC, and files behind it.
func specs(s *Shell, before []string) []pluginclient.Completion {
	if len(before) > 0 {
		return fileNames(s, before)
	}
	return s.host.CompleteSpec(s.typing)
}

// movableSquares completes the squares of pieces that have a legal move.
func movableSquares(s *Shell, before []string) []pluginclient.Completion {
	if s.current == nil || len(before) > 0 {
		return nil
	}
	pos := s.current.session.Position()
	pieces := s.host.Games.Row(pos.Game())
	if !games.HasPieces(pieces) {
		return nil
	}
	var all []pluginclient.Completion
	for _, p := range movable(pieces, pos, pos.Moves()) {
		all = append(all, pluginclient.Completion{Text: p.Point, Note: p.Kind})
	}
	slices.SortFunc(all, byText)
	return all
}

// loadedNames completes files, which :N may follow.
func loadedNames(s *Shell, before []string) []pluginclient.Completion {
	all := fileNames(s, before)
	for i := range all {
		all[i].More = false
	}
	return all
}

func fileNames(s *Shell, _ []string) []pluginclient.Completion {
	return slices.DeleteFunc(pluginclient.CompletePath(s.typing, "", nil), func(c pluginclient.Completion) bool {
		return strings.ContainsAny(c.Text, " \t\"'") // would need quotes
	})
}

// list formats candidates for the user: in columns, or one per line if they have notes.
func list(all []pluginclient.Completion, width int) string {
	noted := slices.ContainsFunc(all, func(c pluginclient.Completion) bool { return c.Note != "" })
	var rows [][]string
	if noted {
		for _, c := range all {
			rows = append(rows, []string{"  " + c.Text, c.Note})
		}
		return printable.Table(rows, "l")
	}
	widest := 0
	for _, c := range all {
		widest = max(widest, printable.Width.StringWidth(c.Text))
	}
	each := max(1, (width-1)/(widest+2))
	for i, c := range all {
		if i%each == 0 {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], c.Text)
	}
	return printable.Table(rows, "l")
}

// inStarlark reports whether the line that starts with before is Starlark.
func (s *Shell) inStarlark(before string) bool {
	if s.script.block != nil {
		return true
	}
	word, _ := cutWord(before)
	if s.script.prompting && !strings.HasPrefix(word, ".") {
		return true
	}
	cmd := s.table.find(word)
	behindWord := strings.TrimLeft(before, " \t") != word
	return cmd != nil && cmd.name == scriptExtension && behindWord
}

// completeStarlark completes the name before the cursor, or an attribute of a name. Before the
// first word of a line it indents.
func (s *Shell) completeStarlark(before, behind string) completion {
	const indent = "    "
	if strings.TrimSpace(before) == "" {
		return completion{line: before + indent + behind, cursor: len(before) + len(indent)}
	}
	from := strings.LastIndexAny(before, " \t()[]{}<>=!+-*/%,:;&|^~@'\"\\#") + 1 // of a dotted name
	path := before[from:]
	env := s.script.environment()
	var names []string
	switch owner, _, dotted := strings.Cut(path, "."); {
	case !dotted:
		names = env.Names()
	case strings.Count(path, ".") == 1:
		from += len(owner) + 1
		names = env.Attributes(owner)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, before[from:]) }) // case matters here
	return choose(before, behind, from, pluginclient.Completions(names, false))
}
