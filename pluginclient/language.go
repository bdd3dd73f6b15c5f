package pluginclient

import (
	"slices"
	"strconv"
	"strings"
)

// A LanguageProvider is a Session with a Language.
type LanguageProvider interface {
	Language() Language
}

// LanguageOf is a Session's Language; one without words if it is no Speaker.
func LanguageOf(s Session) Language {
	if speaker, ok := As[LanguageProvider](s); ok {
		return speaker.Language()
	}
	return Language{}
}

// A Language is what people type at a Session: the words of the shell's prompt, and how the
// answers to them are judged.
type Language struct {
	Name     string        // for a person; empty: it has none
	AnyCase  bool          // the case of its words does not matter
	OneMove  bool          // nobody types several moves in a line, so one that is wrong needs no number
	Commands []CommandSpec // in the order of the help

	// Ping is the line that a client sends behind a command whose answer has no end mark. Its
	// own answer is a number. Empty: there is none.
	Ping string
	// Failed reports whether the answer to a line says that it has failed; nil: none does.
	Failed func(answer []string) bool
	// Stopped finds in a conversation, which begins where the engine was asked to think, what
	// it has answered when it was told to stop; nil: that is not for people.
	Stopped func(conversation []Entry) []string
}

// Lookup is the command that a line, or the first of several, consists of.
func (l Language) Lookup(text string) (p CommandSpec, ok bool) {
	words := strings.Fields(text)
	i := slices.IndexFunc(l.Commands, func(p CommandSpec) bool {
		return len(words) > 0 && (p.Word == words[0] || l.AnyCase && strings.EqualFold(p.Word, words[0]))
	})
	if i < 0 {
		return CommandSpec{}, false
	}
	return l.Commands[i], true
}

// Fails reports whether the answer to a line says that it has failed.
func (l Language) Fails(answer []string) bool { return l.Failed != nil && l.Failed(answer) }

// A CommandSpec is a command of a Language.
type CommandSpec struct {
	Word      string
	Usage     string // what follows it
	Summary   string // one line, lower case
	Help      string // paragraphs; may be empty
	Needs     string // the ability that an engine has to announce; empty: none
	Thinks    bool   // the engine may take its time
	Moves     bool   // the engine makes the move that it answers
	Quits     bool   // the engine ends
	Interrupt bool   // it is for an engine that thinks, and has no answer of its own
	Stop      Stop   // what becomes of what the engine thinks about

	// Lines is how many lines belong to it, given the rest of its own; nil: none.
	Lines func(args string) int
	// IsComplete reports whether an answer is complete; nil: one line is.
	IsComplete func(answer []string) bool
	// Complete answers what the word behind these may be; nil: nothing follows, or nothing is
	// known.
	Complete func(before []string) []Completion
	// CompleteLine answers what the next of its Lines may be, behind the lines so far; nil:
	// nothing is known.
	CompleteLine func(lines []string) []Completion
}

// A Stop is how a command ends what an engine thinks about.
type Stop int

// The zero Stop does not.
const (
	GiveUp  Stop = iota + 1 // without an answer
	MoveNow                 // with the best so far
)

// A Completion is a word that may stand in a place.
type Completion struct {
	Text string
	Note string // for a person; may be empty
	More bool   // another word has to follow
}

// Completions are words without a note.
func Completions(words []string, more bool) (all []Completion) {
	for _, word := range words {
		all = append(all, Completion{Text: word, More: more})
	}
	return all
}

// A ReplyFilter finds the answers among the lines of a conversation, which it is shown one after the
// other. A ping goes out right behind a command whose answer has no end mark, so the answer is
// what comes before the ping's own, a number. Other lines that a client adds come when the
// command has been answered.
type ReplyFilter struct {
	Ping string // of the Language

	pinged, over bool
}

// IsReply reports whether the next line is part of an answer.
func (s *ReplyFilter) IsReply(dir Direction, text string) bool {
	switch dir {
	case Sent:
		s.pinged, s.over = false, false
	case Pinged:
		s.pinged = true
		s.over = s.over || !strings.EqualFold(strings.TrimSpace(text), s.Ping)
	case Received:
		if _, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && s.pinged {
			s.over = true
		}
		return !s.over
	}
	return false
}
