package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/explore"
	"qhsh/pluginclient/task/records"
)

var judgeCommand = command{
	name:     "judge",
	operands: "[FILE... | - | FEN MOVE...]",
	summary:  "judge games by the rules on repetition and lack of progress",
	complete: func(h host, operands []string, typed string) []pluginclient.Completion {
		return append(wordAt(0, "startpos")(h, operands, typed), filesThat(isRecord)(h, operands, typed)...)
	},
	setup: defined[judgeAction],
}

type judgeAction struct {
	outputFlags
	recordFlags
	gameFlags
	rules   *string
	every   bool
	second  string
	endings endingsFlag
}

func (c *judgeAction) define(fs *flag.FlagSet, all games.Table) {
	c.rules = defineRules(fs, all, "judge by these `RULES`")
	fs.BoolVar(&c.every, "all", false, "judge every repetition of the games")
	fs.StringVar(&c.second, "second", "", "ask the engine of this `SPEC`, such as chessdb, for a second opinion on repetitions")
	c.endings.define(fs, endingsUsage)
	c.gameFlags.define(fs, all)
	c.recordFlags.define(fs)
	defineOutput(fs, &c.outputFlags, records.RulingFormats())
}

func (c *judgeAction) run(ctx context.Context, h host, operands []string) (err error) {
	game, err := c.game()
	if err != nil {
		return err
	}
	referee := records.Referee{Games: h.Games, Rules: *c.rules, All: c.every}
	if referee.Known, _, err = c.endings.known(h.Games, game, *c.rules); err != nil {
		return err
	}
	if c.second != "" {
		var closing func() error
		if closing, err = c.askSecond(ctx, h, &referee); err != nil {
			return fmt.Errorf("-second: %w", err)
		}
		defer closeInto(&err, closing) // the err of the function, not of the block
	}
	if areFiles(operands) || isRecord(h.Games, operands[0]) {
		return c.judgeFiles(ctx, h, game, referee, operands)
	}
	if wrong := firstSet(c.flags, "all", "format", "o", lenientName, "encoding"); wrong != "" {
		return usagef("-%s is for files of games", wrong)
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
	second, err := referee.SecondOn(pos, ruling)
	if err != nil {
		return err
	}
	_, err = io.WriteString(h.Stdout, ruling.Text+records.KnownLine(referee.EndingOf(pos, ruling))+second.String())
	return err
}

// askSecond starts the engine of -second, which the referee asks. The caller must call closing.
func (c *judgeAction) askSecond(ctx context.Context, h host, referee *records.Referee) (closing func() error, err error) {
	names, err := engineNames(h)
	if err != nil {
		return nil, err
	}
	o := h.attachOptions(names)
	o.Warn = func(text string) { h.sayf("judge", "%s", text) }
	session, err := attach.Open(ctx, c.second, o)
	if err != nil {
		return nil, err
	}
	judge, ok := pluginclient.As[pluginclient.RepetitionJudge](session)
	if !ok {
		return nil, errors.Join(usagef("%s does not judge repetitions", c.second), session.Close())
	}
	referee.Second = func(pos engine.Position, times int) (string, error) {
		verdict, err := judge.JudgeRepetition(ctx, pos, times)
		if err != nil {
			err = fmt.Errorf("-second: %s", pluginclient.Brief(err))
		}
		return verdict, err
	}
	return session.Close, nil
}

func (c *judgeAction) judgeFiles(ctx context.Context, h host, game engine.Game, referee records.Referee, operands []string) error {
	chosen, err := choose(c.outputFlags, records.RulingFormats())
	if err != nil {
		return err
	}
	if !games.HasRuleSets(h.Games.Row(game)) {
		if isSet(c.flags, "rules") || c.every {
			return noRules(h.Games, game)
		}
		referee.Rules = ""
	}
	in, err := c.findRecords(h, game, "judge", operands)
	if err != nil {
		return err
	}
	count, ended, differing, unanswered := 0, 0, 0, 0
	agreements := map[records.Agreement]int{}
	err = in.writeOutput(ctx, c.outputFlags, func(w io.Writer) error {
		write, err := chosen.Write(w, records.Style{Library: in.Library, Width: c.listWidth(h), Second: c.second != ""})
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
				if r.Second.Differs() {
					differing++
				}
				if err := r.Second.Err; err != nil {
					if ctx.Err() != nil {
						return err
					}
					unanswered++
					h.sayf("judge", "%v, ply %d: %v", explore.GameID{Source: in.label(file), Number: number}, r.Ply, err)
				}
				agreements[r.Agreement]++
			}
			return write(in.label(file), number, g, rulings)
		})
	})
	if !isComplete(err) {
		return err
	}
	summary := fmt.Sprintf("%s, %d ended by the rules, %s, %d played on",
		printable.Plural(count, "game"), ended, printable.Plural(agreements[records.Contradicts], "contradiction"), agreements[records.PlayedOn])
	if c.second != "" {
		summary += fmt.Sprintf(", %d with another second opinion", differing)
	}
	if unanswered > 0 {
		summary += fmt.Sprintf(", %d without one", unanswered)
	}
	h.sayf("judge", "%s", summary)
	if agreements[records.Contradicts] > 0 || unanswered > 0 {
		return errSomeFailed
	}
	return err
}

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
		what += ": " + printable.OneOf(names)
	}
	fs.Var(value{usual: *name, words: names, set: func(text string) (err error) {
		_, *name, err = all.Adjudicator(all.DefaultGame(), text)
		return err
	}}, "rules", what)
	return name
}
