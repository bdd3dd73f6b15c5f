// Package record reads and writes records of quantum chess: logs of the qchess server, and the
// formats that every game has.
package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/qchess"
	"qhsh/engine/record"
)

// Records reads and writes records of the game.
var Records = record.NewLibrary(record.Description{Game: qchess.Rules}, record.Zip, record.JSON, record.Plain, record.Text, Log, record.PGN, record.Moves)

// Log is the server's log of a game. The times are ignored:
//
//	# Log starts 2013-03-01 20:15:00.120000
//	# white : ./agent
//	# black : @internal:AgentRandom
//	# Initial board
//	black unknown ['rook', '?rook'] at 0,0
//	...
//	# Start game
//	2013-03-01 20:15:00.130000 : 3 6 0 pawn
//	2013-03-01 20:15:00.131000 : 3 6 -> 3 4
//	...
//	2013-03-01 20:16:00.120000 : white
//	# EOF
//
// The result is the winner, or a side and how it ended the game, such as "white DRAW" or "white
// ILLEGAL move 3,2", which is kept as the tag Termination.
//
// If second kinds were drawn only when they were revealed, those of the initial board are 'unknown'.
// A game that ends after a selection, before its outcome, ends with the square alone. The server's
// own logs have neither.
var Log = &record.Format{
	Name: "log", Extensions: []string{".log"}, Detect: isLog, Read: record.WholeText(readLogs), Write: writeLog,
}

const (
	logStarts = "# Log starts"
	shortLog  = "# Short log"
	boardNext = "# Initial board"
	gameNext  = "# Start game"
	logEnds   = "# EOF"

	termination = "Termination"
	drawn       = "DRAW"
)

func isLog(head []byte) bool {
	return bytes.HasPrefix(head, []byte(logStarts)) || bytes.HasPrefix(head, []byte(shortLog))
}

// readLogs yields the games of consecutive logs.
func readLogs(s *record.Source, text string, yield func(*record.Game, error) bool) {
	lines := strings.Split(text, "\n")
	for from, game := 0, 1; from < len(lines); game++ {
		to := from + 1
		for to < len(lines) && !isLog([]byte(lines[to])) {
			to++
		}
		g, at, err := readLog(lines[from:to], s.Lenient())
		if !yield(g, s.LineError(game, from+at+1, err)) {
			return
		}
		from = to
	}
}

// readLog parses a log. line is the line of the error, from 0. The events from an illegal move on are
// kept as a comment if lenient is set.
func readLog(lines []string, lenient bool) (g *record.Game, line int, err error) {
	var tags record.Tags
	var pieces []string
	for line = 0; line < len(lines); line++ {
		text := strings.TrimSpace(lines[line])
		if text == gameNext {
			break
		}
		if comment, ok := strings.CutPrefix(text, "# "); ok {
			if side, name, ok := strings.Cut(comment, " : "); ok {
				tags.Add(sideTags[side], name)
			}
		} else {
			pieces = append(pieces, text)
		}
	}
	b, err := qchess.ParseServerLines(pieces)
	if err != nil {
		return nil, 0, err
	}
	if line == len(lines) {
		return nil, line - 1, fmt.Errorf("missing %q", gameNext)
	}
	r := reader{board: b}
	for line++; line < len(lines); line++ {
		if err = r.read(strings.TrimSpace(lines[line])); err != nil || r.ended {
			break
		}
	}
	g, last := r.game(tags)
	switch {
	case err != nil:
		err = last.Drop(lenient, err, func() string { return strings.Join(lines[line:], "; ") })
	case !r.ended:
		err = errors.New("truncated log: no result")
	}
	return g, min(line, len(lines)-1), err
}

// sideTags are the players' tags by side.
var sideTags = map[string]string{"white": "White", "black": "Black"}

// A reader follows the events of a log.
type reader struct {
	start   qchess.Board
	board   qchess.Board
	moves   []qchess.Step
	started bool
	ended   bool
	result  string
}

