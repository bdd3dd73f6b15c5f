package input

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
)

// hasGames reports whether a stream, whose format has been detected, is a file of games: JSON lines
// of games, or what no other format is. A line that is a position, with or without moves, is no game.
func (o Options) hasGames(game engine.Game, in *bufio.Reader) bool {
	switch o.Format {
	case JSON:
		var keys struct{ Result, Match json.RawMessage }
		return json.Unmarshal([]byte(firstLine(in)), &keys) == nil && (keys.Result != nil || keys.Match != nil)
	case FEN:
		line := firstLine(in)
		return line != "" && batch.Parse(game, line).Err != nil
	}
	return false
}

// DetectAnnotated returns the format of a stream of positions that have more than their moves, such as
// solutions, without consuming any of it; "" for all others, which a library reads as records.
func DetectAnnotated(game engine.Game, lib *record.Library, name string, in *bufio.Reader) string {
	form, line := DetectFormat(name, in, DefaultColumn), firstLine(in)
	head, _ := in.Peek(in.Buffered())
	found := false
	switch records := lib.DetectFormat(head); form {
	case JSON:
		var keys batch.Fields
		isBest := func(f batch.Field) bool { return f.Name == "bm" }
		found = records == record.JSON && json.Unmarshal([]byte(line), &keys) == nil && (isAnswer(keys) || slices.ContainsFunc(keys, isBest))
	case CSV:
		found = records == record.Moves && isHeader(line, DefaultColumn)
	default:
		item := batch.Parse(game, line)
		if records == record.Moves && item.Err == nil && len(item.Ops) > 0 && len(item.Moves) == 0 {
			_, err := batch.ReadMove(game, item.Pos, item.Ops[0].Code) // which another notation may write like an operation
			found = err != nil
		}
	}
	if !found {
		return ""
	}
	return form
}

// gameReader is a source of the positions of games, those of the main line. An Item has the moves
// that led to its position. Its ID and its Fields say where it is from: the number of the game in
// the file, from 1, the number of moves before it, the players, the event, the date, and the move
// that was played. Its Line counts the positions of the file, as the lines of 'qhsh fens' do. A game
// that is damaged is an Item with an Err, before those of its part that could be read. One whose
// damage comments keep is not.
type gameReader struct {
	lib       *record.Library
	label     string
	onDropped func(error)
	read      func() (*record.Game, error, bool)
	stop      func()

	line   int // of the latest Item
	number int // of the current game
	game   *record.Game
	moves  []engine.Move   // its main line
	names  []string        // in the game's notation
	pos    engine.Position // the next one; nil: the game has no more
	ply    int             // moves before pos
	fields batch.Fields    // of all its positions
	err    error           // its damage, if that has not been returned
}

// Close ends the reading.
func (r *gameReader) Close() error {
	r.stop()
	return nil
}

// Next returns the next position.
func (r *gameReader) Next() (batch.Item, error) {
	if err := r.advance(); err != nil {
		return batch.Item{}, err
	}
	item := batch.Item{File: r.label, Line: r.line}
	if r.err != nil {
		item.Err, r.err = r.err, nil
		return item, nil
	}
	item.Text, item.Moves, item.Pos = r.game.Start.String(), r.names[:r.ply:r.ply], r.pos
	item.ID = strings.TrimSpace(fmt.Sprintf("%s game %d ply %d", r.label, r.number, r.ply))
	item.Fields = append(r.fields[:1:1], batch.NumberField("ply", r.ply))
	item.Fields = append(item.Fields, r.fields[1:]...)
	if r.ply < len(r.names) {
		item.Fields = append(item.Fields, batch.TextField("played", r.names[r.ply]))
	}
	r.pass()
	return item, nil
}

// Skip skips a position or the damage of a game. It returns io.EOF if there is none.
func (r *gameReader) Skip() error {
	err := r.advance()
	switch {
	case err != nil:
	case r.err != nil:
		r.err = nil
	default:
		r.pass()
	}
	return err
}

// advance makes the next position or damage the current one. It returns io.EOF if there is none.
func (r *gameReader) advance() error {
	for r.err == nil && r.pos == nil {
		g, err, ok := r.read()
		if !ok {
			return io.EOF
		}
		r.begin(g, err)
	}
	r.line++
	return nil
}

// begin begins a game; g is nil if nothing of it could be read.
func (r *gameReader) begin(g *record.Game, err error) {
	r.number++
	if record.IsDropped(err) {
		if r.onDropped != nil {
			r.onDropped(err)
		}
		err = nil
	}
	r.game, r.err = g, err
	if g == nil {
		return
	}
	r.moves, r.pos, r.ply = g.MainLine(), g.Start, 0
	r.names = engine.FormatMoves(g.Start, r.moves)
	r.fields = append(batch.Fields{batch.NumberField("game", r.number)}, TagFields(r.lib, g)...)
}

// TagFields returns what the positions of a game say of it: its players, event and date.
func TagFields(lib *record.Library, g *record.Game) (fields batch.Fields) {
	for _, tag := range []string{lib.PGN.First, lib.PGN.Second, "Event", "Date"} {
		if value := g.Tags.Get(tag); value != "" {
			fields = append(fields, batch.TextField(strings.ToLower(tag), value))
		}
	}
	return fields
}

func (r *gameReader) pass() {
	if r.ply == len(r.names) {
		r.pos = nil
		return
	}
	r.pos, _ = r.pos.Play(r.moves[r.ply]) // a move with a name is legal
	r.ply++
}
