package ucifamily

import (
	"strconv"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Kin is what the Protocols of UCI and UCCI have in common. They embed it. Its value is the
// greeting, which names the protocol.
type Kin string

// Greeting is the first command.
func (k Kin) Greeting() string { return string(k) }

// Greet is the greeting alone. The introduction has an end of its own.
func (k Kin) Greet(in *Intro) []string {
	in.End = k.Greeting() + "ok"
	return []string{k.Greeting()}
}

// Introduce reads "id" and "option" lines, up to the greeting's "ok".
func (k Kin) Introduce(line string, in *Intro) {
	word, rest := cutWord(line)
	switch strings.ToLower(word) {
	case k.Greeting() + "ok":
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

// Ping is "isready".
func (Kin) Ping() string { return "isready" }

// Pong is "readyok".
func (Kin) Pong(line string) bool { return strings.EqualFold(strings.TrimSpace(line), "readyok") }

// ReadReport reads "info" lines.
func (Kin) ReadReport(line string, mate int) (Report, bool) { return ParseReport(line, mate) }

// ReadBest reads "bestmove" and "nobestmove" lines.
func (Kin) ReadBest(line string) (Best, bool) { return ParseBest(line) }

// Overhear has nothing to say.
func (Kin) Overhear(string) []string { return nil }

// Stop is "stop".
func (Kin) Stop() string { return "stop" }

// Hit is "ponderhit".
func (Kin) Hit() string { return "ponderhit" }

// Rest is nothing: with the best move the engine is at rest.
func (Kin) Rest() []string { return nil }

// CanBan tells that moves can be left out: both protocols have words for it.
func (Kin) CanBan() bool { return true }

// Perft is "go perft".
func (Kin) Perft(depth int) string { return "go perft " + strconv.Itoa(depth) }

// Aside lets "stop" and "ponderhit" through.
func (Kin) Aside(line string) (lines []string, ok bool) {
	word, _ := cutWord(line)
	return []string{line}, word == "stop" || word == "ponderhit"
}

// OrderOf is Order, given how the protocol sets an option. What the protocol does not know may
// be a benchmark.
func (k Kin) OrderOf(line string, r Ranks, readSetOption func(fields []string) (name, value string)) Order {
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
	case k.Greeting():
		return Order{Anyhow: true, Wait: ForStart}
	case "stop":
		return Order{Anyhow: true, Wait: ForReply}
	case "ponderhit", "banmoves", "probe", "debug":
		return Order{Wait: ForReply}
	}
	return Order{}
}
