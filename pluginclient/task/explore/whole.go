package explore

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"qhsh/engine"
	"qhsh/engine/record"
)

// lacksRecords is a condition of SQL on sources: some of its games have no whole record.
const lacksRecords = `EXISTS (SELECT 1 FROM games WHERE games.source_id = sources.source_id AND game_id NOT IN (SELECT game_id FROM records))`

// maxWhole is the maximum size of a record before it is compressed.
const maxWhole = 64 << 20

// flaters are used again: a new one costs more than a game.
var flaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.DefaultCompression)
	if err != nil {
		panic(err) // of the level
	}
	return w
}}

// wholeOf returns what is stored of a whole record. It has no moves if the main line is all: the table lines has it.
func (a *adder) wholeOf(g *record.Game, notes bool) ([]byte, error) {
	if !notes {
		bare := *g
		bare.Root = &record.Node{}
		g = &bare
	}
	var b bytes.Buffer
	w := flaters.Get().(*flate.Writer)
	defer flaters.Put(w)
	w.Reset(&b)
	out, err := a.lib.NewWriter(w, record.JSON, "")
	if err == nil {
		err = out.Write(g)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("a whole record: %w", err)
	}
	return b.Bytes(), nil
}

// readWhole returns the game of a whole record, or nil without one, or if its start or moves are not these.
func (d *DB) readWhole(stored []byte, start engine.Position, moves []engine.Move) *record.Game {
	if stored == nil {
		return nil
	}
	in := flate.NewReader(bytes.NewReader(stored))
	defer in.Close()
	for g := range d.games.Records(d.game).WithIllegalStarts().Read(io.LimitReader(in, maxWhole), "record") {
		if g == nil || g.Start.Key() != start.Key() {
			break
		}
		if len(g.Root.Next) == 0 {
			g.Root.AppendLine(moves)
		}
		if slices.Equal(g.MainLine(), moves) {
			return g
		}
	}
	return nil
}

// EachWhole is Each with the tags, comments and variations of the games that were added whole: of several copies those of
// the one that has most comments and variations.
func (d *DB) EachWhole(ctx context.Context, filter Filter, f func(GameID, *record.Game) error) error {
	var known bool
	if err := d.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'records')").Scan(&known); err != nil {
		return d.wrap(err)
	}
	if !known { // an earlier program made the database
		return d.Each(ctx, filter, f)
	}
	return d.eachGame(ctx, filter, `(SELECT record FROM records WHERE game_id IN
		(SELECT g.game_id UNION ALL SELECT c.game_id FROM games c WHERE c.original = g.game_id) ORDER BY notes * length(record) DESC, game_id = g.game_id DESC, record LIMIT 1)`, f)
}
