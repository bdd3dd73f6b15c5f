package xboard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine/lazyregexp"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
)

// ruleTable holds the rules of the protocol that a client can see broken.
var ruleTable = pluginclient.Rules{
	{Name: "feature.form", Section: "9 feature", Sentence: "feature is followed by NAME=VALUE, where a string is in double quotes."},
	{Name: "feature.value", Section: "9 feature", Sentence: "A value is an integer, 0 or 1 for what is on or off, or a string; an option has a name and a type."},
	{Name: "ping.pong", Section: "8 ping", Sentence: "ping N is answered with pong N, with the same number, once."},
	{Name: "error.known", Section: "9 Error", Sentence: "Error is for a command that the engine does not understand or implement: not for new, force, go, quit, nor for what its features have announced."},
	{Name: "move.refused", Section: "9 Illegal move", Sentence: "Illegal move is for a move that is not legal in the current position."},
	{Name: "illegal.told", Section: "9 Illegal move", Sentence: "A move that is not legal in the current position must be answered with Illegal move."},
	{Name: "move.form", Section: "9 move", Sentence: "A move of the engine is announced by move MOVE."},
	{Name: "move.single", Section: "8 go, force", Sentence: "go is answered with one move; in force mode the engine makes none."},
	{Name: "move.legal", Section: "9 move", Sentence: "The engine's move is legal, and in coordinates unless san is accepted."},
	{Name: "move.allowed", Section: "12 exclude", Sentence: "Excluded moves are not searched."},
	{Name: "info.form", Section: "10 Thinking output", Sentence: "ply, score, time and nodes are integers, and text for the best line follows."},
	{Name: "info.pv", Section: "10 Thinking output", Sentence: "The moves of the best line can be played one after the other.", Advice: true},
	{Name: "quit.ends", Section: "8 quit", Sentence: "The engine exits immediately."},
}

func (p *protocol) judgeLine(line string) []uci.Breach {
	word, rest := uci.CutWord(line)
	switch {
	case word == "feature":
		return judgeFeatures(rest)
	case word == "pong":
		return p.judgePong(rest)
	case word == "Error":
		kind, command, ok := strings.Cut(rest, ":")
		if word, _ := uci.CutWord(command); !ok || !p.mustKnow(word) || !notKnown().MatchString(kind) {
			return nil
		}
		return []uci.Breach{{Rule: "error.known", What: fmt.Sprintf("%q", excerpt(line))}}
	case illegalMove(line) != "":
		p.hasRefused = true
	case p.playing && uci.IsMove(rest) && word != "move" && !informational[word]:
		return []uci.Breach{{Rule: "move.form", What: fmt.Sprintf("%q instead of a move", excerpt(line))}}
	}
	return nil
}

func judgeFeatures(text string) []uci.Breach {
	var all []uci.Breach
	bad := func(rule, format string, args ...any) {
		all = append(all, uci.Breach{Rule: rule, What: fmt.Sprintf(format, args...)})
	}
	features := parseFeatures(text)
	if len(features) == 0 || strings.Count(text, `"`)%2 != 0 {
		bad("feature.form", "feature %s", excerpt(text))
	}
	for _, f := range features {
		_, readable := parseOption(f.value)
		switch {
		case slices.Contains(flags, f.name) && f.value != "0" && f.value != "1":
			bad("feature.value", "feature %s=%s: neither 0 nor 1", f.name, excerpt(f.value))
		case f.name == "option" && !readable:
			bad("feature.value", "feature option=%q: no name and type", excerpt(f.value))
		}
	}
	return all
}

// judgePong judges the reply to a ping. The number 0 ends an analysis.
func (p *protocol) judgePong(number string) []uci.Breach {
	n, err := strconv.Atoi(number)
	wasSent := number == p.lastPing || err == nil && 0 <= n && n <= p.pingCount
	if wasSent && !p.pongs[number] {
		p.pongs[number] = number != "0"
		return nil
	}
	what := "nobody has sent that number"
	if wasSent {
		what = "it has been answered"
	}
	return []uci.Breach{{Rule: "ping.pong", What: fmt.Sprintf("pong %s: %s", excerpt(number), what)}}
}

// notKnown matches the kinds of "Error" that say that a command is not known. Others may be about
// its arguments.
var notKnown = lazyregexp.New(`(?i)unknown|unrecognized|not (known|implemented|supported)|unimplemented|unsupported`)

// mustKnow reports whether an engine must know a command, because every engine must or because its
// features announce it.
func (p *protocol) mustKnow(word string) bool {
	switch word {
	case "new", "force", "go", "quit":
		return true
	case cores:
		word = "smp"
	case "include":
		word = "exclude"
	case "ping", "setboard", "usermove", "playother", "nps", memory, "exclude": // these are features themselves
	default:
		return false
	}
	return p.has(word)
}
