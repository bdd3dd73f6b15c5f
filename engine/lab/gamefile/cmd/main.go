// Command cmd counts and checks files of games of the engine against itself:
//
//	go -C engine/lab run ./gamefile/cmd /tmp/games
//
// Arguments are files, and folders with such files. It prints statistics: starts and results,
// positions for training, duplicates, lengths and scores. It replays every
// game. Illegal moves, results that contradict the rules, duplicate numbers, damaged places and
// unreadable files are reported on standard error and make the exit status 1; the other files are
// still counted. An incomplete block at the end of a file is reported, but is not a fault.
//
// It prints a checksum of each file and of all files. They do not depend on the order of the games, so
// two runs that played the same games have the same.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "gamefile:", err)
		os.Exit(1)
	}
}

func run(args []string, out, say io.Writer) error {
	fs := flag.NewFlagSet("gamefile", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // main prints the error
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(say, "usage: gamefile FILE|FOLDER...")
		}
		return err
	}
	names, err := gamefile.Files(fs.Args())
	if err != nil {
		return err
	}
	c := counter{errOut: say, out: out}
	for _, name := range names {
		c.name = name
		if err := c.file(); err != nil {
			c.report(err)
		}
	}
	c.print(out)
	if c.faults > 0 {
		return fmt.Errorf("%d faults", c.faults)
	}
	return nil
}

// A counter counts and checks.
type counter struct {
	errOut, out io.Writer
	faults      int
	name        string
	tally
}

// file counts a file and prints a summary. It returns an error if the file cannot be read.
func (c *counter) file() error {
	file, err := os.Open(c.name)
	if err != nil {
		return errors.Unwrap(err) // the name is printed with it
	}
	defer file.Close()
	r, err := gamefile.NewReader(file)
	if err != nil {
		return err
	}
	before := c.games
	sum, seen := uint64(0), map[uint64]bool{}
	for g, err := range r.Games() {
		if err != nil {
			c.report(err)
			continue
		}
		c.check(g, seen)
		sum += g.Sum()
	}
	c.sum += sum
	fmt.Fprintf(c.out, "%s: %d games, checksum %016x, %s\n", c.name, c.games-before, sum, r.Terms())
	return nil
}

// report prints an error of the file and counts it as a fault, unless the file is only truncated.
func (c *counter) report(err error) {
	if !errors.Is(err, gamefile.ErrTruncated) {
		c.faults++
	}
	fmt.Fprintf(c.errOut, "%s: %v\n", c.name, err)
}

// check counts a game and reports its errors.
func (c *counter) check(g *gamefile.Game, seen map[uint64]bool) {
	if seen[g.Number] {
		c.report(fmt.Errorf("game %d: duplicate number", g.Number))
	}
	seen[g.Number] = true
	c.game(g)
	for p, err := range g.Positions() {
		if err != nil {
			c.report(err)
			return
		}
		c.position(p)
	}
	if slices.Contains([]string{gamefile.ByScore, gamefile.ByLength}, g.Result.Reason) {
		return
	}
	end, err := g.End()
	if err != nil {
		c.report(err)
		return
	}
	if want := xiangqi.Asian.Adjudicate(end); want != g.Result {
		c.report(fmt.Errorf("game %d: %v, by the rules %v", g.Number, g.Result, want))
	}
}
