package repl

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

// boardStyle is how boards are drawn until another style is chosen.
type boardStyle struct {
	style string // empty for the game's default
	flip  bool
}

func boardCommands(all games.Table) []*command {
	return []*command{
		{
			name: ".board", aliases: []string{".b"}, usage: "[SQUARE] [-style NAME] [-flip]", needs: needsEngine, many: true,
			summary: "draw the board, with the last move and the legal targets of SQUARE marked",
			help: `Works on every engine, as the shell keeps the board itself; a plugin is asked for its own by SCR,
and how that differs is said. The styles are ` + strings.Join(all.Row(all.DefaultGame()).Styles, ", ") + `.
The style and -flip stay in effect; -flip=false turns the board back.
`,
			most: 1, complete: func(s *Shell, _ []string) []pluginclient.Completion { return movableSquares(s, nil) },
			setup: func(c *call, fs *flag.FlagSet) func() error { return c.withLook(fs, c.drawBoard) },
		},
		{
			name: ".fen", needs: needsEngine, many: true,
			summary: "print the position as a FEN",
			run: func(c *call) error {
				fmt.Fprintln(c.out, c.engine.session.Position())
				return nil
			},
		},
		{
			name: ".moves", usage: "[SQUARE] " + notationUsage, needs: needsEngine, many: true,
			summary: "list the legal moves by piece, or those of one piece",
			most:    1, notation: true, complete: movableSquares, run: runMoves,
		},
		{
			name: ".history", usage: notationUsage, needs: needsEngine, many: true,
			summary:  "list the moves that led here",
			notation: true, run: runHistory,
		},
		exploreCommand(),
		notationCommand(all),
		{
			name: ".judge", usage: "[RULES]", needs: needsEngine, many: true,
			summary: "judge the game by the repetition rules " + printable.OneOf(all.Row(all.DefaultGame()).RuleSets),
			most:    1, complete: func(s *Shell, _ []string) []pluginclient.Completion {
				return pluginclient.Completions(s.host.Games.Row(s.rules(s.current)).RuleSets, false)
			}, run: runJudge,
		},
		{
			name: ".ending", usage: "[FOLDER] " + notationUsage, needs: needsEngine, many: true,
			summary: "say exactly what a position with few men is worth, and which moves keep it",
			help: `The tables are those in the program, and of 'qhsh endings make' in FOLDER, if it is given.
`,
			most: 1, notation: true, complete: fileNames, run: runEnding,
		},
		{
			name: ".undo", usage: "[N]", needs: needsEngine, many: true,
			summary: "take back N moves (default 1); works on engines without UNDO too",
			help: `What is in the game stays there: moves of a file, and those that have a comment or that .prev has
stepped back over. Other moves are forgotten.
`,
			most: 1, run: runUndo,
		},
	}
}

// withLook defines -style and -flip. The function that it returns calls run with how boards are to be drawn.
func (c *call) withLook(fs *flag.FlagSet, run func(boardStyle) error) func() error {
	chosen, style := c.shell.look, ""
	fs.StringVar(&style, "style", "", "")
	fs.BoolVar(&chosen.flip, "flip", chosen.flip, "")
	return func() error {
		game := c.engine.session.Position().Game()
		styles := c.shell.host.Games.Row(game).Styles
		given := false
		fs.Visit(func(f *flag.Flag) { given = given || f.Name == "style" || f.Name == "flip" })
		switch {
		case len(styles) == 0 && given:
			return c.usageError("-style and -flip do not apply to %s", engine.Title(game))
		case style != "":
			if chosen.style = strings.ToLower(style); !slices.Contains(styles, chosen.style) {
				return c.usageError("unknown style %q: use %s", style, strings.Join(styles, ", "))
			}
		}
		return run(chosen)
	}
}

