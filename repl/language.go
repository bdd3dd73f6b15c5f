package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/pluginclient"
)

// speaker is an engine that has a language of its own; nil if it speaks QHPLUGIN.
func (e *attached) speaker() pluginclient.Speaker {
	speaker, _ := e.session.(pluginclient.Speaker)
	return speaker
}

// phrase is a command of an engine's own language.
func (e *attached) phrase(word string) (pluginclient.Phrase, bool) {
	phrases := e.speaker().Phrases()
	i := slices.IndexFunc(phrases, func(p pluginclient.Phrase) bool { return p.Word == word })
	if i < 0 {
		return pluginclient.Phrase{}, false
	}
	return phrases[i], true
}

// asCommand is a phrase with what follows it as an entry of the table.
func asCommand(line string, p pluginclient.Phrase) *command {
	cmd := &command{name: p.Word, usage: p.Usage, summary: p.Summary, needs: anEngine, many: true, run: func(c *call) error {
		if c.engine.speaker() == nil {
			return fmt.Errorf("%s speaks QHPLUGIN, which has no %s", c.engine.name, p.Word)
		}
		return c.utter(line, p)
	}}
	if p.Complete != nil {
		cmd.complete = func(_ *Shell, before []string) (all []candidate) {
			words, more := p.Complete(before)
			for _, word := range words {
				all = append(all, candidate{text: word, open: !more})
			}
			return all
		}
	}
	return cmd
}

// speaks tells whether the current engine has a language of its own.
func (s *Shell) speaks() bool { return s.current != nil && s.current.speaker() != nil }

// command is a command of the shell, or of the current engine's own language; nil if there
// is none. line is all of it.
func (s *Shell) command(word, line string) *command {
	if !s.speaks() || strings.HasPrefix(word, ".") {
		return s.table.find(word)
	}
	if p, ok := s.current.phrase(word); ok {
		return asCommand(line, p)
	}
	return nil
}

// protocol are the commands of the current engine's language, as the help lists them.
func (s *Shell) protocol() []*command {
	if !s.speaks() {
		return protocolCommands()
	}
	var all []*command
	for _, p := range s.current.speaker().Phrases() {
		all = append(all, asCommand(p.Word, p))
	}
	return all
}

// utter sends a line in an engine's own language, waits, and shows the answer.
func (c *call) utter(text string, p pluginclient.Phrase) error {
	w := wait{engines: []*attached{c.engine}}
	if p.Thinks {
		w.ahead, w.live = true, c.engine.thinking
	}
	var answer []string
	err := c.shell.await(c.ctx, w, func(ctx context.Context) (err error) {
		answer, err = c.engine.raw(ctx, text)
		return err
	})
	if errors.As(err, new(told)) {
		return err
	}
	for _, line := range answer {
		fmt.Fprintln(c.out, line)
	}
	switch {
	case errors.Is(err, errAborted):
		c.shell.chat("%s: stopped", c.engine.name)
		return nil
	case err != nil:
		return c.shell.blame(c.engine, err)
	case p.Quits && !c.engine.speaker().Fails(answer):
		c.engine.state = ended
		c.shell.chatEnded(c.engine)
	}
	if c.engine.speaker().Fails(answer) {
		return errAnswered
	}
	return nil
}

// unknownTo is the error of a line that means nothing to an engine with a language of its own.
func (s *Shell) unknownTo(e *attached, word string) error {
	var words []string
	for _, p := range e.speaker().Phrases() {
		words = append(words, p.Word)
	}
	if guess := Closest(word, words); guess != "" {
		return fmt.Errorf("unknown command %q: did you mean %s?", word, guess)
	}
	if own := s.table.find("." + word); own != nil {
		return fmt.Errorf("unknown command %q: did you mean %s?", word, own.name)
	}
	return fmt.Errorf("%q is no command, no move and no position: .help lists the commands, .send sends anything to %s", word, e.name)
}
