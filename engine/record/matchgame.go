package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// The output of 'qhsh match -o' is lines of JSON too: the terms of the match, then one game per
// line. They are read as in the PGN of the match, except for the name of the event.

// isMatchGame reports whether a line is a game of a match, which begins with its number.
func isMatchGame(line []byte) bool {
	return bytes.HasPrefix(line, []byte(`{"game":`)) && !bytes.HasPrefix(line, []byte(`{"game":"`)) && bytes.Contains(line, []byte(`"first":`))
}

// checkMatch returns an OtherGameError if a match is of another game.
func (l *Library) checkMatch(line []byte) error {
	var terms struct {
		Game string `json:"game"`
	}
	if err := json.Unmarshal(line, &terms); err != nil {
		return printable.JSONError(err)
	}
	if terms.Game != l.Game.Name() {
		return l.otherGame(fmt.Sprintf("a match of %q", terms.Game), terms.Game)
	}
	return nil
}

// A matchGame has the keys of a match game that are read.
type matchGame struct {
	Game   int    `json:"game"`
	Round  int    `json:"round"`
	First  string `json:"first"` // player who moves first
	Second string `json:"second"`
	Result string `json:"result"`
	Reason string `json:"reason"`
	Fault  *struct {
		Player string `json:"player"`
		Error  string `json:"error"`
	} `json:"fault"`
	Tags  Tags   `json:"tags"` // name the variant; none in files of older versions
	Start string `json:"start"`
	Book  int    `json:"book"` // number of opening moves
	Moves []struct {
		Move string `json:"move"`
		By   string `json:"by"`
		engine.ScoreJSON
		Depth   int     `json:"depth"`
		Seconds float64 `json:"seconds"`
	} `json:"moves"`
	Date string `json:"date"`
}

func (l *Library) readMatchGame(text []byte) (*Game, error) {
	var j matchGame
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, printable.JSONError(err)
	}
	start, err := l.startOf(j.Tags, j.Start, l.Game.Start())
	if err != nil {
		return nil, err
	}
	g := NewGame(start)
	g.Tags.Add("Date", strings.ReplaceAll(j.Date, "-", "."))
	g.Tags.Add("Round", strconv.Itoa(j.Round))
	g.Tags.Add(l.PGN.First, j.First)
	g.Tags.Add(l.PGN.Second, j.Second)
	g.Tags.Add(GameTag, strconv.Itoa(j.Game))
	if j.Fault != nil {
		g.Tags.Add(terminationTag, FaultTermination(j.Reason))
	}
	for _, tag := range j.Tags {
		g.Tags.Add(tag.Name, tag.Value)
	}
	g.SetResult(j.Result)
	p := NewTreeBuilder(g, l.Board(start, ""))
	for i, move := range j.Moves {
		var n *Node
		m, err := p.board.Parse(move.Move)
		if err == nil {
			n, err = p.Play(m)
		}
		if err != nil {
			return g, p.Current().Drop(l.lenient, fmt.Errorf("ply %d: %w", i+1, err), func() string { return j.text(i) })
		}
		n.AddComment(CleanText(j.comment(i)))
	}
	p.Current().AddComment(CleanText(j.finalComment()))
	return g, nil
}

// FaultTermination returns the value of the tag Termination for a fault that has ended a game of a match: the
// word of other programs, or if they have none, the match's.
func FaultTermination(reason string) string {
	switch reason {
	case "timeout":
		return "time forfeit"
	case "no move", "failure":
		return "abandoned"
	}
	return reason
}

// text returns the moves from index i with their comments in braces.
func (j *matchGame) text(i int) string {
	var words []string
	for ; i < len(j.Moves); i++ {
		words = append(words, j.Moves[i].Move, "{"+j.comment(i)+"}")
	}
	return strings.Join(append(words, "{"+j.finalComment()+"}"), " ")
}

// comment returns the comment for a move; empty for chance moves.
func (j *matchGame) comment(i int) string {
	m := j.Moves[i]
	switch {
	case m.By == engine.Chance.String():
		return ""
	case i < j.Book:
		return "book"
	}
	return strings.TrimSpace(fmt.Sprintf("%s %.2fs", m.Remark(m.Depth), m.Seconds))
}

// finalComment returns why the game ended.
func (j *matchGame) finalComment() string {
	if j.Fault == nil {
		return j.Reason
	}
	return fmt.Sprintf("%s: %s: %s", j.Fault.Player, j.Reason, j.Fault.Error)
}
