package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
	"qhsh/pluginclient/batch"
)

var judgeCommand = command{
	name:     "judge",
	operands: "FEN MOVE...",
	summary:  "say how a game stands by the rules on repetition",
	help: `Plays the moves on the position and says how the game stands. The first line begins
with win, loss, draw or none, for the side to move after the last move; none is a game
that goes on. If that position has stood before since the last capture, the cycle
follows: what each move of it does, and what each side does with every move. A
repetition is decided when the position stands for the third time.

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
	setup: func(fs *flag.FlagSet) action {
		var rules xiangqi.RuleSet
		fs.Var(rulesValue{&rules}, "rules", "judge by these `RULES`: asian, wxf, chinese or computer")
		return func(_ context.Context, h host, operands []string) error {
			pos, err := judgeOperands(operands)
			if err != nil {
				return err
			}
			_, err = io.WriteString(h.Stdout, rules.Judge(pos).String())
			return err
		}
	},
}

// judgeOperands reads a FEN, of any number of fields, and the moves behind it, before
// which the word moves may stand.
func judgeOperands(operands []string) (*xiangqi.Position, error) {
	words := strings.Fields(strings.Join(operands, " "))
	if len(words) == 0 {
		return nil, usagef("it wants a FEN and moves, as in 'qhsh judge startpos h2e2 h9g7'")
	}
	at := 1
	for at < len(words) && isField(words[at]) {
		at++
	}
	line := strings.Join(words[:at], " ")
	if moves := words[at:]; len(moves) > 0 {
		if strings.EqualFold(moves[0], "moves") {
			moves = moves[1:]
		}
		line += " moves " + strings.Join(moves, " ")
	}
	item := batch.Parse(notation.Rules, line)
	if item.Err != nil {
		return nil, usageError{item.Err}
	}
	pos, ok := item.Pos.(*xiangqi.Position)
	if !ok {
		return nil, errors.New("the rules have answered a position of another game")
	}
	return pos, nil
}

// isField tells whether a word behind a board is another field of the FEN: the side, a
// dash, or a number.
func isField(word string) bool {
	return len(word) == 1 || strings.Trim(word, "0123456789") == ""
}

// rulesValue is a flag whose value is the name of a rule set.
type rulesValue struct{ rules *xiangqi.RuleSet }

func (v rulesValue) String() string {
	if v.rules == nil {
		return ""
	}
	return v.rules.String()
}

func (v rulesValue) Set(text string) (err error) {
	*v.rules, err = xiangqi.ParseRuleSet(text)
	return err
}
