package main

import (
	"strings"
	"testing"

	"qhsh/engine/checkers"
	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// TestGameHistory: getmove searches a position with the history that set gamehist gave, whatever
// the reset flag is, and with none if the history ends elsewhere.
func TestGameHistory(t *testing.T) {
	const round = " 11-15 32-28 15-11 28-32"
	for _, c := range []struct {
		command, fen string
		want         int // occurrences of the position
	}{
		{"set gamehist B:W31,K32:BK11" + strings.Repeat(round, 2), "B:W31,K32:BK11", 3},
		{"set gamehist B:W31,K32:BK11" + round, "B:W31,K32:BK11", 2},
		{"set gamehist B:W31,K32:BK11" + round, "W:W31,K32:BK11", 1},
		{"set gamehist B:W31,K32:BK11 11-12", "B:W31,K32:BK11", 1},
		{"set gamehist x", "B:W31,K32:BK11", 1},
	} {
		p := newPlayer()
		p.command(c.command, make([]byte, abi.ReplySize))
		board, err := checkers.ParseBoard(checkers.English, c.fen)
		if err != nil {
			t.Fatal(err)
		}
		given := abi.BoardOf(&board)
		pos, err := p.position(moveRequest{board: &given, color: abi.Color(board.Turn()), info: abi.Reset})
		if err != nil || pos.Occurrences() != c.want || pos.Board() != board {
			t.Errorf("%s, then %s: %v, %v; want %d occurrences", c.command, c.fen, pos, err, c.want)
		}
	}
}
