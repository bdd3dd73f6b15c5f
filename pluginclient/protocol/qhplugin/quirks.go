package qhplugin

import (
	"fmt"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Quirks are a plugin's known deviations from the specification. A Client applies workarounds for them
// from the first line, instead of detecting them by failures. "qhsh check" finds them. Only deviations
// that a Client does not handle anyway are quirks; see Quirks.all for their meaning.
type Quirks struct {
	LettersNB, SideR                       bool
	fenShort, loadPlay                     bool
	undoNone, hintsNone, banNone, banKeeps bool
	bgthinkNone, timeoutNone, abortNone    bool
	levelCount, scrNone, quitNone          bool
}

// A Quirk is one of the Quirks in the form KEY=VALUE.
type Quirk struct {
	Key, Value string
	Help       string // one line
	on         *bool
}

// AllQuirks returns all known quirks.
func AllQuirks() []Quirk { return new(Quirks).all() }

func (q *Quirks) all() []Quirk {
	return []Quirk{
		{"letters", "nb", "FEN has n and b for horses and elephants, and does not know h and e", &q.LettersNB},
		{"side", "r", "FEN has r for Red's turn, and does not know w", &q.SideR},
		{"fenlong", "none", "lines of over 78 bytes are misread, so such positions are refused", &q.fenShort},
		{"load", "play", "LOAD does not work; PLAY is sent for every move", &q.loadPlay},
		{"undo", "none", "UNDO does not work; FEN is sent instead", &q.undoNone},
		{"hints", "none", "HINTS does not work; AI is asked, and taken back", &q.hintsNone},
		{"ban", "none", "BAN does not work", &q.banNone},
		{"ban", "keeps", "a ban holds until BAN 0, which is sent behind what a user bans too", &q.banKeeps},
		{"bgthink", "none", "BGTHINK does not work", &q.bgthinkNone},
		{"timeout", "none", "TIMEOUT does not work", &q.timeoutNone},
		{"abort", "none", "ABORT is ignored; the plugin is started again instead", &q.abortNone},
		{"level", "count", "LEVEL answers another number than the current level", &q.levelCount},
		{"scr", "none", "SCR is not answered", &q.scrNone},
		{"quit", "none", "QUIT is ignored; the plugin is killed at once", &q.quitNone},
	}
}

// Set sets a quirk. The error for an unknown quirk lists the known ones.
func (q *Quirks) Set(key, value string) error {
	var all, values []string
	for _, known := range q.all() {
		if known.Key == key && known.Value == value {
			*known.on = true
			return nil
		}
		all = append(all, known.Key+"="+known.Value)
		if known.Key == key {
			values = append(values, known.Value)
		}
	}
	if len(values) > 0 {
		return fmt.Errorf("%s=%s: want %s=%s", key, value, key, strings.Join(values, " or "+key+"="))
	}
	return fmt.Errorf("no option %q, only dir and the quirks %s", key, strings.Join(all, ", "))
}

// String returns the quirks as KEY=VALUE, separated by commas.
func (q Quirks) String() string {
	var all []string
	for _, known := range q.all() {
		if *known.on {
			all = append(all, known.Key+"="+known.Value)
		}
	}
	return strings.Join(all, ",")
}

// disableBroken clears abilities that are announced but do not work.
func (q *Quirks) disableBroken(info *Info) {
	info.Undo = info.Undo && !q.undoNone
	info.Hints = info.Hints && !q.hintsNone
	info.Rules = info.Rules && !q.banNone
	info.BGThink = info.BGThink && !q.bgthinkNone
	info.Timeout = info.Timeout && !q.timeoutNone
}

// FEN returns the FEN command for a position.
func (q Quirks) FEN(pos *xiangqi.Position) (string, error) {
	board, side, _ := strings.Cut(pos.WireFEN(), " ")
	if q.LettersNB {
		board = strings.NewReplacer("h", "n", "H", "N", "e", "b", "E", "B").Replace(board)
	}
	if q.SideR && side == "w" {
		side = "r"
	}
	line := string(FEN) + " " + board + " " + side
	if q.fenShort && len(line) > safeLine {
		return "", fmt.Errorf("%w: %s has %d bytes, and the plugin misreads lines of over %d", pluginclient.ErrRefused, line, len(line), safeLine)
	}
	return line, nil
}
