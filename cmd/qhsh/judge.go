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
	help: `Plays the moves on the position and judges the game. The first line starts with win, loss,
draw or none, for the side to move after the last move; none means that the game is not
over. If the position has occurred before since the last capture, the cycle follows: what
each move of it does, and what each side does with every move. A repetition is decided when
the position occurs for the third time.

FEN needs no quotes, and startpos is the start of a game. The rules are

  asian     one side may neither check with every move, nor chase the same piece with
            every move; 50 moves without a capture are a draw (Asian Xiangqi Federation)
  wxf       the same, as the World Xiangqi Federation decides its diagrams
  chinese   nor may it check, threaten mate or chase in turns, whatever it chases; 60
            moves without a capture are a draw (Chinese Xiangqi Association)
  computer  the rules of Pikafish: like asian, but a chase is free in a cycle with a
            check; 60 moves without a capture are a draw

Under all but chinese a side's checks beyond its tenth, and the replies to them, do not
count towards the 50 or 60 moves.

Examples:
  qhsh judge c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w h8h9 f9f8 h9h8 f8f9 h8h9 f9f8 h9h8 f8f9
  qhsh judge -rules chinese startpos h2e2 h9g7 e2h2 g7h9
`,
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
		return nil, usageError{item.Err}
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
