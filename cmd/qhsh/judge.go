package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/records"
)

var judgeCommand = command{
	name:     "judge",
	operands: "[FILE... | - | FEN MOVE...]",
	summary:  "judge games by the rules on repetition and lack of progress",
	complete: func(h host, operands []string, typed string) []pluginclient.Completion {
		return append(operandWords("startpos")(h, operands, typed), filesThat(isRecord)(h, operands, typed)...)
	},
	setup: defined[judgeAction],
}

// judgeAction is the command with its flags.
type judgeAction struct {
	outputFlags
	recordFlags
	gameFlags
	rules *string
	every bool
	given func(name string) bool // reports whether a flag is on the command line
}

func (c *judgeAction) define(fs *flag.FlagSet, all games.Table) {
	c.given = func(name string) bool { return isSet(fs, name) }
	c.rules = defineRules(fs, all, "judge by these `RULES`")
	fs.BoolVar(&c.every, "all", false, "judge every repetition of the games")
	c.gameFlags.define(fs, all)
	c.recordFlags.define(fs)
	defineOutput(fs, &c.outputFlags, records.RulingFormats())
}

func (c *judgeAction) run(ctx context.Context, h host, operands []string) error {
	game, err := c.game()
	if err != nil {
		return err
	}
	if c.areFiles(h, operands) {
		return c.judgeFiles(ctx, h, game, operands)
	}
	for _, name := range []string{"all", "format", "o", lenientName, "encoding"} {
		if c.given(name) {
			return usagef("-%s is for files of games", name)
		}
	}
	pos, err := readOperands(h.Games, game, operands)
	if other := otherGame(h.Games, game, operands); err != nil && other != nil {
		return noRules(h.Games, other)
	}
	if err != nil && len(operands) == 1 {
		return usagef("%s: no such file, and not a position: %w", operands[0], err)
	}
	if err != nil {
		return err
	}
	h.remark("judge", pos)
	row := h.Games.Row(pos.Game())
	if !games.HasRuleSets(row) {
		return noRules(h.Games, pos.Game())
	}
	ruling, err := row.Judge(pos, *c.rules)
	if err != nil {
		return err
	}
	_, err = io.WriteString(h.Stdout, ruling.Text)
	return err
}

// areFiles reports whether operands are files of games, and not a position with moves.
func (c *judgeAction) areFiles(h host, operands []string) bool {
	if len(operands) == 0 || operands[0] == stdinName || isRecord(h.Games, operands[0]) {
		return true
	}
	_, err := os.Stat(operands[0])
	return err == nil && operands[0] != "startpos"
}

// judgeFiles judges the games of files.
func (c *judgeAction) judgeFiles(ctx context.Context, h host, game engine.Game, operands []string) error {
	chosen, err := choose(c.outputFlags, records.RulingFormats())
	if err != nil {
		return err
	}
	referee := records.Referee{Games: h.Games, Rules: *c.rules, All: c.every}
	if !games.HasRuleSets(h.Games.Row(game)) {
		if c.given("rules") || c.every {
			return noRules(h.Games, game)
		}
		referee.Rules = ""
	}
	in, err := c.findRecords(h, game, "judge", operands)
	if err != nil {
		return err
	}
	count, ended := 0, 0
	agreements := map[records.Agreement]int{}
	err = in.writeOutput(ctx, c.outputFlags, func(w io.Writer) error {
		write, err := chosen.Write(w, records.Style{Library: in.Library, Width: c.listWidth(h)})
		if err != nil {
			return err
		}
		return in.each(ctx, func(file string, number int, g *record.Game) error {
			rulings, err := referee.Judge(g)
			if err != nil {
				return err
			}
			count++
			for _, r := range rulings {
				if r.Decisive {
					ended++
				}
				agreements[r.Agreement]++
			}
			return write(in.label(file), number, g, rulings)
		})
	})
	if err != nil && !errors.Is(err, errSomeFailed) {
		return err
	}
	fmt.Fprintf(h.Stderr, "qhsh judge: %s, %d ended by the rules, %s, %d played on\n",
		printable.Plural(count, "game"), ended, printable.Plural(agreements[records.Contradicts], "contradiction"), agreements[records.PlayedOn])
	if agreements[records.Contradicts] > 0 {
		return errSomeFailed
	}
	return err
}

// noRules returns the error for a game without repetition rules.
func noRules(all games.Table, game engine.Game) error {
	return usagef("no repetition rules for %s, only for %s", engine.Title(game), all.TitlesWith(games.HasRuleSets))
}

// readOperands parses operands as a position and moves.
func readOperands(all games.Table, game engine.Game, operands []string) (engine.Position, error) {
	words := strings.Fields(strings.Join(operands, " "))
	if len(words) == 0 {
		return nil, usagef("missing FEN and moves, as in 'qhsh judge startpos h2e2 h9g7'")
	}
	item := batch.ParseWords(all.AnyNotation(game), words)
	if item.Err != nil {
		return nil, positionError(operands, item.Err)
	}
	return item.Pos, nil
}

// defineRules defines -rules, the name of a set of rules of the default game. The flag's help
// starts with what.
func defineRules(fs *flag.FlagSet, all games.Table, what string) *string {
	name := new(string)
	names := all.Row(all.DefaultGame()).RuleSets
	if names != nil {
		*name = names[0]
		what += ": " + games.OneOf(names)
	}
	fs.Var(value{usual: *name, words: names, set: func(text string) (err error) {
		_, *name, err = all.Adjudicator(all.DefaultGame(), text)
		return err
	}}, "rules", what)
	return name
}
