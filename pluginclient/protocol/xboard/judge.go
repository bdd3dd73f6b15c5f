package xboard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine/lazyregexp"
	"qhsh/pluginclient/protocol/uci"
)

// judgeLine returns what a line breaks whatever the position is.
func (p *protocol) judgeLine(line string) []uci.Breach {
	word, rest := cutWord(line)
	switch {
	case word == "feature":
		return judgeFeatures(rest)
	case word == "pong":
		return p.judgePong(rest)
	case word == "Error":
		kind, command, ok := strings.Cut(rest, ":")
		if word, _ := cutWord(command); !ok || !p.mustKnow(word) || !notKnown().MatchString(kind) {
			return nil
		}
		return []uci.Breach{{Rule: errorKnown, What: fmt.Sprintf("%q", excerpt(line))}}
	case illegalMove(line) != "":
		p.hasRefused = true
	case p.board.playing && uci.IsMove(rest) && word != "move" && !informational[word]:
		return []uci.Breach{{Rule: moveForm, What: fmt.Sprintf("%q instead of a move", excerpt(line))}}
	}
	return nil
}

// flags are the features that are on or off.
var flags = []string{
	"ping", "setboard", "playother", "san", "usermove", "time", "draw", "sigint", "sigterm", "reuse", "analyze",
	"colors", "ics", "name", "pause", "nps", "debug", "memory", "smp", "exclude", "setscore", "highlight", "done",
}

// judgeFeatures judges the arguments of "feature".
func judgeFeatures(text string) []uci.Breach {
	var all []uci.Breach
	bad := func(rule, format string, args ...any) {
		all = append(all, uci.Breach{Rule: rule, What: fmt.Sprintf(format, args...)})
	}
	features := parseFeatures(text)
	if len(features) == 0 || strings.Count(text, `"`)%2 != 0 {
		bad(featureForm, "feature %s", excerpt(text))
	}
	for _, f := range features {
		_, readable := parseOption(f.value)
		switch {
		case slices.Contains(flags, f.name) && f.value != "0" && f.value != "1":
			bad(featureValue, "feature %s=%s: neither 0 nor 1", f.name, excerpt(f.value))
		case f.name == "option" && !readable:
			bad(featureValue, "feature option=%q: no name and type", excerpt(f.value))
		}
	}
	return all
}

// judgeMove returns a function that judges the reply to a move of the user.
func (p *protocol) judgeMove(move string, isLegal bool) func() []uci.Breach {
	return func() []uci.Breach {
		switch {
		case isLegal && p.hasRefused:
			return []uci.Breach{{Rule: illegalRight, What: excerpt(move) + " is legal, and refused"}}
		case !isLegal && !p.hasRefused:
			return []uci.Breach{{Rule: illegalTold, What: excerpt(move) + " is illegal, and not refused"}}
		}
		return nil
	}
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
	return []uci.Breach{{Rule: pingPong, What: fmt.Sprintf("pong %s: %s", excerpt(number), what)}}
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
	case "ping":
		return p.features.ping
	case "setboard":
		return p.features.setboard
	case "usermove":
		return p.features.usermove
	case "playother":
		return p.features.playother
	case "nps":
		return p.features.nps
	case memory:
		return p.features.memory
	case cores:
		return p.features.smp
	case "exclude", "include":
		return p.features.exclude
	}
	return false
}
