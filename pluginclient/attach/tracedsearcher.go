package attach

import (
	"cmp"
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

// An embedded engine is called directly, so there are no lines to trace. Instead its trace has
// remarks on each search, in this order:
//
//	search POSITION LIMITS   at the start
//	answer MOVE SCORE PV     at the end, for each line, best first
//	error TEXT               at the end without a line
//
// POSITION has the format of input lines of 'qhsh hints'. LIMITS are the limits set, such as
// level=3 nodes=100 depth=2 time=1s lines=3 ban=H2-E2,B2-E2. PV starts with MOVE.

// A tracedSearcher is a Searcher that records its searches in a trace.
type tracedSearcher struct {
	engine.Searcher
	trace *pluginclient.Trace
}

func (r tracedSearcher) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		searched := lim
		searched.Ban = slices.Clone(lim.Ban)
		r.trace.NoteLater(func() string { return pluginclient.SearchRemark + batch.FormatGame(pos) + formatLimits(pos, searched) })
		var answer []engine.Line
		failure := engine.ErrNoMove
		for lines, err := range r.Searcher.Search(ctx, pos, lim) {
			answer, failure = slices.Clone(lines), err // the receiver may modify the slice
			if !yield(lines, err) {
				failure = cmp.Or(failure, errors.New("the search was given up"))
				break
			}
		}
		if failure != nil {
			r.trace.Notef("error %v", failure)
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
}

// formatLimits returns the limits of a search, each after a space.
func formatLimits(pos engine.Position, lim engine.Limits) string {
	var b strings.Builder
	write := func(set bool, key string, value any) {
		if set {
			fmt.Fprintf(&b, " %s=%v", key, value)
		}
	}
	write(lim.Level != 0, "level", lim.Level)
	write(lim.Nodes != 0, "nodes", lim.Nodes)
	write(lim.Depth != 0, "depth", lim.Depth)
	write(lim.Time != 0, "time", lim.Time)
	write(lim.Lines != 0, "lines", lim.Lines)
	write(len(lim.Ban) > 0, "ban", strings.Join(engine.FormatEach(pos, lim.Ban), ","))
	return b.String()
}

func (r tracedSearcher) Unwrap() engine.Searcher { return r.Searcher }
