package attach

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// An embedded engine is called directly, so no lines are exchanged with it. Its trace has remarks for
// each search instead, in this order:
//
//	search POSITION LIMITS   when it begins
//	answer MOVE SCORE PV     when it ends, for each line of the answer, best first
//	error TEXT               when it ends without an answer
//
// POSITION is a line as 'qhsh hints' reads it. LIMITS are those that are set, such as level=3
// nodes=100 depth=2 time=1s lines=3 ban=H2-E2,B2-E2. PV begins with MOVE.

// remarked is a Searcher that notes its searches in a trace.
type remarked struct {
	leveledSearcher
	trace *pluginclient.Trace
}

type leveledSearcher interface {
	engine.Searcher
	engine.Leveler
}

var errGivenUp = errors.New("the search was given up")

func (r remarked) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		asked := lim
		asked.Ban = slices.Clone(lim.Ban)
		r.trace.NoteLater(func() string { return pluginclient.SearchRemark + batch.FormatGame(pos) + formatLimits(pos, asked) })
		var answer []engine.Line
		failed := engine.ErrNoMove
		for lines, err := range r.leveledSearcher.Search(ctx, pos, lim) {
			answer, failed = slices.Clone(lines), err // the receiver may change the list
			if yield(lines, err) {
				continue
			}
			if failed == nil {
				failed = errGivenUp
			}
			break
		}
		r.remark(pos, answer, failed)
	}
}

// remark notes the result of a search.
func (r remarked) remark(pos engine.Position, answer []engine.Line, failed error) {
	if failed != nil {
		r.trace.Notef("error %v", failed)
		return
	}
	for _, line := range answer {
		r.trace.NoteLater(func() string {
			score := line.Score.String()
			if line.Score.Known() {
				score += " "
			}
			return "answer " + pos.Format(line.Move()) + " " + score + batch.JoinMoves(engine.FormatMoves(pos, line.Moves))
		})
	}
}

// formatLimits returns the limits of a search, each after a space.
func formatLimits(pos engine.Position, lim engine.Limits) string {
	var b strings.Builder
	write := func(set bool, key string, value any) {
		if set {
			fmt.Fprintf(&b, " %s=%v", key, value)
		}
	}
	var ban []string
	for _, m := range lim.Ban {
		ban = append(ban, pos.Format(m))
	}
	write(lim.Level != 0, "level", lim.Level)
	write(lim.Nodes != 0, "nodes", lim.Nodes)
	write(lim.Depth != 0, "depth", lim.Depth)
	write(lim.Time != 0, "time", lim.Time)
	write(lim.Lines != 0, "lines", lim.Lines)
	write(len(ban) > 0, "ban", strings.Join(ban, ","))
	return b.String()
}

// Unwrap returns the Searcher.
func (r remarked) Unwrap() engine.Searcher { return r.leveledSearcher }
