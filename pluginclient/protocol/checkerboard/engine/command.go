package main

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"qhsh/engine/alphabeta"
	"qhsh/engine/checkers"
	"qhsh/pluginclient/protocol/checkerboard/abi"
)

const about = "qhsh: checkers in five variants\nset gametype 21, 22, 24, 25 or 26 chooses the variant"

// command answers enginecommand; 0 is for what is not understood, whose reply is a question mark.
func (p *player) command(text string, reply []byte) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	answer, ok := p.answer(text)
	if !ok {
		report(reply, "?")
		return 0
	}
	report(reply, answer)
	return 1
}

func (p *player) answer(text string) (answer string, ok bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	switch word {
	case "name":
		return name(), true
	case "about":
		return about, true
	case "help", "hint":
		return "", true // there is no file, and no hint
	case "get":
		return p.get(strings.TrimSpace(rest))
	case "set":
		key, value, _ := strings.Cut(strings.TrimSpace(rest), " ")
		return p.set(key, strings.TrimSpace(value))
	}
	return "", false
}

// name is that of the program with its version, if it has one.
func name() string {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		return "qhsh " + info.Main.Version
	}
	return "qhsh"
}

func (p *player) get(key string) (string, bool) {
	if fen, is := strings.CutPrefix(key, "movelist"); is {
		return p.moveList(strings.TrimSpace(fen))
	}
	switch key {
	case "protocolversion":
		return "2", true
	case "gametype":
		return strconv.Itoa(p.variant.GameType()), true
	case "book", "dbmbytes":
		return "0", true // there are none
	case "hashsize":
		return strconv.Itoa(p.hash), true
	case "allscores":
		return map[bool]string{false: "0", true: "1"}[p.allScores], true
	}
	return "", false
}

func (p *player) set(key, value string) (string, bool) {
	if key == "gamehist" {
		return p.setHistory(value)
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return "", false
	}
	switch key {
	case "gametype":
		v, err := checkers.VariantOf(n)
		if err != nil {
			return "", false
		}
		p.variant, p.searcher, p.game, p.history = v, nil, nil, nil
		return fmt.Sprintf("gametype set to %d", n), true
	case "hashsize":
		if n < 1 || n > alphabeta.MaxHash {
			return fmt.Sprintf("Message hashsize %d: want 1 to %d", n, alphabeta.MaxHash), false
		}
		p.hash, p.searcher = n, nil
		return fmt.Sprintf("hashsize set to %d", n), true
	case "book", "dbmbytes":
		return fmt.Sprintf("%s is always 0: there is none", key), true
	case "allscores":
		p.allScores = n == 1
		return fmt.Sprintf("allscores set to %d", n), n <= 1
	}
	return "", false
}

// setHistory sets the game so far: a FEN and the moves since, separated by spaces.
func (p *player) setHistory(text string) (string, bool) {
	p.history = nil
	words := strings.Fields(text)
	if len(words) == 0 {
		return "", false
	}
	board, err := checkers.ParseBoard(p.variant, words[0])
	if err != nil {
		return "", false
	}
	pos := checkers.NewPosition(board)
	for _, word := range words[1:] {
		m, err := pos.Parse(word)
		if err != nil {
			return "", false
		}
		if pos, err = pos.Do(checkers.Move(m)); err != nil {
			return "", false
		}
	}
	p.history = pos
	return "", true
}

// moveList is the list of legal moves of a FEN: their number, and for each how many pieces it
// captures, the piece before and after, and its ends, then for each capture the landing, the captured
// square and the piece on it.
func (p *player) moveList(fen string) (string, bool) {
	board, err := checkers.ParseBoard(p.variant, fen)
	if err != nil {
		return "", false
	}
	moves, v := board.AppendMoves(nil), board.Variant()
	if len(moves) == 0 {
		return "movelist 0", true
	}
	text := fmt.Sprintf("movelist %d,", len(moves))
	for _, m := range moves {
		move, way := abi.MoveOf(&board, m), board.CapturePath(m)
		text += fmt.Sprintf("%d,%d,%d,%d,%d", move.Jumps, move.OldPiece, move.NewPiece, v.Number(m.From()), v.Number(m.To()))
		for i, s := range way.Captured {
			text += fmt.Sprintf(",%d,%d,%d", v.Number(way.Landings[i]), v.Number(s), move.DelPiece[i])
		}
		text += ";"
	}
	return text, true
}
