// Command cmd plays games of the engine against itself and keeps them, as package gamefile
// describes:
//
//	go -C engine/lab build -o /tmp/play ./selfplay/cmd
//	nice -n 19 /tmp/play -o /tmp/games -jobs 2
//
// It plays until it is interrupted or terminated, and then stops at once, or until it has
// played -games. It lowers its own priority where it can, so that it may run beside other
// work; nice says so to the shell as well.
//
// The games go to SEED.games in the folder, one number each, beginning with 0. The same
// command plays the same games, however many there are at a time: where a file is already
// there, those that it has not are played. So a run that was stopped or killed is resumed by
// its own command with the same -seed; a kill loses at most the -jobs games that were being
// played. That needs the same program and the same flags: a file that was begun with
// others is refused, as is one that another process is writing. Any number of processes can
// fill one folder, each with a seed of its own, which is the time unless -seed says otherwise.
//
// Games begin with -plies random moves, from the start or from the FENs of a file, one a
// line, or one game in so many from a random endgame. -eval is what they are played with: the
// games of one network train the next. Where the score is beyond 600, another
// beginning is drawn, up to a thousand for a game. A game ends by the Asian rules, with their
// judgement of repetitions, or if a side is -resign ahead for six plies, or by -draw, or after
// 600 plies.
//
// go -C engine/lab run ./gamefile/cmd FOLDER counts and checks what has been played.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/term"

	"qhsh/engine/filelock"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/lab/selfplay"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process
	say := reporter{w: os.Stderr, every: time.Minute, end: "\n"}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		say.every, say.end = time.Second, "\x1b[K\r"
	}
	lowerPriority()
	err := run(ctx, os.Args[1:], &say)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "selfplay:", err)
		os.Exit(1)
	}
}

// maxJobs limits the number of engines, each of which has its own table.
const maxJobs = 1024

// settings are the parsed flags.
type settings struct {
	plan   selfplay.Plan
	terms  terms
	folder string
	games  uint64 // 0: endless
	jobs   int
}

// parse parses the command line.
func parse(args []string, help io.Writer) (s settings, err error) {
	fs := flag.NewFlagSet("selfplay", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // the error says it
	fs.StringVar(&s.folder, "o", "", "keep the games in this `folder`")
	fs.Uint64Var(&s.terms.Seed, "seed", uint64(time.Now().UnixMilli()), "seed of all that is random, and name of the file")
	fs.Uint64Var(&s.games, "games", 0, "play the games up to this `number`; 0: until interrupted")
	fs.IntVar(&s.jobs, "jobs", 0, "games at a time; 0: one for each processor")
	fs.Int64Var(&s.terms.Nodes, "nodes", 1000, "begin no iteration of a search behind so many nodes")
	fs.StringVar(&s.terms.Plies, "plies", "8-10", "random moves at the beginning, `least-most`")
	openings := fs.String("openings", "", "begin with the positions of this `file`, a FEN a line")
	fs.IntVar(&s.terms.Endings, "endgames", 7, "`percent` of the games that begin with a random endgame")
	fs.IntVar(&s.terms.Resign, "resign", 2000, "end a game where a side is so many `centipawns` ahead for 6 plies; 0: play on")
	fs.IntVar(&s.terms.Draw, "draw", 0, "end a game where no side is more `centipawns` ahead for 40 plies; 0: play on")
	evaluation := fs.String("eval", embeddedName, "evaluate positions by `NAME`: "+embeddedName+" (the network in the program) or a file of a network's weights")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(help, "usage: selfplay -o FOLDER [flags]")
			fs.SetOutput(help)
			fs.PrintDefaults()
		}
		return s, err
	}
	switch {
	case fs.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q: the folder follows -o", fs.Arg(0))
	case s.folder == "":
		return s, errors.New("no folder for the games: give -o FOLDER")
	case s.jobs < 0 || s.jobs > maxJobs:
		return s, fmt.Errorf("jobs=%d: want 1 to %d, or 0 for one for each processor", s.jobs, maxJobs)
	case s.jobs == 0:
		s.jobs = runtime.NumCPU()
	}
	if s.plan, err = s.terms.plan(*openings); err == nil {
		s.plan.Network, err = s.terms.network(*evaluation)
	}
	return s, err
}

// run plays until ctx ends, which is not an error, or all games have been played.
func run(ctx context.Context, args []string, say *reporter) error {
	s, err := parse(args, say.w)
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(s.jobs))
	program, err := selfplay.Fingerprint(ctx, s.plan.Network)
	if err != nil {
		return ignoreCancel(ctx, err)
	}
	s.terms.Program = fmt.Sprintf("%016x", program)
	if err := os.MkdirAll(s.folder, 0o777); err != nil {
		return err
	}
	path := filepath.Join(s.folder, strconv.FormatUint(s.terms.Seed, 10)+gamefile.Extension)
	left := gameNumbers{done: map[uint64]bool{}, end: s.games}
	w, err := gamefile.Open(path, s.terms.String(), func(g *gamefile.Game) { left.done[g.Number] = true })
	switch {
	case errors.Is(err, filelock.ErrInUse):
		return fmt.Errorf("%w: give another -seed", err)
	case err != nil:
		return err
	}
	say.begin(path, len(left.done), w.Sync)
	err = s.plan.Play(ctx, s.jobs, left.next, func(g *gamefile.Game) error { return record(w, say, g) })
	say.finish()
	return errors.Join(ignoreCancel(ctx, err), w.Close())
}

// record appends a game and then counts it, so that only written games are counted.
func record(w *gamefile.Writer, say *reporter, g *gamefile.Game) error {
	if err := w.Append(g); err != nil {
		return err
	}
	say.count(g)
	return nil
}

// ignoreCancel returns err, or nil if it is the cancellation of ctx.
func ignoreCancel(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return nil
	}
	return err
}

// gameNumbers yields the numbers of the games to be played.
type gameNumbers struct {
	done map[uint64]bool // played earlier
	n    uint64
	end  uint64 // 0: none
}

func (n *gameNumbers) next() (uint64, bool) {
	for n.done[n.n] {
		n.n++
	}
	n.n++
	return n.n - 1, n.end == 0 || n.n <= n.end
}
