package script

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/explore"
)

var exploreFunction = function(`explore(path: str, board: Board, player: str = "", first: str = "", second: str = "", event: str = "", since: str = "", until: str = "", result: str = "", mirror: bool = False) -> list[Played]`,
	`What was played in a position in the games of a database that qhsh explore has written, most frequent move first. In a book of another program (obk, pfbook, xqb) it is what the book has, highest score first. path is one of the script's arguments, or a file in the script's folder. The other parameters select games: player is a part of a player's name on either side, first and second are those of the sides, event is a part of the event or title, since and until are dates such as 1990 or 1990.06.30, result is "1-0", "0-1", "1/2-1/2" or "*". With mirror the position counts with left and right exchanged, too.`, exploreBoard)

func exploreBoard(t *task, path string, b *board, player, first, second, event, since, until, result string, mirror bool) (found []*playedMove, err error) {
	f := explore.Filter{Player: player, First: first, Second: second, Event: event, Mirror: mirror}
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
	if result != "" {
		outcome, err := b.kind.parseResult(result)
		if err != nil {
			return nil, err
		}
		f.Result = &outcome
	}
	db, err := t.openExplored(path, b.kind, true)
	if err != nil {
		return nil, err
	}
	r, err := db.Query(t.ctx, b.pos, f)
	if err := errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	for _, m := range r.Moves {
		found = append(found, &playedMove{m, b.pos.Format(m.Move)})
	}
	return found, nil
}

// openExplored opens a database of positions for a game, or a book of another program if there may be one.
func (t *task) openExplored(path string, k *kind, foreign bool) (*explore.DB, error) {
	file, err := t.env.filePath(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !foreign {
		return explore.Open(t.ctx, file, k.Table, k.game)
	}
	return explore.OpenBook(t.ctx, file, k.Table, k.game, nil)
}

func (k *kind) parseResult(text string) (engine.Outcome, error) {
	outcome, ok := k.PGN(k.game).ParseResult(text)
	if !ok {
		return outcome, fmt.Errorf(`result %s: want "1-0", "0-1", "1/2-1/2" or "*"`, shorten(text))
	}
	return outcome, nil
}

// A playedMove is a move with what became of the games in which it was played.
type playedMove struct {
	explore.MoveReport
	name string
}

// String returns a summary: "H2-E2 612 games".
func (m *playedMove) String() string {
	return m.name + " " + printable.Plural(m.Games, "game")
}

func (m *playedMove) class() *class                { return playedClass }
func (m *playedMove) MarshalJSON() ([]byte, error) { return printable.JSON(m.JSON(m.name)) }

func (m *playedMove) equal(other data) bool {
	o := other.(*playedMove)
	return m.name == o.name && m.Counts == o.Counts && m.Last == o.Last && (m.Score == nil) == (o.Score == nil) && (m.Score == nil || *m.Score == *o.Score)
}

var playedClass = newClass("Played",
	`A move with what became of the games in which it was played, from explore(...). Counts and scores are for the side that makes the move; a game without a result counts in games only. In JSON it is an object as from qhsh explore.`,
	attribute("move: str", `The move.`,
		func(m *playedMove) string { return m.name }),
	attribute("games: int", `The number of games.`,
		func(m *playedMove) int { return m.Games }),
	attribute("wins: int", `The number of games won.`,
		func(m *playedMove) int { return m.Wins }),
	attribute("draws: int", `The number of games drawn.`,
		func(m *playedMove) int { return m.Draws }),
	attribute("losses: int", `The number of games lost.`,
		func(m *playedMove) int { return m.Losses }),
	attribute("average: float | None", `The average result from 0 to 1, with draws as half a win. None if no game has a result.`,
		func(m *playedMove) any {
			average, ok := m.Average()
			if !ok {
				return nil
			}
			return average
		}),
	attribute("last: str", `The date of the last game, such as "1998.11.20" or "1998". Empty if not known.`,
		func(m *playedMove) string { return m.Last.String() }),
	attribute("score: Score | None", `The score of an engine that is stored of the move. None if there is none.`,
		func(m *playedMove) starlark.Value {
			if m.Score == nil {
				return starlark.None
			}
			return scoreValue(m.Score.Score)
		}),
)
