package ucci

import (
	"context"
	"strconv"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/ucifamily"
)

// Dial starts an engine that speaks UCCI. The errors are those of ucifamily.Dial.
func Dial(ctx context.Context, program ucifamily.Program, opts ucifamily.Options) (*ucifamily.Client, error) {
	return ucifamily.Dial(ctx, newProtocol(), program, opts)
}

// newProtocol returns the client side of UCCI for one conversation.
func newProtocol() ucifamily.Protocol {
	return ucifamily.Common(ucifamily.Protocol{
		Name:             "UCCI",
		PlainScores:      true,
		MustAnswerPing:   false, // section 7: not required
		SetOption:        setOption,
		RequiredOptions:  requiredOptions,
		NewGame:          newGame,
		GoCommand:        goCommand,
		PositionCommands: positionCommands,
	}, "ucci", readSetOption)
}

const useMillisec = "usemillisec"

func requiredOptions(offers ucifamily.OptionList) ([]ucifamily.Setting, error) {
	if opt, ok := offers.Find(useMillisec); ok {
		return []ucifamily.Setting{{Name: opt.Name, Value: "true"}}, nil
	}
	return nil, nil
}

func newGame(offers ucifamily.OptionList) (commands []string, again bool) {
	if opt, ok := offers.Find("newgame"); ok {
		commands = []string{"setoption " + opt.Name}
	}
	return commands, true
}

func positionCommands(pos *xiangqi.Position, r ucifamily.Ranks) []string {
	start, moves := sinceCapture(pos)
	return []string{ucifamily.FormatPosition(start, moves, r)}
}

func goCommand(q ucifamily.SearchRequest) ucifamily.GoCommand {
	_, moves := sinceCapture(q.Pos)
	cmd := ucifamily.GoCommand{
		Setup:    positionCommands(q.Pos, q.Ranks),
		HasMoves: len(moves)+len(q.Ban) > 0,
	}
	if len(q.Ban) > 0 {
		cmd.Setup = append(cmd.Setup, "banmoves"+q.Ranks.Join(q.Ban))
	}
	cmd.Line = "go "
	if q.Ponder {
		cmd.Line += "ponder "
	}
	switch {
	case q.Depth > 0:
		cmd.Line += "depth " + strconv.Itoa(q.Depth)
	case q.Nodes > 0:
		cmd.Line, cmd.SentNodes = cmd.Line+"nodes "+strconv.FormatInt(q.Nodes, 10), true
	case q.Time > 0:
		_, exact := q.Options.Find(useMillisec)
		cmd.Line, cmd.SentTime = cmd.Line+moveTime(q.Time, exact), exact
	default:
		cmd.Line += "infinite"
	}
	return cmd
}

// moveTime returns a time limit as the remaining time for one move.
func moveTime(d time.Duration, exact bool) string {
	n := max(d.Milliseconds(), 1)
	if !exact {
		n = (n + 999) / 1000
	}
	return "time " + strconv.FormatInt(n, 10) + " movestogo 1"
}

// maxMoves is the maximum number of moves that are sent with a position.
const maxMoves = 1000

// sinceCapture returns the position after the last capture, or maxMoves moves ago, and the moves
// since then.
func sinceCapture(pos *xiangqi.Position) (start *xiangqi.Position, moves []engine.Move) {
	_, all := pos.History()
	start = pos
	n := 0
	for start.QuietPlies() > 0 && start.Before() != nil && n < maxMoves {
		start = start.Before()
		n++
	}
	return start, all[len(all)-n:]
}
