package explore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
)

// A ply is a row of the table plies, except for the game.
type ply struct{ key, move int64 }

// A played is a game as the database stores it.
type played struct {
	names  [4]string // of players, event and opening
	date   Date
	result engine.Outcome
	start  string // "" for the usual one
	moves  []byte
	length int // in moves
	digest []byte
	plies  []ply
	record []byte // nil: not stored
	notes  bool   // record has variations or comments
}

// convert returns what is stored of a record.
func (d *DB) convert(lib *record.Library, g *record.Game) played {
	p := played{
		names: [4]string{
			g.Tags.Known(lib.PGN.First), g.Tags.Known(lib.PGN.Second),
			cmp.Or(g.Tags.Known("Event"), g.Tags.Known("Title")), d.games.Opening(g),
		},
		result: g.Result,
	}
	p.date, _ = ParseDate(g.Tags.Get("Date"))
	if text := g.Start.String(); text != d.game.Start().String() {
		p.start = text
	}
	moves := g.MainLine()
	for _, m := range moves {
		p.moves = binary.AppendUvarint(p.moves, uint64(m))
	}
	p.length = len(moves)
	p.plies = pliesOf(lib.Board(g.Start, ""), moves)
	// The start is without its counters.
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, g.Start.Key()), p.moves...))
	p.digest = sum[:16] // enough to identify a game
	return p
}

// pliesOf returns the plies of a line from the position of a board. The last one has NoMove, unless
// the game has been in that position before.
func pliesOf(board record.Board, moves []engine.Move) []ply {
	plies := make([]ply, 0, len(moves)+1)
	for _, m := range moves {
		plies = append(plies, ply{int64(board.Key()), int64(m)})
		board.Do(m)
	}
	last := int64(board.Key())
	if slices.ContainsFunc(plies, func(p ply) bool { return p.key == last }) {
		return plies
	}
	return append(plies, ply{last, int64(engine.NoMove)})
}

type storedLine struct {
	start string // "" for the usual one
	moves []byte
}

func (l storedLine) read(game engine.Game) (start engine.Position, moves []engine.Move, err error) {
	start = game.Start()
	if l.start != "" {
		if start, err = game.Position(l.start); err != nil {
			return nil, nil, err
		}
	}
	for rest := l.moves; len(rest) > 0; {
		m, n := binary.Uvarint(rest)
		if n <= 0 {
			return nil, nil, errors.New("the moves of a game are damaged")
		}
		moves, rest = append(moves, engine.Move(m)), rest[n:]
	}
	return start, moves, nil
}

// Each calls f with the games that match a filter, without duplicates, in the order in which they
// were added: their main lines, players, event, date, opening and result. It returns the error of f,
// of ctx or of the database.
func (d *DB) Each(ctx context.Context, filter Filter, f func(GameID, *record.Game) error) error {
	return d.eachGame(ctx, filter, "NULL", f)
}

// eachGame is Each with the whole record that an expression selects for games g; NULL if there is none.
func (d *DB) eachGame(ctx context.Context, filter Filter, wholeColumn string, f func(GameID, *record.Game) error) error {
	conditions, args, err := d.where(ctx, filter)
	if err != nil {
		return d.wrap(err)
	}
	style := d.games.PGN(d.game)
	var id GameID
	var result engine.Outcome
	var date Date
	var first, second, event, opening string
	var line storedLine
	var whole []byte
	var stopped error // that of f
	err = each(ctx, d.db, []any{&id.Source, &id.Number, &result, &date, &first, &second, &event, &opening, &line.start, &line.moves, &whole}, func() error {
		start, moves, err := line.read(d.game)
		if err != nil {
			return err
		}
		g := d.readWhole(whole, start, moves)
		if g == nil {
			g = record.NewGame(start)
			g.Root.AppendLine(moves)
		}
		if result != engine.Ongoing {
			g.Result = result
		}
		for _, tag := range []record.Tag{
			{Name: "Event", Value: event},
			{Name: "Date", Value: date.PGN()},
			{Name: style.First, Value: first},
			{Name: style.Second, Value: second},
			{Name: "Opening", Value: opening},
		} {
			if value := record.CleanLine(tag.Value); value != "" && tag.Name != "Event" && tag.Name != "Opening" {
				g.Tags.Set(tag.Name, value) // of the best copy
			}
			g.Tags.Add(tag.Name, tag.Value)
		}
		stopped = f(id, g)
		return stopped
	}, `SELECT s.name, g.number, g.result, g.date, a.name, b.name, e.name, o.name, ifnull(l.start, ''), l.moves, `+wholeColumn+`
		FROM games g JOIN lines l USING (game_id) JOIN sources s USING (source_id)
		JOIN names a ON a.name_id = g.first JOIN names b ON b.name_id = g.second
		JOIN names e ON e.name_id = g.event JOIN names o ON o.name_id = g.opening
		WHERE true`+conditions+` ORDER BY g.game_id`, args...)
	if stopped != nil {
		return stopped
	}
	return d.wrap(err)
}

// A Found is a position that was searched for: the first one in its game.
type Found struct {
	GameID
	Ply int    `json:"ply"` // moves before it
	FEN string `json:"fen"`
}

// String describes the position in a line.
func (f Found) String() string {
	return fmt.Sprintf("%v ply %d  %s", f.GameID, f.Ply, printable.Line(f.FEN))
}

// Find calls f with the first position that matches in each game, in the order in which the games
// were added. It plays the games through, so its time grows with their number.
func (d *DB) Find(ctx context.Context, filter Filter, matches func(engine.Position) bool, f func(Found) error) error {
	return d.Each(ctx, filter, func(id GameID, g *record.Game) error {
		ply := 0
		for _, pos := range g.Positions(false) {
			if matches(pos) {
				return f(Found{id, ply, pos.String()})
			}
			ply++
		}
		return nil
	})
}