func (c *call) drawBoard(chosen boardStyle) error {
	pos, all := c.engine.session.Position(), c.shell.host.Games
	styles := all.Row(pos.Game()).Styles
	l := games.TextOptions{Flip: chosen.flip, Last: true}
	screen, coloured := c.out.(*console) // what .all or a script captures is plain text
	l.Color = coloured && c.shell.host.Color
	if slices.Contains(styles, chosen.style) { // it may be a style of another game
		l.Style = chosen.style
	}
	if c.operand() != "" {
		pieces, err := c.rowWith(games.HasPieces)
		if err != nil {
			return err
		}
		if l.Targets, err = movesFrom(pieces, pos, c.operand()); err != nil {
			return fmt.Errorf(".board: %w", err)
		}
	}
	c.shell.look, c.engine.compare = chosen, true
	if l.Color {
		screen.draw(all.Draw(pos, l))
	} else {
		fmt.Fprint(c.out, all.Draw(pos, l))
	}
	fmt.Fprintln(c.out, all.Status(pos))
	return nil
}

func runMoves(c *call) error {
	pos, all := c.engine.session.Position(), c.shell.host.Games
	name := func(m engine.Move) string { return all.MoveName(pos, m, c.style) }
	var text string
	var err error
	if pieces := all.Row(pos.Game()); games.HasPieces(pieces) {
		text, err = listByPiece(pieces, pos, c.operand(), name)
	} else {
		text, err = listMoves(pos, c.operand(), name, cmp.Or(c.width(), 76))
	}
	switch {
	case err != nil:
		return fmt.Errorf(".moves: %w", err)
	case text == "":
		c.shell.say("no legal move: %s", all.Status(pos))
	}
	fmt.Fprint(c.out, wrap(text, c.width()))
	return nil
}

func runHistory(c *call) error {
	start, moves := c.engine.session.Position().History()
	if start.String() != start.Game().Start().String() {
		fmt.Fprintln(c.out, start)
	}
	fmt.Fprint(c.out, numbered(start, moves, c.shell.host.Games.MoveNames(start, moves, c.style)))
	return nil
}

// numbered formats moves as numbered pairs, one pair per line, counting from 1.
func numbered(start engine.Position, moves []engine.Move, names []string) string {
	var rows [][]string
	pos := start
	for i, text := range names {
		switch {
		case len(rows) > 0 && pos.Turn() == engine.Second && len(rows[len(rows)-1]) == 2:
			last := len(rows) - 1
			rows[last] = append(rows[last], text)
		case pos.Turn() == engine.Second:
			rows = append(rows, []string{number(rows), "...", text})
		default:
			rows = append(rows, []string{number(rows), text})
		}
		next, err := pos.Play(moves[i])
		if err != nil {
			break // cannot happen: the moves were legal when played
		}
		pos = next
	}
	return printable.Table(rows, "l")
}

func number(rows [][]string) string { return fmt.Sprintf("%3d.", len(rows)+1) }

func runUndo(c *call) error {
	n, err := c.number("moves", 1)
	if err != nil {
		return err
	}
	player, ok := pluginclient.As[pluginclient.Undoer](c.engine.session)
	if !ok {
		return fmt.Errorf("%s: moves cannot be taken back on this engine", c.engine.name)
	}
	if _, moves := c.engine.session.Position().History(); len(moves) < n {
		if len(moves) == 0 {
			return errors.New(".undo: no moves to take back")
		}
		return fmt.Errorf(".undo: only %s to take back", printable.Plural(len(moves), "move"))
	}
	return c.shell.awaitEngine(c.ctx, c.engine, func(ctx context.Context) error { return takeBack(ctx, player, n) })
}

func runEnding(c *call) error {
	row, err := c.rowWith(games.HasEndings)
	if err != nil {
		return err
	}
	tables := row.Endings(c.operand())
	defer tables.Close() // it is only read
	pos := c.engine.session.Position()
	e, err := tables.Query(pos, "")
	if err != nil {
		return fmt.Errorf(".ending: %w", err)
	}
	var names []string
	for _, m := range e.Moves {
		names = append(names, c.shell.host.Games.MoveName(pos, m, c.style))
	}
	text := e.String() + "\n" + strings.Join(names, " ")
	fmt.Fprintln(c.out, wrap(strings.TrimRight(text, "\n"), c.width()))
	return nil
}

func runJudge(c *call) error {
	game, err := c.rowWith(games.HasRuleSets)
	if err != nil {
		return err
	}
	ruling, err := game.Judge(c.engine.session.Position(), cmp.Or(c.operand(), game.RuleSets[0]))
	if err != nil {
		return c.usageError("%w", err)
	}
	fmt.Fprintln(c.out, strings.TrimRight(ruling.Text, "\n"))
	return nil
}
