package pluginclient

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A LanguageProvider is a Session that describes its commands.
type LanguageProvider interface {
	Language() Language
}

// LanguageOf returns the Language of s. It is empty if s is not a LanguageProvider.
func LanguageOf(s Session) Language {
	if speaker, ok := As[LanguageProvider](s); ok {
		return speaker.Language()
	}
	return Language{}
}

// A Language describes the commands that a user can type at a Session's prompt, and how the
// replies to them are read.
type Language struct {
	Name     string        // display name; may be empty
	AnyCase  bool          // command words are case-insensitive
	AnyLine  bool          // every line is a command, not only those of Commands
	OneMove  bool          // a command takes one move at most, so errors need not number the moves
	Commands []CommandSpec // in the order of the help

	// Ping is the line that a client sends after a command whose reply has no end marker. The
	// reply to the ping is a number. Empty if there is no ping.
	Ping string
	// Failed reports whether a reply means that the command failed; nil: replies never do.
	Failed func(answer []string) bool
	// Stopped returns the reply to a search that was told to stop. The conversation begins with
	// the search command. nil: the reply is not shown to the user.
	Stopped func(conversation []Entry) []string
}

// Lookup returns the command that text begins with.
func (l Language) Lookup(text string) (p CommandSpec, ok bool) {
	words := strings.Fields(text)
	i := slices.IndexFunc(l.Commands, func(p CommandSpec) bool {
		return len(words) > 0 && (p.Word == words[0] || l.AnyCase && strings.EqualFold(p.Word, words[0]))
	})
	switch {
	case i < 0 && l.AnyLine && len(words) > 0:
		return CommandSpec{Word: words[0]}, true
	case i < 0:
		return CommandSpec{}, false
	}
	return l.Commands[i], true
}

// Fails reports whether a reply means that the command failed.
func (l Language) Fails(answer []string) bool { return l.Failed != nil && l.Failed(answer) }

// A CommandSpec is a command of a Language.
type CommandSpec struct {
	Word      string
	Usage     string // the arguments
	Summary   string // one line, lower case
	Help      string // paragraphs; may be empty
	Section   string // of the protocol's document; may be empty
	Replies   string // what the engine may reply; empty: nothing
	Example   string // a conversation, see Reference; may be empty
	Needs     string // ability that the engine must announce; may be empty
	Thinks    bool   // starts a search, which may take long
	Moves     bool   // the engine plays the move that it returns
	NewGame   bool   // sets up another game
	Quits     bool   // ends the engine
	Interrupt bool   // sent during a search; has no reply of its own
	Stop      Stop   // how it ends a running search

	// Lines returns how many further lines belong to the command, given its arguments; nil: none.
	Lines func(args string) int
	// IsComplete reports whether a reply is complete; nil: a reply is one line.
	IsComplete func(answer []string) bool
	// Complete returns completions for the next word after the given ones; nil: none.
	Complete func(before []string) []Completion
	// CompleteLine returns completions for the next of Lines after the given ones; nil: none.
	CompleteLine func(lines []string) []Completion
}

// A Stop is how a command ends a running search. The zero Stop does not end it.
type Stop int

// The ways to end a search.
const (
	GiveUp  Stop = iota + 1 // without a move
	MoveNow                 // with the best move so far
)

// A ReplyFilter finds the replies in a conversation, given its lines in order. If a reply has no
// end marker, the client sends a ping after the command, and the reply ends before the reply to
// the ping, which is a number. Other lines that a client adds come after the reply.
type ReplyFilter struct {
	Ping string // Language.Ping

	pinged, over bool
}

// IsReply reports whether the next line is part of a reply.
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

// Reference formats what the document of a protocol says about a command: its section, the replies and
// an example. In an example, "> " starts a line to the engine, "< " one from it, and "..." stands for
// the rest of a line, or for any lines. It returns "" if there is neither a section nor an example.
func (p CommandSpec) Reference(protocol string) string {
	var b strings.Builder
	if p.Section != "" {
		fmt.Fprintf(&b, "  %s, section %s\n  replies: %s\n", protocol, p.Section, cmp.Or(p.Replies, "none"))
	}
	if p.Example != "" {
		b.WriteString("\n")
		for line := range strings.Lines(p.Example) {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}

// References returns a command with its Reference in every language that has it; empty if none has.
func References(all []Language, word string) (texts []string) {
	for _, l := range all {
		if p, ok := l.Lookup(word); ok {
			texts = append(texts, fmt.Sprintf("%s\n  %s\n%s", strings.TrimSpace(p.Word+" "+p.Usage), p.Summary, p.Reference(l.Name)))
		}
	}
	return texts
}
