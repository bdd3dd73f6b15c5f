package xboard

import (
	"errors"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/ucifamily"
)

// newGame begins a game in which the engine plays Black (section 8, "new").
func (h *host) newGame() {
	h.arrive(xiangqi.Start())
	h.playing, h.side = true, xiangqi.Black
	h.claimed, h.offered, h.computer = false, false, false
	h.limit.renew()
	engine.Forget(h.served.Searcher)
}

// arrive makes a position that of the game.
func (h *host) arrive(pos *xiangqi.Position) {
	h.pos, h.excluded, h.expected = pos, nil, engine.NoMove
}

// move makes a move of the host's. If it is then the engine's turn, it thinks.
func (h *host) move(text string) {
	if h.pos == nil {
		h.Say("Illegal move (the position is not legal): " + excerpt(text))
		return
	}
	m, ok := ucifamily.FromZero.Parse(text)
	next, err := h.play(xiangqi.Move(m), ok)
	if err != nil {
		h.Say("Illegal move" + reason(err) + ": " + excerpt(text))
		return
	}
	hit := h.task != nil && h.task.kind == pondering && h.task.reply == m
	if !hit {
		h.dropFor(errMissed)
	}
	h.arrive(next)
	switch {
	case h.analyzes:
		h.analyze()
	case !h.playing:
	case h.claim():
		h.drop()
	case hit:
		h.task.kind = thinking
		h.task.Hit()
	case next.Side() == h.side:
		h.turn("usermove")
	}
}

var errMalformed = errors.New("")

func (h *host) play(m xiangqi.Move, wellFormed bool) (*xiangqi.Position, error) {
	if !wellFormed {
		return nil, errMalformed
	}
	return h.pos.PlayMove(m)
}

// reason is why a move is illegal, in the parentheses that the protocol has for that.
func reason(err error) string {
	var illegal *xiangqi.MoveError
	if !errors.As(err, &illegal) || strings.ContainsAny(illegal.Reason, "():\n") {
		return ""
	}
	return " (" + illegal.Reason + ")"
}

// turn makes the engine think, since a command wants a move of it.
func (h *host) turn(command string) {
	h.drop()
	switch {
	case h.pos == nil:
		h.Say("Error (the position is not legal): " + command)
	case h.pos.Result().Over():
		h.claimed = false
		h.claim()
	default:
		if err := h.think(); err != nil {
			h.Say("Error (" + err.Error() + "): " + command)
		}
	}
}

// claim tells the result if the game is over, once. A game against a computer has a referee,
// who goes by rules of his own about repetition.
func (h *host) claim() bool {
	result := h.pos.Result()
	if !result.Over() && !h.computer {
		result = h.pos.Adjudicate()
	}
	if result.Over() && !h.claimed {
		h.Say(formatResult(result))
	}
	h.claimed = result.Over()
	return h.claimed
}

// drawn tells whether the game is a draw by rules that a referee may not share.
func (h *host) drawn() bool { return h.pos.Adjudicate().Outcome == engine.Draw }

// formatResult writes a result as PGN does, White being Red.
func formatResult(r engine.Result) string {
	score := map[engine.Outcome]string{engine.FirstWins: "1-0", engine.SecondWins: "0-1", engine.Draw: "1/2-1/2"}[r.Outcome]
	who := map[engine.Outcome]string{engine.FirstWins: "Red wins by ", engine.SecondWins: "Black wins by ", engine.Draw: "Draw by "}[r.Outcome]
	return score + " {" + who + r.Reason + "}"
}

// undo takes moves back. The engine plays the colour that it played.
func (h *host) undo(plies int, command string) {
	pos := h.pos
	for range plies {
		if pos == nil || pos.Before() == nil {
			h.Say("Error (there is nothing to take back): " + command)
			return
		}
		pos = pos.Before()
	}
	h.setPosition(pos)
}

// setBoard sets up a position. One that makes no sense is told, and nothing is played on it.
func (h *host) setBoard(fen string) {
	pos, err := xiangqi.ParseFEN(withDashes(fen))
	if err != nil {
		h.Say("tellusererror Illegal position: " + oneLine(err.Error()))
		pos = nil
	}
	h.setPosition(pos)
}

// withDashes is a FEN with the two fields that say nothing in Xiangqi, which XBoard leaves out.
func withDashes(fen string) string {
	fields := strings.Fields(fen)
	if len(fields) != 4 || strings.Trim(fields[2]+fields[3], "0123456789") != "" {
		return fen
	}
	return strings.Join(slices.Insert(fields, 2, "-", "-"), " ")
}

// setPosition goes to another position than a move leads to.
func (h *host) setPosition(pos *xiangqi.Position) {
	h.drop()
	h.claimed = false
	h.arrive(pos)
	if h.analyzes {
		h.analyze()
	}
}

// exclude leaves a move out, or all; include takes it in again.
func (h *host) exclude(text string, out bool) {
	if h.pos == nil {
		h.Say("Illegal move (the position is not legal): " + excerpt(text))
		return
	}
	legal := h.pos.Moves()
	m, ok := ucifamily.FromZero.Parse(text)
	switch {
	case text == "all" && out:
		h.excluded = legal
	case text == "all":
		h.excluded = nil
	case !ok || !slices.Contains(legal, m):
		h.Say("Illegal move: " + excerpt(text))
		return
	case out && !slices.Contains(h.excluded, m):
		h.excluded = append(slices.Clone(h.excluded), m)
	case !out:
		h.excluded = slices.DeleteFunc(slices.Clone(h.excluded), func(x engine.Move) bool { return x == m })
	}
	if h.analyzes {
		h.analyze()
	}
}
