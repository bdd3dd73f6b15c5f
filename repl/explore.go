package repl

import (
	"errors"
	"flag"
	"fmt"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/explore"
)

// exploreCommand returns the table entry of .explore.
func exploreCommand() *command {
	return &command{
		name: ".explore", usage: "[FILE] [-mirror] [-player NAME] [-since DATE] [-until DATE] " + notationUsage, needs: needsEngine, many: true,
		summary: "show what was played at the board in the games of a database of 'qhsh explore'",
		help: `Later calls need no FILE: they use the last one. Results, averages and scores are for the side
to move. -player, -event, -result, -since, -until, -aliases and flags with the names of the
sides, such as -red NAME, select games as 'qhsh explore' does. -mirror counts the board with left
and right exchanged, too.
`,
		complete: withNotation(exploreWords), run: runExplore,
	}
}

func exploreWords(s *Shell, before []string) []pluginclient.Completion {
	var all []pluginclient.Completion
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	new(explore.FilterFlags).Define(fs, s.host.Games)
	fs.VisitAll(func(f *flag.Flag) { all = append(all, pluginclient.Completion{Text: "-" + f.Name, More: true}) })
	return append(all, fileNames(s, before)...)
}

// runExplore implements .explore.
func runExplore(c *call) error {
	var filters explore.FilterFlags
	all, style := c.shell.host.Games, c.shell.style
	words, err := c.flags(func(fs *flag.FlagSet) {
		filters.Define(fs, all)
		c.defineNotation(fs, &style)
	}, 1)
	if err != nil {
		return err
	}
	if len(words) > 0 || filters.Aliases != "" {
		if err := c.shell.refuseInScript("reading files"); err != nil {
			return err
		}
	}
	pos := c.engine.session.Position()
	filter, err := filters.Filter(c.ctx, all, pos.Game())
	if err != nil {
		return c.usageError("%w", err)
	}
	path := c.shell.explored
	if len(words) > 0 {
		path = words[0]
	}
	if path == "" {
		return c.usageError("missing FILE, a database that 'qhsh explore add' has written")
	}
	if err := c.explore(path, pos, filter, style); err != nil {
		return fmt.Errorf(".explore: %w", err)
	}
	c.shell.explored = path
	return nil
}

// explore writes what was played in a position.
func (c *call) explore(path string, pos engine.Position, filter explore.Filter, style string) (err error) {
	all := c.shell.host.Games
	db, err := explore.Open(c.ctx, path, all, pos.Game())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	r, err := db.Query(c.ctx, pos, filter)
	if err != nil {
		return err
	}
	return explore.WriteText(c.out, r, explore.WriteOptions{Games: all, Notation: style})
}
