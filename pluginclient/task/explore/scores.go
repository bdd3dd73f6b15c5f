package explore

import (
	"context"
	"database/sql"
	"errors"
	"iter"

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
	image := r.Position
	if mirror {
		if image, err = d.mirrored(r.Position); err != nil {
			return err
		}
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
		score := h.Score.JSON()
		_, err = tx.Exec("INSERT OR IGNORE INTO scores (key, move, rank, cp, mate, depth, engine) VALUES (?, ?, ?, ?, ?, ?, ?)",
			int64(pos.Key()), int64(m), i+1, score.CP, score.Mate, h.Depth, name)
		if err != nil {
			return false, err
		}
	}
	return added, nil
}
