package batch_test

import (
	"context"
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
)

// printer is a Sink. Formats has those of the formats that qhsh writes.
type printer struct{}

func (printer) Write(a batch.Answer) error {
	switch {
	case a.Err != nil:
		fmt.Printf("line %d: %v\n", a.Line, a.Err)
	case a.Over != "":
		fmt.Printf("line %d: %s\n", a.Line, a.Over)
	default:
		best := a.Hints[0]
		fmt.Printf("line %d: %s %s\n", a.Line, best.Move, best.Score)
	}
	return nil
}

// Two engines share the positions. The answers come in the order of the input, and a bad line is
// an answer with an error.
func ExampleRun() {
	positions := strings.NewReader(`3k5/9/9/9/9/9/9/9/4R4/R4K3 w
3k5/9/9/9/9/9/9/9/4R4/R4K3 w moves a0d0
9/9 w
`)
	ctx := context.Background()
	pool, err := batch.NewPool(ctx, batch.PoolOptions{
		Open: func(ctx context.Context) (pluginclient.Session, error) {
			return attach.Open(ctx, "builtin,hash=1", attach.Options{Games: games.Default})
		},
		Jobs: 2, Limits: engine.Limits{Nodes: 1000, Lines: 1},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	tally, err := batch.Run(ctx, batch.NewLines(xiangqi.Rules, "", positions), printer{}, pool, batch.Options{})
	fmt.Println(tally.Done, tally.Failed, err)
	// Output:
	// line 1: A0-D0 mate 1
	// line 2: checkmate
	// line 3: 2 ranks instead of 10
	// 3 1 <nil>
}
