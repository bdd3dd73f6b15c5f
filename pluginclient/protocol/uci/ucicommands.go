package uci

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// perftSearcher is a Searcher that runs a perft and writes its output. It returns no lines.
type perftSearcher struct {
	conn  *serverConn
	pos   *xiangqi.Position
	depth int
}

func (p perftSearcher) Search(ctx context.Context, _ engine.Position, _ engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(func([]engine.Line, error) bool) {
		branches, err := engine.Divide(ctx, p.pos, p.depth, runtime.GOMAXPROCS(0), xiangqi.PerftUntil)
		if err != nil {
			p.conn.remark(err.Error())
			return
		}
		var lines []string
		total := int64(0)
		for _, b := range branches {
			lines = append(lines, p.conn.ranks.Format(b.Move)+": "+strconv.FormatInt(b.Nodes, 10))
			total += b.Nodes
		}
		p.conn.WriteLines(append(lines, "", "Nodes searched: "+strconv.FormatInt(total, 10), "")...)
	}
}

// benchDepth is the depth of a benchmark where none is given.
const benchDepth = 11

// bench searches the sample positions to a depth, and writes the nodes, which are always the same in one
// version of an engine, and the nodes a second, in the words of Stockfish. As there, no command is read
// until it is done.
func (c *serverConn) bench(depth int) error {
	started, total := time.Now(), int64(0)
	for _, pos := range xiangqi.Samples() {
		engine.Forget(c.config.Searcher)
		best, err := engine.Best(c.ctx, c.config.Searcher, pos, engine.Limits{Depth: depth})
		if err != nil {
			return err
		}
		total += best[0].Nodes
		c.WriteLines(fmt.Sprintf("%s: %s, %d nodes", pos, c.ranks.Format(best[0].Move()), best[0].Nodes))
	}
	spent := max(time.Since(started), time.Millisecond)
	c.WriteLines("",
		fmt.Sprintf("Total time (ms) : %d", spent.Milliseconds()),
		fmt.Sprintf("Nodes searched  : %d", total),
		fmt.Sprintf("Nodes/second    : %d", int64(float64(total)/spent.Seconds())))
	return nil
}

// evaluate writes the evaluation as Stockfish does.
func (c *serverConn) evaluate() error {
	e, ok := engine.As[engine.Evaluator](c.config.Searcher)
	if !ok {
		return fmt.Errorf("%s has no evaluation without a search", c.config.Name)
	}
	score, err := e.Evaluate(c.pos)
	if err != nil {
		return err
	}
	cp, ok := score.Centipawns()
	if !ok {
		c.WriteLines("Final evaluation: none (in check)")
		return nil
	}
	if c.pos.Side() == xiangqi.Black {
		cp = -cp
	}
	c.WriteLines(fmt.Sprintf("Final evaluation       %+.2f (white side)", float64(cp)/100))
	return nil
}

// uciCommands are the commands of UCI only. The last four are for a person at the terminal, and for scripts
// that read what Stockfish answers.
var uciCommands = map[string]func(c *serverConn, args []string) error{
	"ucinewgame": func(c *serverConn, _ []string) error { engine.Forget(c.config.Searcher); return nil },
	"debug":      func(*serverConn, []string) error { return nil },
	"register":   func(*serverConn, []string) error { return nil },
	"fen": func(c *serverConn, args []string) error { // of Cyclone and UCI2WB
		c.setPosition(slices.Insert(args, 0, "fen"))
		return nil
	},
	"d": atPosition(func(c *serverConn) error {
		lines := strings.Split(strings.TrimRight(c.pos.Diagram(), "\n"), "\n")
		c.WriteLines(append(lines, "", "Fen: "+c.pos.String())...)
		return nil
	}),
	"eval": atPosition((*serverConn).evaluate),
	"flip": atPosition(func(c *serverConn) error { c.pos, c.ban = flipped(c.pos), nil; return nil }),
	"bench": func(c *serverConn, args []string) error {
		depth, err := benchDepth, error(nil)
		if len(args) > 0 {
			depth, err = strconv.Atoi(args[0])
		}
		if err != nil || depth < 1 {
			return fmt.Errorf("bench %s: want a depth, such as bench %d", pluginclient.Excerpt(args[0]), benchDepth)
		}
		return c.bench(depth)
	},
}

// atPosition returns a command without arguments that needs a position.
func atPosition(command func(*serverConn) error) func(*serverConn, []string) error {
	return func(c *serverConn, _ []string) error {
		if c.pos == nil {
			return errors.New("there is no position")
		}
		return command(c)
	}
}

// flipped returns the position with the colours exchanged and each piece on its file. It has no history, since
// the other side would have begun it, and what is odd about it is found anew.
func flipped(pos *xiangqi.Position) *xiangqi.Position {
	other, err := xiangqi.ParseFEN(pos.String())
	if err == nil {
		other, err = xiangqi.ParseFEN(other.Swapped().Mirrored().String())
	}
	if err != nil {
		return pos // unreachable: what is legal is legal the other way round
	}
	return other
}
