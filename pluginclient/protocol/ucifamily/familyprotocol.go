package ucifamily

import (
	"strconv"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// ponderHit tells a pondering engine that the expected reply was played.
const ponderHit = "ponderhit"

// Common returns own with the fields filled in that UCI and UCCI have in common, for one Client.
// greeting is the first command; the introduction ends with greeting+"ok". readSetOption parses the
// arguments of "setoption".
func Common(own Protocol, greeting string, readSetOption func(fields []string) (name, value string)) Protocol {
	x := &exchange{greeting: greeting}
	own.Stop = "stop"
	own.Rules, own.JudgeLine = ruleTable, x.judge
	own.Greeting = func(in *Introduction) []string {
		x.greeted, x.pinged = true, false
		in.Terminator = greeting + "ok"
		return []string{greeting}
	}
	own.ReadIntro = func(line string, in *Introduction) { readIntroLine(line, in, greeting+"ok") }
	own.Ping = func() string {
		x.pinged = true
		return "isready"
	}
	own.Pong = func(line string) bool { return strings.EqualFold(strings.TrimSpace(line), "readyok") }
	own.Perft = func(depth int) string { return "go perft " + strconv.Itoa(depth) }
	own.ParseInfo, own.ParseBestMove = ParseInfoLine, ParseBestMove
	own.Interrupt = isInterrupt
	own.ParseRaw = func(line string, r Ranks) RawCommand {
		switch word, _ := cutWord(line); word {
		case greeting:
			return RawCommand{AnyPosition: true, Deadline: DeadlineStart, BeforeSend: func() { x.greeted = true }}
		case "isready":
			return RawCommand{Ping: true, BeforeSend: func() { x.pinged = true }}
		}
		return parseRaw(line, r, readSetOption)
	}
	return own
}

// readIntroLine parses a line of the introduction: "id", "option" or the line end that completes it.
func readIntroLine(line string, in *Introduction, end string) {
	word, rest := cutWord(line)
	switch strings.ToLower(word) {
	case end:
		in.Done = true
	case "id":
		kind, value := cutWord(rest)
		switch {
		case value == "":
		case kind == "name":
			in.Info.Name = value
		default:
			in.Info.Text = append(in.Info.Text, kind+" "+value)
		}
	case "option":
		if opt, ok := ParseOption(line); ok {
			in.AddOption(opt, line)
		}
	case "registration", "copyprotection":
		if strings.Contains(rest, "error") {
			in.Warnings = append(in.Warnings, "says "+strconv.Quote(pluginclient.Excerpt(line)))
		}
	default:
		in.Unexpected = line // a banner, which many engines print first
	}
}

// AddOption adds an option and the line that offered it.
func (in *Introduction) AddOption(opt Option, line string) {
	in.Options = append(in.Options, opt)
	in.Info.Text = append(in.Info.Text, strings.TrimSpace(line))
}

// isInterrupt implements [Protocol].Interrupt: "stop" and "ponderhit" are sent during a search.
func isInterrupt(line string) (lines []string, ok bool) {
	word, _ := cutWord(line)
	return []string{line}, word == "stop" || word == ponderHit
}

// parseRaw returns what a line other than the greeting does. An unknown command may be a benchmark
// that takes as long as a search.
func parseRaw(line string, r Ranks, readSetOption func(fields []string) (name, value string)) RawCommand {
	word, rest := cutWord(line)
	args := strings.Fields(rest)
	switch word {
	case "quit":
		return RawCommand{Quit: true}
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
	case ponderHit, "banmoves", "probe", "debug":
		return RawCommand{Deadline: DeadlineReply}
	}
	return RawCommand{}
}
