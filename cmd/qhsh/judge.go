package main

import (
	"context"
	"flag"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/task/batch"
)

var judgeCommand = command{
	name:     "judge",
	operands: "FEN MOVE...",
	summary:  "judge a game by the repetition rules",
	complete: operandWords("startpos"),
	setup: func(fs *flag.FlagSet, all games.Table) action {
		rules := defineRules(fs, all, "judge by these `RULES`")
		return func(_ context.Context, h host, operands []string) error {
			pos, err := readOperands(h.Games, h.Games.DefaultGame(), operands)
			if other := otherGame(h.Games, h.Games.DefaultGame(), operands); err != nil && other != nil {
				return noRules(h.Games, other)
			}
			if err != nil {
				return err
			}
			return judge(h, pos, *rules)
		}
	},
}

func judge(h host, pos engine.Position, rules string) error {
	j, ok := games.Ability[games.Judge](h.Games, pos.Game())
	if !ok {
		return noRules(h.Games, pos.Game())
	}
	ruling, err := j.Judge(pos, rules)
	if err != nil {
		return err
	}
	_, err = io.WriteString(h.Stdout, ruling.Text)
	return err
}

// noRules returns the error for a game without repetition rules.
func noRules(all games.Table, game engine.Game) error {
	return usagef("no repetition rules for %s, only for %s", engine.Title(game), games.TitlesWith[games.Judge](all))
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
	v := rulesValue{all, new(string)}
	var names []string
	if j, ok := games.Ability[games.Judge](all, all.DefaultGame()); ok {
		names = j.RuleSets()
		*v.name = names[0]
		what += ": " + games.OneOf(names)
	}
	fs.Var(choiceValue{v, names}, "rules", what)
	return v.name
}

type rulesValue struct {
	all  games.Table
	name *string
}

func (v rulesValue) String() string {
	if v.name == nil {
		return ""
	}
	return *v.name
}

func (v rulesValue) Set(text string) (err error) {
	_, *v.name, err = v.all.Adjudicator(v.all.DefaultGame(), text)
	return err
}
