package uci

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/ucifamily"
)

// Dial starts an engine that speaks UCI. The errors are those of ucifamily.Dial.
func Dial(ctx context.Context, program ucifamily.Program, opts ucifamily.Options) (*ucifamily.Client, error) {
	return ucifamily.Dial(ctx, newProtocol(), program, opts)
}

// newProtocol returns the client side of UCI for one conversation.
func newProtocol() ucifamily.Protocol {
	return ucifamily.Common(ucifamily.Protocol{
		Name:             "UCI",
		MustAnswerPing:   true,
		SetOption:        setOption,
		RequiredOptions:  requiredOptions,
		Ranks:            ucifamily.OptionList.Ranks,
		NewGame:          newGame,
		GoCommand:        goCommand,
		PositionCommands: positionCommands,
	}, "uci", readSetOption)
}

func requiredOptions(offers ucifamily.OptionList) ([]ucifamily.Setting, error) {
	opt, ok := offers.Find(ucifamily.Variant)
	if !ok {
		return nil, nil
	}
	if len(opt.Vars) > 0 && !slices.Contains(opt.Vars, "xiangqi") {
		return nil, fmt.Errorf("the engine has the variants %q, and not xiangqi (Fairy-Stockfish must be built with largeboards=yes)", pluginclient.Excerpt(strings.Join(opt.Vars, ",")))
	}
	return []ucifamily.Setting{{Name: opt.Name, Value: "xiangqi"}}, nil
}

func newGame(ucifamily.OptionList) (commands []string, again bool) {
	return []string{"ucinewgame"}, true
}

func positionCommands(pos *xiangqi.Position, r ucifamily.Ranks) []string {
	start, moves := pos.History()
	return []string{ucifamily.FormatPosition(start, moves, r)}
}

func goCommand(q ucifamily.SearchRequest) ucifamily.GoCommand {
	cmd := ucifamily.GoCommand{
		Setup:     positionCommands(q.Pos, q.Ranks),
		HasMoves:  q.Pos.Ply()+len(q.Ban) > 0,
		SentNodes: true,
		SentTime:  !q.Ponder,
	}
	var b strings.Builder
	b.WriteString("go")
	if q.Ponder {
		b.WriteString(" ponder")
	}
	if q.Depth > 0 {
		b.WriteString(" depth " + strconv.Itoa(q.Depth))
	}
	if q.Nodes > 0 {
		b.WriteString(" nodes " + strconv.FormatInt(q.Nodes, 10))
	}
	if q.Time > 0 && cmd.SentTime {
		b.WriteString(" movetime " + strconv.FormatInt(max(q.Time.Milliseconds(), 1), 10))
	}
	if b.String() == "go" {
		b.WriteString(" infinite")
	}
	if len(q.Ban) > 0 {
		b.WriteString(" searchmoves" + q.Ranks.Join(except(q.Pos.Moves(), q.Ban)))
	}
	cmd.Line = b.String()
	return cmd
}

// except returns the moves that are not in ban.
func except(moves, ban []engine.Move) []engine.Move {
	return slices.DeleteFunc(moves, func(m engine.Move) bool { return slices.Contains(ban, m) })
}
