// Command cmd trains a network of package net on games of the engine against itself:
//
//	go -C engine/lab run ./train/cmd -o /tmp/g1.net /tmp/games
//
// Arguments are files of package gamefile, and folders with such files. The program prints the losses
// as it goes and draws them in FILE.svg at the end. The same flags with the same games write the
// same file on every machine, whatever -jobs is.
//
// A network learns from newer games without forgetting older ones if it begins with itself, at a low
// rate. A search with it (-nodes) scores positions beside those of the games, which shows it more than
// its own evaluation of them would; and what comes later in a game tells more of a position than its own
// score (-ahead). The network in the program was trained so:
//
//	go -C engine/lab run ./train/cmd -from g5.net -nodes 300 -rate 5e-4..1e-5 -lambda 0.3..0.5 \
//		-epochs 5 -o g6.net games
//
// If -hidden is more than the network of -from has, that is widened by neurons that are not used yet.
//
// With each line of losses it writes FILE.checkpoint, also if it is interrupted. The same command with
// -resume reads the games again, with all that -nodes takes, and continues from there. The checkpoint is
// removed when the training has ended.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"qhsh/engine/filelock"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/lab/train"
	"qhsh/engine/xiangqi/net"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process
	err := run(ctx, os.Args[1:], os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// patience is how long games are read, whose neighbours may have to be searched, until it is said how far.
const patience = 10 * time.Second

// settings are the parsed flags.
type settings struct {
	plan      train.Plan
	loader    train.Loader
	epochs    int64 // if plan.Samples is 0
	from, out string
	teacher   string
	resume    bool
	games     []string
}

// parse parses the command line.
func parse(args []string, help io.Writer) (s settings, err error) {
	s.plan = train.DefaultPlan()
	fs := flag.NewFlagSet("train", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // main prints the error
	fs.StringVar(&s.out, "o", "", "write the network to this `file`")
	fs.StringVar(&s.from, "from", "", "begin with the network in this `file`, to learn from more games, instead of with random weights")
	fs.BoolVar(&s.resume, "resume", false, "continue from the checkpoint beside the file")
	fs.IntVar(&s.plan.Hidden, "hidden", 0, "`size` of an accumulator: 64, 128 or 256; 0: that of -from, which must not be greater, or 128")
	fs.Int64Var(&s.epochs, "epochs", 7, "times that each position is trained on; too many learn few games by heart")
	fs.Int64Var(&s.plan.Samples, "samples", 0, "`number` of positions to train on, repetitions included; 0: as -epochs says")
	fs.IntVar(&s.plan.Batch, "batch", s.plan.Batch, "`positions` in a step of the optimizer")
	fs.Uint64Var(&s.plan.Seed, "seed", s.plan.Seed, "seed of the initial weights and of the order of positions")
	fs.IntVar(&s.loader.Jobs, "jobs", 0, "processors to use; 0: all")
	fs.Var((*span)(&s.plan.Lambda), "lambda", "share of the game's result in the target, `A..B` for a change from A to B")
	fs.Var((*span)(&s.plan.Rate), "rate", "learning rate, `A..B` for a change from A to B")
	fs.IntVar(&s.loader.HeldOut, "validate", 5, "`percent` of the games that are held out for validation")
	fs.IntVar(&s.loader.Neighbours, "neighbours", 1, "`number` of positions to add for each one, after random moves, with the score that -teacher gives it")
	fs.Int64Var(&s.loader.Nodes, "nodes", 0, "score the added positions by a search of so many `nodes`, and add only those that the filter of games passes; 0: by the evaluation alone")
	fs.Float64Var(&s.loader.Ahead, "ahead", 0.6, "`share` of the next position's score in that of a position, which has in turn such a share of its next")
	fs.StringVar(&s.teacher, "teacher", "", "score the added positions with the network in this `file` instead of the network in the program")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(help, "usage: train -o FILE [flags] FILE|FOLDER...")
			fs.SetOutput(help)
			fs.PrintDefaults()
			return s, err
		}
		return s, fmt.Errorf("%w; -h lists the flags", err)
	}
	l := &s.loader
	switch {
	case s.out == "":
		return s, errors.New("no file for the network: give -o FILE")
	case s.plan.Samples == 0 && s.epochs < 1:
		return s, fmt.Errorf("epochs=%d: want at least 1", s.epochs)
	case l.Jobs < 0:
		return s, fmt.Errorf("jobs=%d: want at least 1, or 0 for all processors", l.Jobs)
	case l.Neighbours < 0 || l.Neighbours > 100:
		return s, fmt.Errorf("neighbours=%d: want 0 to 100", l.Neighbours)
	case l.Nodes < 0:
		return s, fmt.Errorf("nodes=%d: want at least 1, or 0 for no search", l.Nodes)
	case l.Neighbours == 0 && (l.Nodes > 0 || s.teacher != ""):
		return s, errors.New("neighbours=0: want at least 1 for -nodes or -teacher, which score them")
	case !(l.Ahead >= 0 && l.Ahead < 1):
		return s, fmt.Errorf("ahead=%g: want a share, less than 1", l.Ahead)
	case l.HeldOut < 0 || l.HeldOut > 99:
		return s, fmt.Errorf("validate=%d: want 0 to 99 percent", l.HeldOut)
	case l.Jobs == 0:
		l.Jobs = runtime.GOMAXPROCS(0)
	}
	for _, arg := range fs.Args() {
		if strings.HasPrefix(arg, "-") {
			return s, fmt.Errorf("%s: flags go before the games", arg)
		}
	}
	s.games, err = gamefile.Files(fs.Args())
	return s, err
}

