package ucifamily

import (
	"strconv"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Kin is a Protocol as UCI and UCCI have it: own, which says what is particular to one of
// them, with all that they have in common. The greeting is the first command; the introduction
// ends with that and "ok". readSetOption reads what follows the word "setoption".
func Kin(own Protocol, greeting string, readSetOption func(fields []string) (name, value string)) Protocol {
	own.Stop, own.Hit = "stop", "ponderhit"
	own.Greet = func(in *Intro) []string {
		in.End = greeting + "ok"
		return []string{greeting}
	}
	own.Introduce = func(line string, in *Intro) { introduce(line, in, greeting+"ok") }
	own.Ping = func() string { return "isready" }
	own.Pong = func(line string) bool { return strings.EqualFold(strings.TrimSpace(line), "readyok") }
	own.Perft = func(depth int) string { return "go perft " + strconv.Itoa(depth) }
	own.ReadReport, own.ReadBest = ParseReport, ParseBest
	own.Aside = aside
	own.Order = func(line string, r Ranks) Order {
		if word, _ := cutWord(line); word == greeting {
			return Order{Anyhow: true, Wait: ForStart}
		}
		return order(line, r, readSetOption)
	}
	return own
}

// introduce reads "id" and "option" lines, up to the one that ends them.
func introduce(line string, in *Intro, end string) {
	word, rest := cutWord(line)
	switch strings.ToLower(word) {
	case end:
		in.Over = true
	case "id":
		in.id(rest)
	case "option":
		if opt, ok := ParseOption(line); ok {
			in.Offer(opt, line)
		}
	case "registration", "copyprotection":
		if strings.Contains(rest, "error") {
			in.Warn = append(in.Warn, "says "+strconv.Quote(pluginclient.Excerpt(line)))
		}
	default:
		in.Odd = line // a greeting to people, as many engines begin with
	}
}

func (in *Intro) id(text string) {
	kind, value := cutWord(text)
	switch {
	case value == "":
	case kind == "name":
		in.Info.Name = value
	default:
		in.Info.Text = append(in.Info.Text, kind+" "+value)
	}
}

// Offer takes in an option, and the words in which it was offered.
func (in *Intro) Offer(opt Option, line string) {
	in.Offers = append(in.Offers, opt)
	in.Info.Text = append(in.Info.Text, strings.TrimSpace(line))
}

// aside lets "stop" and "ponderhit" through.
func aside(line string) (lines []string, ok bool) {
	word, _ := cutWord(line)
	return []string{line}, word == "stop" || word == "ponderhit"
}

// order tells what a line does that is no greeting. What the protocol does not know may be a
// benchmark.
func order(line string, r Ranks, readSetOption func(fields []string) (name, value string)) Order {
	word, rest := cutWord(line)
	args := strings.Fields(rest)
	switch word {
	case "quit":
		return Order{Quit: true}
	case "isready":
		return Order{Ping: true}
	case "go":
		return Order{Thinks: !strings.HasPrefix(rest, "perft")}
	case "position":
		return Order{Anyhow: true, Wait: ForReply, Position: func() (*xiangqi.Position, error) { return readPosition(args, r) }}
	case "setoption":
		name, value := readSetOption(args)
		return Order{Anyhow: true, Wait: ForReply, Set: &Setting{name, value}}
	case "ucinewgame":
		return Order{Anyhow: true, Wait: ForStart, NewGame: true}
	case "stop":
		return Order{Anyhow: true, Wait: ForReply}
	case "ponderhit", "banmoves", "probe", "debug":
		return Order{Wait: ForReply}
	}
	return Order{}
}
