package repl

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient/task/explore"
)

func exploreCommand() *command {
	return &command{
		name: ".explore", usage: "[FILE] [-score MOVE=N] [-mirror] [-player NAME] [-since DATE] [-until DATE] " + notationUsage, needs: needsEngine, many: true,
		summary: "show what was played at the board in the games of a database of 'qhsh explore', or what a book has",
		help: `Later calls need no FILE: they use the last one. Results, averages and scores are for the side
to move. -player, -event, -result, -since, -until, -aliases and flags with the names of the
sides, such as -red NAME, select games as 'qhsh explore' does. -mirror counts the board with left
and right exchanged, too. FILE may be a book of another program (obk, pfbook, xqb), in whose file
-score H2-E2=35 sets the score of a move at the board.
`,
		most: 1, notation: true, complete: fileNames, setup: setupExplore,
	}
}

func setupExplore(c *call, fs *flag.FlagSet) func() error {
	var filters explore.FilterFlags
	filters.Define(fs, c.shell.host.Games)
	edit := fs.String("score", "", "set the score of a move to `MOVE=N` in a book of another program")
	return func() error {
		if c.operand() != "" || filters.Aliases != "" || *edit != "" {
			if err := c.shell.refuseInScript("reading files"); err != nil {
				return err
			}
		}
		pos := c.engine.session.Position()
		filter, err := filters.Filter(c.ctx, c.shell.host.Games, pos.Game())
		if err != nil {
			return c.usageError("%w", err)
		}
		path := cmp.Or(c.operand(), c.shell.explored)
		if path == "" {
			return c.usageError("missing FILE, a database that 'qhsh explore add' has written")
		}
		db, err := explore.OpenBook(c.ctx, path, c.shell.host.Games, pos.Game(), nil)
		if err != nil {
			return fmt.Errorf(".explore: %w", err)
		}
		if err := errors.Join(c.explore(db, pos, filter, *edit), db.Close()); err != nil {
			return fmt.Errorf(".explore: %w", err)
		}
		c.shell.explored = path
		return nil
	}
}

// explore shows what a database has of a position, after a move's score has been set by edit, if that is not
// empty.
func (c *call) explore(db *explore.DB, pos engine.Position, filter explore.Filter, edit string) error {
	if edit != "" {
		name, number, ok := strings.Cut(edit, "=")
		score, err := strconv.Atoi(number)
		if !ok || err != nil || score < -explore.MaxBookScore || score > explore.MaxBookScore {
			return fmt.Errorf("-score %s: want a move and its score, such as H2-E2=35", edit)
		}
		m, err := c.shell.host.Games.ReadMove(pos, name)
		if err != nil {
			return err
		}
		if err := db.SetScore(c.ctx, pos, m, score); err != nil {
			return err
		}
	}
	found, err := db.Query(c.ctx, pos, filter)
	if err != nil {
		return err
	}
	return explore.WriteText(c.out, found, explore.WriteOptions{Games: c.shell.host.Games, Notation: c.style})
}
