package qhplugin

import (
	"fmt"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Quirks are what is known of a plugin that does not keep to the specification, so that a
// Client works around it from the first line on, and not only when it has been hurt. "qhsh
// check" finds them. A Client is careful anyway: these are those that make a difference. What each
// means stands in all.
type Quirks struct {
	LettersNB, SideR, FENShort, LoadPlay   bool
	UndoNone, HintsNone, BanNone, BanKeeps bool
	BGThinkNone, TimeoutNone, AbortNone    bool
	LevelCount, ScrNone, QuitNone          bool
}

// A Quirk is one of the Quirks as a user writes it.
type Quirk struct {
	Key, Value string
	Help       string // one line
	on         *bool
}

// AllQuirks are the quirks that there are.
func AllQuirks() []Quirk { return new(Quirks).all() }

func (q *Quirks) all() []Quirk {
	return []Quirk{
		{"letters", "nb", "FEN has n and b for horses and elephants, and does not know h and e", &q.LettersNB},
		{"side", "r", "FEN has r for Red's turn, and does not know w", &q.SideR},
		{"fenlong", "none", "lines of over 78 bytes are misread, so such positions are refused", &q.FENShort},
		{"load", "play", "LOAD does not work; PLAY is sent for every move", &q.LoadPlay},
		{"undo", "none", "UNDO does not work; FEN is sent instead", &q.UndoNone},
		{"hints", "none", "HINTS does not work; AI is asked, and taken back", &q.HintsNone},
		{"ban", "none", "BAN does not work", &q.BanNone},
		{"ban", "keeps", "a ban holds until BAN 0, which is sent behind what a user bans too", &q.BanKeeps},
		{"bgthink", "none", "BGTHINK does not work", &q.BGThinkNone},
		{"timeout", "none", "TIMEOUT does not work", &q.TimeoutNone},
		{"abort", "none", "ABORT is ignored; the plugin is started again instead", &q.AbortNone},
		{"level", "count", "LEVEL answers another number than the current level", &q.LevelCount},
		{"scr", "none", "SCR is not answered", &q.ScrNone},
		{"quit", "none", "QUIT is ignored; the plugin is killed at once", &q.QuitNone},
	}
}

// Set sets a quirk. The error of one that there is not tells those that there are.
func (q *Quirks) Set(key, value string) error {
	var there, values []string
	for _, known := range q.all() {
		if known.Key == key && known.Value == value {
			*known.on = true
			return nil
		}
		there = append(there, known.Key+"="+known.Value)
		if known.Key == key {
			values = append(values, known.Value)
		}
	}
	if len(values) > 0 {
		return fmt.Errorf("%s=%s: want %s=%s", key, value, key, strings.Join(values, " or "+key+"="))
	}
	return fmt.Errorf("no option %q, only dir and the quirks %s", key, strings.Join(there, ", "))
}

// String are the quirks as Set takes them, with commas between them.
func (q Quirks) String() string {
	var there []string
	for _, known := range q.all() {
		if *known.on {
			there = append(there, known.Key+"="+known.Value)
		}
	}
	return strings.Join(there, ",")
}

// limit takes abilities away that are announced and do not work.
func (q *Quirks) limit(info *Info) {
	info.Undo = info.Undo && !q.UndoNone
	info.Hints = info.Hints && !q.HintsNone
	info.Rules = info.Rules && !q.BanNone
	info.BGThink = info.BGThink && !q.BGThinkNone
	info.Timeout = info.Timeout && !q.TimeoutNone
}

// fen is the FEN command for a position.
func (q *Quirks) fen(pos *xiangqi.Position) (string, error) {
	board, side, _ := strings.Cut(pos.WireFEN(), " ")
	if q.LettersNB {
		board = strings.NewReplacer("h", "n", "H", "N", "e", "b", "E", "B").Replace(board)
	}
	if q.SideR && side == "w" {
		side = "r"
	}
	line := string(FEN) + " " + board + " " + side
	if q.FENShort && len(line) > safeLine {
		return "", fmt.Errorf("%w: %s has %d bytes, and the plugin misreads lines of over %d", pluginclient.ErrRefused, line, len(line), safeLine)
	}
	return line, nil
}
