package input

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
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

// gameReader is a source of the positions of games, see gameItems.
type gameReader struct {
	next func() (item func() batch.Item, ok bool)
	stop func()
}

// Close ends the reading.
func (r gameReader) Close() error {
	r.stop()
	return nil
}

// Next returns the next position.
func (r gameReader) Next() (batch.Item, error) {
	item, ok := r.next()
	if !ok {
		return batch.Item{}, io.EOF
	}
	return item(), nil
}

// Skip skips a position or the damage of a game. It returns io.EOF if there is none.
func (r gameReader) Skip() error {
	if _, ok := r.next(); !ok {
		return io.EOF
	}
	return nil
}

// gameItems returns what makes the Items of the positions of games, those of the main line, each to be called before the
// next. An Item has the moves that led to its position. Its ID and its Fields say where it is from: the number of the
// game in the file, from 1, the number of moves before it, the players, the event, the date, and the move that was
// played. Its Line counts the positions of the file, as the lines of 'qhsh fens' do. A game that is damaged is an Item
// with an Err, before those of its part that could be read. One whose damage comments keep is not.
func (o Options) gameItems(in io.Reader) iter.Seq[func() batch.Item] {
	return func(yield func(func() batch.Item) bool) {
		line, number := 0, 0
		for g, err := range o.Records.Read(in, o.Name) {
			number++
			if record.IsDropped(err) {
				if o.OnDropped != nil {
					o.OnDropped(err)
				}
				err = nil
			}
			if err != nil {
				line++
				if !yield(func() batch.Item { return batch.Item{File: o.Label, Line: line, Err: err} }) {
					return
				}
			}
			if g == nil {
				continue
			}
			pos, moves := g.Start, g.MainLine()
			names, tags := engine.FormatMoves(g.Start, moves), TagFields(o.Records, g)
			for ply := range len(names) + 1 {
				line++
				if !yield(func() batch.Item {
					fields := append(batch.Fields{batch.NumberField("game", number), batch.NumberField("ply", ply)}, tags...)
					if ply < len(names) {
						fields = append(fields, batch.TextField("played", names[ply]))
					}
					return batch.Item{
						File: o.Label, Line: line, Text: g.Start.String(), Moves: names[:ply:ply], Pos: pos, Fields: fields,
						ID: strings.TrimSpace(fmt.Sprintf("%s game %d ply %d", o.Label, number, ply)),
					}
				}) {
					return
				}
				if ply < len(names) {
					pos, _ = pos.Play(moves[ply]) // a move with a name is legal
				}
			}
		}
	}
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
