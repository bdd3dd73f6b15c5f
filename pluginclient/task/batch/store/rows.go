package store

import (
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient/sqlitefile"
	"qhsh/pluginclient/task/batch"
)

// positionRow returns the arguments of insertPosition.
func positionRow(id int, a batch.Answer) []any {
	var input, fen, position, level, solved any
	if a.Pos == nil {
		input = a.Input
	} else {
		fen, position = a.Text, a.Pos.String()
	}
	if a.Limits.HasLevel {
		level = a.Limits.Level
	}
	if is, scored := a.Solved(); scored {
		solved = is
	}
	return []any{
		id, text(a.File), a.Line, text(a.ID), input, fen, moves(a.Moves), position,
		moves(a.BM), moves(a.AM), text(batch.FormatOps(a.OtherOps())), text(batch.FormatFields(a.Item)), text(a.Engine), level, solved, text(a.Over),
		message(a.Err), message(a.Unscored),
		text(a.Spec), number(a.Limits.Nodes), number(int64(a.Limits.Depth)), number(a.Limits.Time.Milliseconds()),
	}
}

// hintRow returns the arguments of insertHint.
func hintRow(id, rank int, h batch.Hint) []any {
	var cp, mate any
	if n, ok := h.Score.Centipawns(); ok {
		cp = n
	}
	if n, ok := h.Score.Mate(); ok {
		mate = n
	}
	return []any{id, rank, h.Move, cp, mate, number(int64(h.Depth)), number(h.Nodes), moves(h.PV), text(h.Text)}
}

// text returns s, or NULL if it is empty.
func text(s string) any {
	if s == "" {
		return nil
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

func moves(m []string) any { return text(batch.JoinMoves(m)) }

func number(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

func message(err error) any {
	if err == nil {
		return nil
	}
	return text(err.Error())
}

// readOnly opens a database of this package for reading.
func readOnly(path string) (*sql.DB, error) {
	db, err := sqlitefile.OpenReading(path)
	if err != nil {
		return nil, err
	}
	if err := kind.Check(db); err != nil {
		return nil, errors.Join(fmt.Errorf("database %s: %w", path, sqlitefile.Explain(err)), db.Close())
	}
	return db, nil
}

// Answers returns the answers in a database, in the order in which they were written. They have no
// Pos, and their errors are plain strings.
func Answers(path string) iter.Seq2[batch.Answer, error] {
	return func(yield func(batch.Answer, error) bool) {
		db, err := readOnly(path)
		if err != nil {
			yield(batch.Answer{}, err)
			return
		}
		defer db.Close()
		if err := each(db, func(a batch.Answer) bool { return yield(a, nil) }); err != nil {
			yield(batch.Answer{}, fmt.Errorf("database %s: %w", path, sqlitefile.Explain(err)))
		}
	}
}

// each reads the rows of selectAnswers, one per hint. It reports no error after yield has returned
// false.
func each(db *sql.DB, yield func(batch.Answer) bool) error {
	rows, err := db.Query(selectAnswers)
	if err != nil {
		return err
	}
	defer rows.Close()
	var now row
	for last := 0; rows.Next(); last = now.id {
		before := now.answer
		if err := now.scan(rows); err != nil {
			return err
		}
		switch {
		case now.id == last:
			if len(before.Hints) == record.MaxValues {
				return fmt.Errorf("position %d has more than %d hints", now.id, record.MaxValues)
			}
			now.answer.Hints = append(before.Hints, now.answer.Hints...)
		case last != 0 && !yield(before):
			return nil
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if now.id != 0 {
		yield(now.answer)
	}
	return nil
}

// row is a row of selectAnswers.
type row struct {
	id     int
	answer batch.Answer
}

func (r *row) scan(rows *sql.Rows) error {
	var file, id, input, fen, moved, bm, am, ops, fields, asked, over, failed, unscored, spec, move, pv, said sql.NullString
	var level, maxNodes, maxDepth, maxTime, cp, mate, depth, nodes sql.NullInt64
	var line int
	err := rows.Scan(&r.id, &file, &line, &id, &input, &fen, &moved, &bm, &am, &ops, &fields, &asked, &level,
		&over, &failed, &unscored, &spec, &maxNodes, &maxDepth, &maxTime, &move, &cp, &mate, &depth, &nodes, &pv, &said)
	if err != nil {
		return err
	}
	r.answer = batch.Answer{
		Item: batch.Item{
			File: file.String, Line: line, Input: input.String, Text: fen.String, Moves: batch.SplitMoves(moved.String),
			ID: id.String, Ops: batch.ParseOps(ops.String),
			BM: batch.SplitMoves(bm.String), AM: batch.SplitMoves(am.String), Unscored: toError(unscored),
		},
		Engine: asked.String, Spec: spec.String, Over: over.String, Err: toError(failed),
		Limits: batch.Limits{
			Level: int(level.Int64), HasLevel: level.Valid, Nodes: maxNodes.Int64, Depth: int(maxDepth.Int64),
			Time: time.Duration(maxTime.Int64) * time.Millisecond,
		},
	}
	if err := r.answer.SetFields(fields.String); err != nil {
		return err
	}
	if input.Valid {
		r.answer.Item.Err = r.answer.Err
	}
	if move.Valid {
		r.answer.Hints = []batch.Hint{{
			Move: move.String, Score: score(cp, mate), Depth: int(depth.Int64), Nodes: nodes.Int64,
			PV: batch.SplitMoves(pv.String), Text: said.String,
		}}
	}
	return nil
}

func score(cp, mate sql.NullInt64) engine.Score {
	switch {
	case mate.Valid:
		return engine.MateIn(int(mate.Int64))
	case cp.Valid:
		return engine.Centipawns(int(cp.Int64))
	}
	return engine.Score{}
}

func toError(text sql.NullString) error {
	if !text.Valid {
		return nil
	}
	return errors.New(text.String)
}
