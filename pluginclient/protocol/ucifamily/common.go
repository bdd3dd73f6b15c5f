package ucifamily

import (
	"strconv"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Common is a Protocol as UCI and UCCI have it: own, which says what is particular to one of
// them, with all that they have in common. The greeting is the first command; the introduction
// ends with that and "ok". readSetOption reads what follows the word "setoption".
func Common(own Protocol, greeting string, readSetOption func(fields []string) (name, value string)) Protocol {
	own.Stop, own.PonderHit = "stop", "ponderhit"
	own.Greeting = func(in *Introduction) []string {
		in.Terminator = greeting + "ok"
		return []string{greeting}
	}
	own.ReadIntro = func(line string, in *Introduction) { introduce(line, in, greeting+"ok") }
	own.Ping = func() string { return "isready" }
	own.Pong = func(line string) bool { return strings.EqualFold(strings.TrimSpace(line), "readyok") }
	own.Perft = func(depth int) string { return "go perft " + strconv.Itoa(depth) }
	own.ParseInfo, own.ParseBestMove = ParseInfoLine, ParseBestMove
	own.Interrupt = isInterrupt
	own.ParseRaw = func(line string, r Ranks) RawCommand {
		if word, _ := cutWord(line); word == greeting {
			return RawCommand{AnyPosition: true, Deadline: DeadlineStart}
		}
		return parseRaw(line, r, readSetOption)
	}
	return own
}

// introduce reads "id" and "option" lines, up to the one that ends them.
func introduce(line string, in *Introduction, end string) {
	word, rest := cutWord(line)
	switch strings.ToLower(word) {
	case end:
		in.Done = true
	case "id":
		in.id(rest)
	case "option":
		if opt, ok := ParseOption(line); ok {
			in.AddOption(opt, line)
		}
	case "registration", "copyprotection":
		if strings.Contains(rest, "error") {
			in.Warnings = append(in.Warnings, "says "+strconv.Quote(pluginclient.Excerpt(line)))
		}
	default:
		in.Unexpected = line // a greeting to people, as many engines begin with
	}
}

func (in *Introduction) id(text string) {
	kind, value := cutWord(text)
	switch {
	case value == "":
	case kind == "name":
		in.Info.Name = value
	default:
		in.Info.Text = append(in.Info.Text, kind+" "+value)
	}
}

// AddOption takes in an option, and the words in which it was offered.
func (in *Introduction) AddOption(opt Option, line string) {
	in.Options = append(in.Options, opt)
	in.Info.Text = append(in.Info.Text, strings.TrimSpace(line))
}

// isInterrupt lets "stop" and "ponderhit" through.
func isInterrupt(line string) (lines []string, ok bool) {
	word, _ := cutWord(line)
	return []string{line}, word == "stop" || word == "ponderhit"
}

// parseRaw tells what a line does that is no greeting. What the protocol does not know may be a
// benchmark.
func parseRaw(line string, r Ranks, readSetOption func(fields []string) (name, value string)) RawCommand {
	word, rest := cutWord(line)
	args := strings.Fields(rest)
	switch word {
	case "quit":
		return RawCommand{Quit: true}
	case "isready":
		return RawCommand{Ping: true}
	case "go":
		return RawCommand{Thinks: !strings.HasPrefix(rest, "perft")}
	case "position":
		return RawCommand{AnyPosition: true, Deadline: DeadlineReply, Position: func() (*xiangqi.Position, error) { return readPosition(args, r) }}
	case "setoption":
		name, value := readSetOption(args)
		return RawCommand{AnyPosition: true, Deadline: DeadlineReply, Setting: &Setting{name, value}}
	case "ucinewgame":
		return RawCommand{AnyPosition: true, Deadline: DeadlineStart, NewGame: true}
	case "stop":
		return RawCommand{AnyPosition: true, Deadline: DeadlineReply}
	case "ponderhit", "banmoves", "probe", "debug":
		return RawCommand{Deadline: DeadlineReply}
	}
	return RawCommand{}
}