// A span is a flag's value that changes from a first number to a last one.
type span [2]float64

func (s *span) String() string { return fmt.Sprintf("%g..%g", s[0], s[1]) }

// Set parses "A..B", or a single number that does not change.
func (s *span) Set(text string) error {
	first, last, ok := strings.Cut(text, "..")
	if !ok {
		last = first
	}
	from, err := strconv.ParseFloat(first, 64)
	to, err2 := strconv.ParseFloat(last, 64)
	if err != nil || err2 != nil {
		return errors.New("want one or two numbers, such as 0.3..0.6")
	}
	*s = span{from, to}
	return nil
}

func run(ctx context.Context, args []string, say io.Writer) error {
	s, err := parse(args, say)
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(s.loader.Jobs))
	out, err := s.openOutput()
	if err != nil {
		return err
	}
	t, data, err := s.trained(ctx, say)
	if err != nil {
		return errors.Join(err, filelock.Remove(out))
	}
	return s.finish(t, data, out, say)
}

// checkpoint returns the name of the checkpoint.
func (s *settings) checkpoint() string { return s.out + ".checkpoint" }

// openOutput opens the file that will be the network, before games are read for minutes. It is locked,
// so that no other training writes the same network or checkpoint.
func (s *settings) openOutput() (*os.File, error) {
	if info, err := os.Stat(s.out); err == nil {
		switch {
		case !info.Mode().IsRegular():
			return nil, fmt.Errorf("-o %s: not a regular file", s.out)
		case s.reads(info):
			return nil, fmt.Errorf("-o %s: that is an input", s.out)
		}
	}
	file, err := filelock.Open(s.out + ".new")
	if err != nil {
		return nil, fmt.Errorf("-o: %w", err)
	}
	return file, nil
}

// reads reports whether a file is one of the inputs.
func (s *settings) reads(file os.FileInfo) bool {
	return slices.ContainsFunc(append([]string{s.from, s.teacher}, s.games...), func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && os.SameFile(info, file)
	})
}

// trained returns a training that has ended, and its games.
func (s *settings) trained(ctx context.Context, say io.Writer) (*train.Training, *train.Data, error) {
	switch _, err := os.Stat(s.checkpoint()); {
	case err == nil && !s.resume:
		return nil, nil, fmt.Errorf("%s exists: add -resume, or remove it", s.checkpoint())
	case err != nil && s.resume:
		return nil, nil, fmt.Errorf("no checkpoint to resume: %w", err)
	}
	from, err := network("-from", s.from)
	if err != nil {
		return nil, nil, err
	}
	if err := s.begin(from); err != nil {
		return nil, nil, err
	}
	data, err := s.load(ctx, say)
	if err != nil {
		return nil, nil, err
	}
	if s.plan.Samples == 0 {
		s.plan.Samples = s.epochs * int64(len(data.Train))
	}
	t, err := train.New(s.plan, from, data, s.loader.Jobs)
	if err == nil && s.resume {
		err = resume(t, s.checkpoint())
	}
	if err != nil {
		return nil, nil, err
	}
	fmt.Fprintf(say, "scale of scores %.1f, %d steps\n", t.Scale(), t.Steps())
	return t, data, s.train(ctx, t, say)
}

