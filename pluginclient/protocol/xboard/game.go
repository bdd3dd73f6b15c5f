package xboard

import (
	"errors"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
)

// newGame starts a game in which the engine plays Black (section 8, "new").
func (c *serverConn) newGame() {
	c.enterPosition(xiangqi.Start())
	c.playing, c.side = true, xiangqi.Black
	c.resultSent, c.drawOffered, c.vsComputer = false, false, false
	c.limits.reset()
	engine.Forget(c.config.Searcher)
}

// enterPosition sets the position after a move, or of a new game.
func (c *serverConn) enterPosition(pos *xiangqi.Position) {
	c.pos, c.excluded, c.expected = pos, nil, engine.NoMove
}

// move plays the host's move. If it is then the engine's turn, the engine thinks.
func (c *serverConn) move(text string) {
	if c.pos == nil {
		c.WriteLines("Illegal move (the position is not legal): " + excerpt(text))
		return
	}
	m, ok := uci.FromZero.Parse(text)
	next, err := c.play(xiangqi.Move(m), ok)
	if err != nil {
		c.WriteLines("Illegal move" + reason(err) + ": " + excerpt(text))
		return
	}
	hit := c.task != nil && c.task.kind == pondering && c.task.reply == m
	if !hit {
		c.abandonFor(errPonderMiss)
	}
	c.enterPosition(next)
	switch {
	case c.analyzeMode:
		c.analyze()
	case !c.playing:
	case c.reportResult():
		c.abandon()
	case hit:
		c.task.kind = thinking
		c.task.PonderHit()
	case next.Side() == c.side:
		c.takeTurn("usermove")
	}
}

var errMalformed = errors.New("")

func (c *serverConn) play(m xiangqi.Move, wellFormed bool) (*xiangqi.Position, error) {
	if !wellFormed {
		return nil, errMalformed
	}
	return c.pos.PlayMove(m)
}

// reason returns why a move is illegal, in parentheses as the protocol requires.
func reason(err error) string {
	var illegal *xiangqi.MoveError
	if !errors.As(err, &illegal) || strings.ContainsAny(illegal.Reason, "():\n") {
		return ""
	}
	return " (" + illegal.Reason + ")"
}

// takeTurn starts the search for the engine's move because of command.
func (c *serverConn) takeTurn(command string) {
	c.abandon()
	switch {
	case c.pos == nil:
		c.WriteLines("Error (the position is not legal): " + command)
	case c.pos.Result().Over():
		c.resultSent = false
		c.reportResult()
	default:
		if err := c.think(); err != nil {
			c.WriteLines("Error (" + err.Error() + "): " + command)
		}
	}
}

// reportResult reports the result once if the game is over. If the opponent is a computer, it
// ignores repetitions: XBoard is then the referee, with its own rules.
func (c *serverConn) reportResult() bool {
	result := c.pos.Result()
	if !result.Over() && !c.vsComputer {
		result = c.pos.Adjudicate()
	}
	if result.Over() && !c.resultSent {
		c.WriteLines(formatResult(result))
	}
	c.resultSent = result.Over()
	return c.resultSent
}

// formatResult formats a result as PGN does, with Red as White.
func formatResult(r engine.Result) string {
	score := map[engine.Outcome]string{engine.FirstWins: "1-0", engine.SecondWins: "0-1", engine.Draw: "1/2-1/2"}[r.Outcome]
	who := map[engine.Outcome]string{engine.FirstWins: "Red wins by ", engine.SecondWins: "Black wins by ", engine.Draw: "Draw by "}[r.Outcome]
	return score + " {" + who + r.Reason + "}"
}

// undo takes moves back. The engine plays the colour that it played.
func (c *serverConn) undo(plies int, command string) {
	pos := c.pos
	for range plies {
		if pos == nil || pos.Before() == nil {
			c.WriteLines("Error (there is nothing to take back): " + command)
			return
		}
		pos = pos.Before()
	}
	c.setPosition(pos)
}

// setPosition sets a position that no move of this game leads to.
func (c *serverConn) setPosition(pos *xiangqi.Position) {
	c.abandon()
	c.resultSent = false
	c.enterPosition(pos)
	if c.analyzeMode {
		c.analyze()
	}
}

// exclude excludes a move, or all moves; include allows it again.
func (c *serverConn) exclude(text string, out bool) {
	if c.pos == nil {
		c.WriteLines("Illegal move (the position is not legal): " + excerpt(text))
		return
	}
	legal := c.pos.Moves()
	m, ok := uci.FromZero.Parse(text)
	switch {
	case text == "all" && out:
		c.excluded = legal
	case text == "all":
		c.excluded = nil
	case !ok || !slices.Contains(legal, m):
		c.WriteLines("Illegal move: " + excerpt(text))
		return
	case out && !slices.Contains(c.excluded, m):
		c.excluded = append(slices.Clone(c.excluded), m)
	case !out:
		c.excluded = slices.DeleteFunc(slices.Clone(c.excluded), func(x engine.Move) bool { return x == m })
	}
	if c.analyzeMode {
		c.analyze()
	}
}
