package explore

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"path/filepath"
	"slices"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// A Score is an engine's score of a move.
type Score struct {
	engine.Score        // for the side that makes the move
	Depth        int    // 0 if not known
	Engine       string // its name
}

// addScores adds the scores that are stored of the moves of a report; with mirror those of their mirror
// images will do.
func (d *DB) addScores(ctx context.Context, r *Report, mirror bool) (err error) {
	image, err := d.image(r.Position, mirror)
	if err != nil {
		return err
	}
	for i := range r.Moves {
		m := &r.Moves[i]
		m.Score, err = d.moveScore(ctx, r.Position, m.Move)
		if err == nil && mirror && m.Score == nil {
			var move engine.Move
			if move, err = d.mirroredMove(r.Position, m.Move); err == nil {
				m.Score, err = d.moveScore(ctx, image, move)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// moveScore returns the score of a move, or else of the position after it, for the side that makes the
// move; nil if there is none.
func (d *DB) moveScore(ctx context.Context, pos engine.Position, m engine.Move) (*Score, error) {
	score, err := d.score(ctx, "key = ? AND move = ?", int64(pos.Key()), int64(m))
	if err != nil || score != nil {
		return score, err
	}
	next, err := pos.Play(m)
	if err != nil {
		return nil, err
	}
	score, err = d.score(ctx, "key = ? AND rank = 1", int64(next.Key()))
	if score != nil && next.Turn() != pos.Turn() {
		score.Score = score.Neg()
	}
	return score, err
}

// score returns a row of the table scores; nil if there is none.
func (d *DB) score(ctx context.Context, where string, args ...any) (*Score, error) {
	var cp, mate sql.NullInt64
	var s Score
	err := d.db.QueryRowContext(ctx, "SELECT cp, mate, depth, name FROM scores JOIN names ON name_id = engine WHERE "+where, args...).
		Scan(&cp, &mate, &s.Depth, &s.Engine)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case mate.Valid:
		s.Score = engine.MateIn(int(mate.Int64))
	default:
		s.Score = engine.Centipawns(int(cp.Int64))
	}
	return &s, nil
}

// AddScores adds the scores of answers, each in place of a former answer about the same position. It
// returns the number of positions with scores. Answers without any, such as those of finished games,
// are left out. The error is the first one among the answers that is fatal to Fatal, or one of the
// database, which is then unchanged.
func (d *DB) AddScores(ctx context.Context, answers iter.Seq2[batch.Answer, error], fatal func(error) bool) (n int, err error) {
	tx, err := d.begin(ctx, ctx)
	if err != nil {
		return 0, d.wrap(err)
	}
	defer func() { _ = tx.Rollback() }() // which does nothing after a commit
	names := nameCache{}
	for a, err := range answers {
		if err != nil {
			if fatal(err) {
				return 0, err
			}
			continue
		}
		item := batch.Record{Text: a.Text, Moves: a.Moves}.Item(d.game)
		if item.Err != nil || a.Text == "" {
			continue
		}
		added, err := replaceScores(tx, names, item.Pos, a)
		if err != nil {
			return 0, d.wrap(err)
		}
		if added {
			n++
		}
	}
	return n, d.wrap(tx.Commit())
}

// replaceScores stores the scores of an answer and reports whether there are any.
func replaceScores(tx *sql.Tx, names nameCache, pos engine.Position, a batch.Answer) (added bool, err error) {
	name, err := names.id(tx, a.Engine)
	if err != nil {
		return false, err
	}
	for i, h := range a.Hints {
		m, err := pos.Parse(h.Move)
		if err != nil || !h.Score.Known() {
			continue
		}
		if !added {
			if _, err := tx.Exec("DELETE FROM scores WHERE key = ?", int64(pos.Key())); err != nil {
				return false, err
			}
		}
		added = true
		if err := addScore(tx, pos, m, i+1, h.Score, h.Depth, name); err != nil {
			return false, err
		}
	}
	return added, nil
}

// addScore stores the score of a move that has none, with its rank among the moves of the position.
func addScore(tx *sql.Tx, pos engine.Position, m engine.Move, rank int, s engine.Score, depth int, name int64) error {
	score := s.JSON()
	_, err := tx.Exec("INSERT OR IGNORE INTO scores (key, move, rank, cp, mate, depth, engine) VALUES (?, ?, ?, ?, ?, ?, ?)",
		int64(pos.Key()), int64(m), rank, score.CP, score.Mate, depth, name)
	return err
}

// AddBook adds the scores of the book of another program in the positions that are reached from pos, each in place of
// former scores of the position, and returns the number of positions.
func (d *DB) AddBook(ctx context.Context, book *DB, pos engine.Position) (n int, err error) {
	tx, err := d.begin(ctx, ctx)
	if err != nil {
		return 0, d.wrap(err)
	}
	defer func() { _ = tx.Rollback() }() // which does nothing after a commit
	name, err := nameCache{}.id(tx, filepath.Base(book.path))
	if err != nil {
		return 0, d.wrap(err)
	}
	err = book.eachReached(ctx, pos, 0, engine.Position.Key, func(r *Report) error {
		if len(r.Moves) == 0 {
			return nil
		}
		n++
		if _, err := tx.Exec("DELETE FROM scores WHERE key = ?", int64(r.Position.Key())); err != nil {
			return d.wrap(err)
		}
		for i, m := range r.Moves {
			if err := addScore(tx, r.Position, m.Move, i+1, m.Score.Score, 0, name); err != nil {
				return d.wrap(err)
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, d.wrap(tx.Commit())
}

// addUnplayed adds the moves to a report that have a score, but were not played.
func (d *DB) addUnplayed(ctx context.Context, r *Report) error {
	legal := r.Position.Moves()
	var m engine.Move
	var unplayed []engine.Move // the query is to end before those of their scores
	err := each(ctx, d.db, []any{&m}, func() error {
		if slices.Contains(legal, m) && !slices.ContainsFunc(r.Moves, func(other MoveReport) bool { return other.Move == m }) {
			unplayed = append(unplayed, m)
		}
		return nil
	}, "SELECT move FROM scores WHERE key = ? ORDER BY rank", int64(r.Position.Key()))
	for _, m := range unplayed {
		if err != nil {
			break
		}
		var score *Score
		score, err = d.moveScore(ctx, r.Position, m)
		r.Moves = append(r.Moves, MoveReport{Move: m, Score: score})
	}
	return d.wrap(err)
}