// read reads a line after the board.
func (r *reader) read(line string) error {
	if line == "" || strings.HasPrefix(line, "#") {
		r.ended = r.ended || line == logEnds
		return nil
	}
	event, ok := strings.CutPrefix(line, ": ")
	if !ok {
		_, event, ok = strings.Cut(line, " : ")
	}
	if !ok {
		return fmt.Errorf("invalid event %q", line)
	}
	u, err := qchess.ParseUpdate(event)
	x, y, _ := strings.Cut(event, " ")
	if at, err := qchess.ParseSquare(x + y); err == nil && len(x) == 1 { // a selection without an outcome
		r.begin(at)
		if err := r.board.Do(qchess.SelectStep(at)); err != nil {
			return err
		}
		r.moves = append(r.moves, qchess.SelectStep(at))
		return nil
	}
	if err != nil {
		if side, _, _ := strings.Cut(event, " "); sideTags[side] == "" {
			return err
		}
		r.result, r.ended = event, true
		return nil
	}
	r.begin(u.From)
	steps, err := r.board.Apply(u)
	r.moves = append(r.moves, steps...)
	return err
}

// begin makes the side of the first selected piece move first.
func (r *reader) begin(at qchess.Square) {
	if r.started {
		return
	}
	if _, side, ok := r.board.PieceAt(at); ok {
		r.board.SetTurn(side)
	}
	r.start, r.started = r.board, true
}

// game returns the game read so far, and its last node.
func (r *reader) game(tags record.Tags) (g *record.Game, last *record.Node) {
	if !r.started {
		r.start = r.board
	}
	g = record.NewGame(qchess.NewPosition(r.start))
	g.Tags = tags
	last = g.Root
	for _, s := range r.moves {
		last = last.Append(engine.Move(s))
	}
	side, why, _ := strings.Cut(r.result, " ")
	turn, err := qchess.ParseColour(side)
	switch {
	case err != nil:
	case why == "":
		g.Result = engine.Win(turn)
	case why == drawn:
		g.Result = engine.Draw
		g.Tags.Set(termination, r.result)
	default:
		g.Result = engine.Win(turn.Other())
		g.Tags.Set(termination, r.result)
	}
	return g, last
}

// writeLog writes a log without times.
func writeLog(o *record.Output, g *record.Game) error {
	start, ok := g.Start.(*qchess.Position)
	if !ok {
		return engine.OtherGame(g.Start, qchess.Rules)
	}
	board := start.Board()
	if _, selected := board.Selected(); selected {
		return errors.New("a log cannot start with a selected piece")
	}
	back, err := qchess.ParseServerLines(board.ServerLines())
	if err != nil {
		return err
	}
	if back.SetTurn(board.Turn()); back.String() != board.String() {
		return fmt.Errorf("a log cannot represent %v: it would be read as %v", board.String(), back.String())
	}
	lines := []string{logStarts}
	for _, side := range []string{"white", "black"} {
		name := cmp.Or(record.CleanLine(g.Tags.Get(sideTags[side])), "unknown")
		lines = append(lines, fmt.Sprintf("# %s : %s", side, name))
	}
	lines = append(append(append(lines, boardNext), board.ServerLines()...), gameNext)
	for _, m := range g.MainLine() {
		u, told, err := board.DoUpdate(qchess.Step(m))
		if err != nil {
			return err
		}
		if told {
			lines = append(lines, ": "+u.String())
		}
	}
	if board.OutcomePending() {
		p, _ := board.Selected()
		lines = append(lines, fmt.Sprintf(": %d %d", p.At.X(), p.At.Y()))
	}
	result := g.Tags.Get(termination)
	switch {
	case result != "" || g.Result == engine.Ongoing:
	case g.Result == engine.FirstWins:
		result = qchess.ColourName(qchess.White)
	case g.Result == engine.SecondWins:
		result = qchess.ColourName(qchess.Black)
	default:
		result = qchess.ColourName(board.Turn().Other()) + " " + drawn
	}
	if result != "" {
		lines = append(lines, ": "+result)
	}
	for _, tag := range g.Tags {
		if !slices.Contains([]string{sideTags["white"], sideTags["black"], termination, record.IllegalStart}, tag.Name) {
			o.LoseTag(tag.Name)
		}
	}
	if g.HasNotes() {
		o.Lose("comments and variations")
	}
	_, err = fmt.Fprintln(o, strings.Join(append(lines, logEnds), "\n"))
	return err
}
