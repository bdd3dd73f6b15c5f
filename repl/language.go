package repl

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/pluginclient"
)

// languageOf returns the language of an engine, or the host's default if e is nil or has none of
// its own.
func (s *Shell) languageOf(e *attached) pluginclient.Language {
	if e != nil {
		if speaker, ok := pluginclient.As[pluginclient.LanguageProvider](e.session); ok {
			return speaker.Language()
		}
	}
	return s.host.Language
}

// stopLanguages returns the languages in which an engine can be told to stop: its own and the
// default.
func (s *Shell) stopLanguages(e *attached) []pluginclient.Language {
	return []pluginclient.Language{s.languageOf(e), s.host.Language}
}

// stopOf returns how a line typed while engines think stops them, or 0 if it does not.
func (a *waiter) stopOf(line string) pluginclient.Stop {
	for _, e := range a.engines() {
		for _, l := range a.stopLanguages(e) {
			if p, _ := l.Lookup(line); p.Stop != 0 {
				return p.Stop
			}
		}
	}
	return 0
}

// stopWords returns the words that stop an engine in the given way.
func (s *Shell) stopWords(e *attached, how pluginclient.Stop) (words []string) {
	for _, l := range s.stopLanguages(e) {
		for _, p := range l.Commands {
			if p.Stop == how && !slices.Contains(words, p.Word) {
				words = append(words, p.Word)
			}
		}
	}
	return words
}

// spec returns what the engine's language says about a line, or the zero CommandSpec if it is
// unknown.
func (c *call) spec(line string) pluginclient.CommandSpec {
	p, _ := c.shell.languageOf(c.engine).Lookup(line)
	return p
}

func protocolCommand(l pluginclient.Language, p pluginclient.CommandSpec) *command {
	cmd := &command{
		name: p.Word, group: groupProtocol, usage: p.Usage, summary: p.Summary, help: p.Help,
		text: true, needs: needsEngine, ability: p.Needs, many: true, run: runSend,
	}
	if text := p.Reference(l.Name); text != "" {
		cmd.reference = "\n" + text
	}
	if p.Complete != nil {
		cmd.complete = func(_ *Shell, before []string) []pluginclient.Completion { return p.Complete(before) }
	}
	return cmd
}

func protocolCommands(l pluginclient.Language) (all []*command) {
	for _, p := range l.Commands {
		all = append(all, protocolCommand(l, p))
	}
	return all
}

// commands returns all commands that are available now: those of the current engine's language and
// those of the shell.
func (s *Shell) commands() []*command {
	return slices.Concat(protocolCommands(s.languageOf(s.current)), s.table.all())
}

// command returns the command that a line starts with, or nil.
func (s *Shell) command(line string) *command {
	word, _ := cutWord(line)
	l := s.languageOf(s.current)
	if p, ok := l.Lookup(word); ok && !strings.HasPrefix(word, ".") {
		return protocolCommand(l, p)
	}
	return s.table.find(word)
}

// checkWord returns an error if the engine's language does not have the word.
func (c *call) checkWord(word string) error {
	l := c.shell.languageOf(c.engine)
	if _, ok := l.Lookup(word); ok {
		return nil
	}
	if l.Name == "" {
		return fmt.Errorf("%s has no %s", c.engine.name, word)
	}
	return fmt.Errorf("%s speaks %s, which has no %s", c.engine.name, l.Name, word)
}
