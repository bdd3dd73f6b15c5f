package script

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/explore"
)

var exploreFunction = function(`explore(path: str, board: Board, player: str = "", first: str = "", second: str = "", event: str = "", since: str = "", until: str = "", result: str = "", mirror: bool = False) -> list[Played]`,
	`What was played in a position in the games of a database that qhsh explore has written, most frequent move first. path is one of the script's arguments, or a file in the script's folder. The other parameters select games: player is a part of a player's name on either side, first and second are those of the sides, event is a part of the event or title, since and until are dates such as 1990 or 1990.06.30, result is "1-0", "0-1", "1/2-1/2" or "*". With mirror the position counts with left and right exchanged, too.`, exploreBoard)

func exploreBoard(c *call) (starlark.Value, error) {
	var path, since, until, result string
	var b *board
	var f explore.Filter
	if err := c.unpack(&path, &b, &f.Player, &f.First, &f.Second, &f.Event, &since, &until, &result, &f.Mirror); err != nil {
		return nil, err
	}
	moves, err := exploreIn(taskOf(c.thread), path, b, f, since, until, result)
	if err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	return moves, nil
}

func exploreIn(t *task, path string, b *board, f explore.Filter, since, until, result string) (*starlark.List, error) {
	pos := b.pos
	var err error
	for _, limit := range []struct {
		date *explore.Date
		text string
	}{{&f.Since, since}, {&f.Until, until}} {
		if limit.text == "" {
			continue
		}
		if *limit.date, err = explore.ParseLimit(limit.text); err != nil {
			return nil, fmt.Errorf("%s: %w", shorten(limit.text), err)
		}
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	if f.Result, err = parseResult(b.kind.PGN(pos.Game()), result); err != nil {
		return nil, err
	}
	db, err := t.openExplored(path, b.kind)
	if err != nil {
		return nil, err
	}
	r, err := db.Query(t.ctx, pos, f)
	if err := errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	return listOf(r.Moves, func(m explore.MoveReport) starlark.Value { return &playedMove{m, pos.Format(m.Move)} }), nil
}

// openExplored opens a database of positions for a game.
func (t *task) openExplored(path string, k *kind) (*explore.DB, error) {
	file, err := t.env.filePath(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return explore.Open(t.ctx, file, k.Table, k.game)
}

// parseResult parses a result; "" is any.
func parseResult(style record.PGNStyle, text string) (*engine.Outcome, error) {
	if text == "" {
		return nil, nil
	}
	outcome, ok := style.ParseResult(text)
	if !ok {
		return nil, fmt.Errorf(`result %s: want "1-0", "0-1", "1/2-1/2" or "*"`, shorten(text))
	}
	return &outcome, nil
}

// A playedMove is a move with what became of the games in which it was played.
type playedMove struct {
	explore.MoveReport
	name string
}

var _ starlark.Comparable = (*playedMove)(nil)

// String returns a summary: "H2-E2 612 games".
func (m *playedMove) String() string {
	if m.Games == 1 {
		return m.name + " 1 game"
	}
	return fmt.Sprintf("%s %d games", m.name, m.Games)
}

func (m *playedMove) Type() string                             { return "played" }
func (m *playedMove) Freeze()                                  {} // it never changes
func (m *playedMove) Truth() starlark.Bool                     { return true }
func (m *playedMove) class() *class                            { return playedClass }
func (m *playedMove) Attr(name string) (starlark.Value, error) { return playedClass.attr(m, name) }
func (m *playedMove) AttrNames() []string                      { return playedClass.attrNames(m) }
func (m *playedMove) Hash() (uint32, error)                    { return starlark.String(m.String()).Hash() }
func (m *playedMove) MarshalJSON() ([]byte, error)             { return marshal(m.JSON(m.name)) }

// CompareSameType supports only equality.
func (m *playedMove) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	o := other.(*playedMove)
	same := m.name == o.name && m.Counts == o.Counts && m.Last == o.Last && (m.Score == nil) == (o.Score == nil) && (m.Score == nil || *m.Score == *o.Score)
	return compareEqual(op, same, "played")
}

var playedClass = newClass("Played",
	`A move with what became of the games in which it was played, from explore(...). Counts and scores are for the side that makes the move; a game without a result counts in games only. In JSON it is an object as from qhsh explore.`,
	attribute("move: str", `The move.`,
		func(m *playedMove) (starlark.Value, error) { return starlark.String(m.name), nil }),
	attribute("games: int", `The number of games.`,
		func(m *playedMove) (starlark.Value, error) { return starlark.MakeInt(m.Games), nil }),
	attribute("wins: int", `The number of games won.`,
		func(m *playedMove) (starlark.Value, error) { return starlark.MakeInt(m.Wins), nil }),
	attribute("draws: int", `The number of games drawn.`,
		func(m *playedMove) (starlark.Value, error) { return starlark.MakeInt(m.Draws), nil }),
	attribute("losses: int", `The number of games lost.`,
		func(m *playedMove) (starlark.Value, error) { return starlark.MakeInt(m.Losses), nil }),
	attribute("average: float | None", `The average result from 0 to 1, with draws as half a win. None if no game has a result.`,
		func(m *playedMove) (starlark.Value, error) {
			average, ok := m.Average()
			if !ok {
				return starlark.None, nil
			}
			return starlark.Float(average), nil
		}),
	attribute("last: str", `The date of the last game, such as "1998.11.20" or "1998". Empty if not known.`,
		func(m *playedMove) (starlark.Value, error) { return starlark.String(m.Last.String()), nil }),
	attribute("score: Score | None", `The score of an engine that is stored of the move. None if there is none.`,
		func(m *playedMove) (starlark.Value, error) {
			if m.Score == nil {
				return starlark.None, nil
			}
			return scoreValue(m.Score.Score), nil
		}),
)