// begin makes the plan that of a training that begins with a network, and checks it.
func (s *settings) begin(from *net.Weights) error {
	usual := train.DefaultPlan().Hidden
	if from != nil {
		usual = from.Hidden
	}
	s.plan.Hidden = cmp.Or(s.plan.Hidden, usual)
	p := s.plan
	p.Samples = cmp.Or(p.Samples, 1) // what 0 stands for is known when the games are
	return p.Check(from)
}

// network reads the network in the file of a flag; none if that is empty.
func network(flag, file string) (*net.Weights, error) {
	if file == "" {
		return nil, nil
	}
	w, err := net.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return w, nil
}

// load reads the games.
func (s *settings) load(ctx context.Context, say io.Writer) (_ *train.Data, err error) {
	if s.loader.Teacher, err = network("-teacher", s.teacher); err != nil {
		return nil, err
	}
	s.loader.Warn = func(err error) { fmt.Fprintln(say, "train:", err) }
	last := time.Now()
	s.loader.Progress = func(name string, done, games int) {
		if now := time.Now(); now.Sub(last) >= patience {
			fmt.Fprintf(say, "%s: %d of %d games read\n", name, done, games)
			last = now
		}
	}
	data, err := s.loader.Load(ctx, s.games)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%w while the games were read: give the same command again", context.Cause(ctx))
	case err != nil:
		return nil, err
	}
	fmt.Fprintf(say, "%d games, checksum %016x; %d positions to train on, %d held out\n",
		data.Games, data.Checksum, len(data.Train), len(data.HeldOut))
	return data, nil
}

// resume continues from a checkpoint.
func resume(t *train.Training, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := t.Resume(file); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// train trains, prints the losses and writes checkpoints.
func (s *settings) train(ctx context.Context, t *train.Training, say io.Writer) error {
	last, samples := time.Now(), int64(0)
	for _, l := range t.Losses() {
		samples = l.Samples
	}
	err := t.Run(ctx, func(l train.Loss) error {
		now := time.Now()
		fmt.Fprintf(say, "%6.2f million samples, %4.0f thousand a second: loss %.6f, held out %s, rate %.2g\n",
			float64(l.Samples)/1e6, float64(l.Samples-samples)/1e3/now.Sub(last).Seconds(), l.Train, lossText(l.HeldOut), l.Rate)
		last, samples = now, l.Samples
		return writeFile(s.checkpoint(), t.WriteCheckpoint)
	})
	if ctx.Err() != nil && err != nil {
		err = errors.Join(fmt.Errorf("%w: add -resume to continue", err), writeFile(s.checkpoint(), t.WriteCheckpoint))
	}
	return err
}

// lossText returns the text of a loss on held-out games.
func lossText(loss float64) string {
	if math.IsNaN(loss) {
		return "none"
	}
	return fmt.Sprintf("%.6f", loss)
}

// finish writes the network and the drawing of the losses.
func (s *settings) finish(t *train.Training, data *train.Data, out *os.File, say io.Writer) error {
	w := t.Weights()
	w.Name = strings.TrimSuffix(filepath.Base(s.out), net.Extension)
	w.Note = fmt.Sprintf("%v %s; %d games, checksum %016x; scale of scores %.1f", t.Plan(), data.Flags, data.Games, data.Checksum, t.Scale())
	fmt.Fprintf(say, "rounded to integers: held out %s; checksum %s\n", lossText(t.QuantisedLoss()), w.Checksum())
	if err := replace(s.out, out, w.Write); err != nil {
		return err
	}
	drawing := func(w io.Writer) error { return train.Plot(w, t.Losses()) }
	return errors.Join(writeFile(s.out+".svg", drawing), os.RemoveAll(s.checkpoint()))
}

// writeFile replaces a file, or leaves it as it was if writing fails.
func writeFile(name string, write func(io.Writer) error) error {
	file, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	return replace(name, file, write)
}

// replace writes an open file and renames it, or removes it if writing fails.
func replace(name string, file *os.File, write func(io.Writer) error) error {
	err := errors.Join(file.Truncate(0), write(file), file.Sync(), file.Close())
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return os.Rename(file.Name(), name)
}
