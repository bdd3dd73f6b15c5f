package explore

import (
	"context"
	"database/sql"

	"qhsh/engine"
	"qhsh/engine/record"
)

// A Novelty is the first move of a game after which there is a position that no other game has. Copies of the
// game are not others.
type Novelty struct {
	Ply    int             // of the move, from 1
	Before engine.Position // the move
	Move   engine.Move
	Games  int           // others that had the position before the move
	Latest []Predecessor // of them, ten at most, the latest first
}

// A Predecessor is a game that had the position before a new move.
type Predecessor struct {
	GameID
	Names  [2]string // of the players, by side; empty: not known
	Event  string
	Date   Date
	Result engine.Outcome
	Move   engine.Move // in the position; NoMove: the game ended there
}

// Novelty returns the first new move of a game, among the games that match a filter without a position; nil if
// other games have all its positions. A game that is there with the same moves is a copy, and so is one with some
// more or fewer of them if both are long or their players the same, as far as they are known.
func (d *DB) Novelty(ctx context.Context, g *record.Game, f Filter) (*Novelty, error) {
	o, err := d.others(ctx, g, f)
	if err != nil {
		return nil, d.wrap(err)
	}
	n, err := o.novelty(ctx)
	return n, d.wrap(err)
}

// others are the games of a database besides one game and its copies.
type others struct {
	*DB
	filter     Filter
	positions  []engine.Position // of the game
	moves      []engine.Move     // after each position but the last
	conditions string            // on the table games named g, with args
	args       []any
}

func (d *DB) others(ctx context.Context, g *record.Game, f Filter) (*others, error) {
	o := &others{DB: d, filter: f, moves: g.MainLine()}
	for _, pos := range g.Positions(false) {
		o.positions = append(o.positions, pos)
	}
	o.moves = o.moves[:len(o.positions)-1]
	copies, err := d.copiesOf(ctx, g, o.positions)
	if err != nil {
		return nil, err
	}
	o.conditions, o.args, err = d.where(ctx, f)
	o.conditions += " AND g.game_id NOT IN (SELECT value FROM json_each(?))"
	o.args = append(o.args, copies)
	return o, err
}

// copiesOf returns the ids of the copies of a game as a JSON array.
func (d *DB) copiesOf(ctx context.Context, g *record.Game, positions []engine.Position) (string, error) {
	keys := make([]int64, len(positions))
	for i, pos := range positions {
		keys[i] = int64(pos.Key())
	}
	p := d.convert(d.games.Records(d.game), g)
	ids := []int64{}
	var id int64
	var length int
	var names [2]string
	err := each(ctx, d.db, []any{&id, &length, &names[0], &names[1]}, func() error {
		if length == p.length || min(length, p.length) >= maxBookPlies || d.mayBeSame(names[0], p.names[0]) && d.mayBeSame(names[1], p.names[1]) {
			ids = append(ids, id)
		}
		return nil
	}, `SELECT game_id, g.plies, a.name, b.name
		FROM games g JOIN lines l USING (game_id) JOIN names a ON a.name_id = g.first JOIN names b ON b.name_id = g.second
		WHERE game_id IN (SELECT game FROM plies WHERE key IN (SELECT value FROM json_each(?1)) AND move = 0 UNION SELECT game FROM plies WHERE key = ?2)
			AND l.start IS ?3 AND substr(?4, 1, length(l.moves)) = substr(l.moves, 1, length(?4))`,
		jsonArray(keys), keys[len(keys)-1], sql.NullString{String: p.start, Valid: p.start != ""}, p.moves)
	return jsonArray(ids), err
}

// mayBeSame reports whether two names may be those of one player: if one is not known, too.
func (d *DB) mayBeSame(a, b string) bool {
	player := func(name string) string { return record.NameKey(d.games.PlayerName(d.game, name)) }
	return a == "" || b == "" || player(a) == player(b)
}

// keys returns the keys by which the position of a ply is known.
func (o *others) keys(ply int) ([2]int64, error) {
	pos := o.positions[ply]
	image, err := o.image(pos, o.filter.Mirror)
	if err != nil {
		return [2]int64{}, err
	}
	return [2]int64{int64(pos.Key()), int64(image.Key())}, nil
}

// known reports whether so many games have the position of a ply.
func (o *others) known(ctx context.Context, ply, games int) (bool, error) {
	keys, err := o.keys(ply)
	if err != nil {
		return false, err
	}
	var found int
	err = o.db.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT DISTINCT p.game FROM plies p JOIN games g ON g.game_id = p.game
		WHERE p.key IN (?, ?)`+o.conditions+` LIMIT ?)`, append(append([]any{keys[0], keys[1]}, o.args...), games)...).Scan(&found)
	return found == games, err
}

// novelty returns the first new move; nil if there is none.
func (o *others) novelty(ctx context.Context) (*Novelty, error) {
	ply := 0
	for ; ply < len(o.moves); ply++ {
		if known, err := o.known(ctx, ply+1, 1); err != nil {
			return nil, err
		} else if !known {
			break
		}
	}
	if ply == len(o.moves) {
		return nil, nil
	}
	n := &Novelty{Ply: ply + 1, Before: o.positions[ply], Move: o.moves[ply]}
	keys, err := o.keys(ply)
	if err != nil {
		return nil, err
	}
	var p Predecessor
	var key int64
	err = each(ctx, o.db, []any{&n.Games, &key, &p.Move, &p.Source, &p.Number, &p.Result, &p.Date, &p.Names[0], &p.Names[1], &p.Event}, func() error {
		if key != keys[0] && p.Move != engine.NoMove { // the game had the mirror image
			image, err := o.image(n.Before, true)
			if err == nil {
				p.Move, err = o.mirroredMove(image, p.Move)
			}
			if err != nil {
				return err
			}
		}
		n.Latest = append(n.Latest, p)
		return nil
	}, `SELECT count(*) OVER (), p.key, min(p.move), s.name, g.number, g.result, g.date, a.name, b.name, e.name
		FROM plies p JOIN games g ON g.game_id = p.game JOIN sources s USING (source_id)
		JOIN names a ON a.name_id = g.first JOIN names b ON b.name_id = g.second JOIN names e ON e.name_id = g.event
		WHERE p.key IN (?, ?)`+o.conditions+` GROUP BY p.game ORDER BY g.date DESC, s.name, g.number LIMIT ?`,
		append(append([]any{keys[0], keys[1]}, o.args...), 10)...)
	return n, err
}

// maxBookPlies is how many plies of a game may stand in a book: later positions are no longer opening theory,
// however many games share them.
const maxBookPlies = 40

// An Opening is what a book knows of the beginning of a game from other games.
type Opening struct {
	Plies   int      // that stand in the book, from the start
	Novelty *Novelty // nil: there is none
}

// Opening returns what the book knows of a game.
func (b Book) Opening(ctx context.Context, g *record.Game) (opening Opening, err error) {
	o, err := b.others(ctx, g, Filter{})
	for err == nil && opening.Plies < min(len(o.moves), maxBookPlies) {
		var known bool
		if known, err = o.known(ctx, opening.Plies+1, b.Games); !known {
			break
		}
		opening.Plies++
	}
	if err == nil {
		opening.Novelty, err = o.novelty(ctx)
	}
	return opening, b.wrap(err)
}
