// Command cmd counts and checks files of games of the engine against itself:
//
//	go run ./engine/xiangqi/eval/gamefile/cmd games
//
// Operands are files, and folders of which it reads every file of games. It says how the
// games began and ended, how many of their positions pass the filter of package gamefile,
// how many of those are there more than once, and how long the games and how far ahead the
// sides were. It replays every game: moves that are illegal, results that are not those of
// the rules, numbers that a file has twice, damaged places and files that cannot be read are
// told on standard error, and make the exit status 1; the other files are counted all the
// same. What a killed process has left at a file's end, or a running one is about to write, is
// told, and is no fault.
//
// Each file has a checksum, and all together, which do not depend on the order of the games:
// two runs that played the same games have the same.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval/gamefile"
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
	fs.SetOutput(io.Discard) // the error says it
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(say, "usage: gamefile FILE|FOLDER...")
		}
		return err
	}
	names, err := files(fs.Args())
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

// files returns those that the operands name.
func files(args []string) (list []string, err error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return nil, err
		case !info.IsDir():
			list = append(list, arg)
			continue
		}
		inside, err := filepath.Glob(filepath.Join(arg, "*"+gamefile.Extension))
		if err != nil {
			return nil, err
		}
		list = append(list, inside...)
	}
	if len(list) == 0 {
		return nil, errors.New("no files of games: name files or a folder of them")
	}
	return list, nil
}

// A counter counts and checks.
type counter struct {
	errOut, out io.Writer
	faults      int
	name        string
	tally
}

// file counts a file and says what it is. An error says why it cannot.
func (c *counter) file() error {
	file, err := os.Open(c.name)
	if err != nil {
		return errors.Unwrap(err) // the name is said already
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

// report says what is wrong with the file. It is a fault, but for an end that is cut off.
func (c *counter) report(err error) {
	if !errors.Is(err, gamefile.ErrTruncated) {
		c.faults++
	}
	fmt.Fprintf(c.errOut, "%s: %v\n", c.name, err)
}

// check counts a game and tells what is wrong with it.
func (c *counter) check(g *gamefile.Game, seen map[uint64]bool) {
	if seen[g.Number] {
		c.report(fmt.Errorf("game %d: it is there twice", g.Number))
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
