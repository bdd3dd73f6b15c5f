// Command cmd plays games and tunes the evaluation on them in several rounds, and writes the weights:
//
//	go -C engine/lab run ./tune/cmd -o ../xiangqi/eval/weights.go
//
// The first round starts with the exchange values of the pieces, or with -from FILE with the weights of
// a file written by this program. Each other round plays with the weights of the round before, starts
// the optimization from them, and increments the seed.
//
// With -samples FILE the samples of a single round are read from the file if it exists, and written to
// it otherwise, so that methods can be compared on the same games. Output is written to FILE.new, which
// is renamed when it is complete.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"

	"qhsh/engine/lab/fitting"
	"qhsh/engine/lab/tune"
	"qhsh/engine/xiangqi/eval"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

// settings are the parsed flags.
type settings struct {
	plan               tune.Plan
	method             fitting.Method
	rounds             int
	samples, from, out string // files; empty: none
}

// parse parses the command line and validates it, before hours of games.
func parse(args []string, say io.Writer) (s settings, err error) {
	s.plan, s.method = tune.DefaultPlan(), tune.DefaultMethod()
	fs := flag.NewFlagSet("tune", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // main prints the error
	fs.IntVar(&s.plan.Games, "games", s.plan.Games, "play so many games a round")
	fs.Int64Var(&s.plan.Nodes, "nodes", s.plan.Nodes, "with so many nodes a move")
	fs.Uint64Var(&s.plan.Seed, "seed", s.plan.Seed, "seed of the first round's openings")
	fs.IntVar(&s.plan.Jobs, "jobs", 0, "games at a time; 0: one for each processor")
	fs.IntVar(&s.rounds, "rounds", tune.DefaultRounds, "play so many rounds")
	fs.IntVar(&s.method.Epochs, "epochs", s.method.Epochs, "steps of the descent")
	fs.Float64Var(&s.method.SearchShare, "trust", s.method.SearchShare, "share of the search's score in a label")
	fs.Float64Var(&s.method.Scale, "scale", s.method.Scale, "centipawns of an expected result of 73 %")
	fs.Float64Var(&s.method.Decay, "hold", s.method.Decay, "pull of the weights to where they began")
	fs.StringVar(&s.samples, "samples", "", "keep the samples in this `file`")
	fs.StringVar(&s.from, "from", "", "start from the weights of this `file`, not from the plain ones")
	fs.StringVar(&s.out, "o", "", "write the weights to this `file`")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(say)
			fs.PrintDefaults()
		}
		return s, err
	}
	if fs.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q: the files follow -samples, -from and -o", fs.Arg(0))
	}
	return s, errors.Join(s.plan.Check(), s.checkRounds(), s.method.Check())
}

func (s *settings) checkRounds() error {
	switch {
	case s.rounds < 1:
		return fmt.Errorf("rounds=%d: want at least 1", s.rounds)
	case s.rounds > 1 && s.samples != "":
		return fmt.Errorf("rounds=%d: a file of samples is that of one round: add -rounds 1", s.rounds)
	}
	return nil
}

func run(ctx context.Context, args []string, say io.Writer) (err error) {
	s, err := parse(args, say)
	if err != nil {
		return err
	}
	weights, err := initialWeights(s.from)
	if err != nil {
		return err
	}
	var out *tempFile
	if s.out != "" {
		if out, err = newTempFile(s.out); err != nil {
			return err
		}
		defer out.discard()
	}
	used := eval.TunedWeights()
	defer eval.SetWeights(&used)
	for round := range s.rounds {
		fmt.Fprintf(say, "round %d, seed %d\n", round+1, s.plan.Seed)
		if weights, err = s.round(ctx, weights, say); err != nil {
			return err
		}
		s.plan.Seed++
	}
	if out == nil {
		return nil
	}
	return out.commit(tune.WriteWeights(out, weights))
}

// round plays with weights and returns tuned ones.
func (s *settings) round(ctx context.Context, weights *[eval.Features]eval.Weight, say io.Writer) (*[eval.Features]eval.Weight, error) {
	eval.SetWeights(weights)
	samples, err := samplesOf(ctx, s.plan, s.samples, say)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(say, "%d samples\n", len(samples))
	return tune.Descend(ctx, samples, weights, s.method, func(epoch int, f fitting.Fit) {
		fmt.Fprintf(say, "epoch %d: %v\n", epoch, f)
	})
}

// initialWeights returns the weights of a file, or the plain ones if name is empty.
func initialWeights(name string) (*[eval.Features]eval.Weight, error) {
	if name == "" {
		weights := eval.PlainWeights()
		return &weights, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	weights, err := tune.ReadWeights(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return weights, nil
}

// samplesOf reads the samples from a file. If it does not exist, it plays games and writes it.
func samplesOf(ctx context.Context, plan tune.Plan, name string, say io.Writer) ([]tune.Sample, error) {
	play := func() ([]tune.Sample, error) {
		return tune.Play(ctx, plan, func(done int) {
			if done%100 == 0 {
				fmt.Fprintf(say, "%d games\n", done)
			}
		})
	}
	if name == "" {
		return play()
	}
	from, err := os.Open(name)
	if err == nil {
		defer from.Close()
		samples, err := tune.ReadSamples(bufio.NewReader(from))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return samples, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	to, err := newTempFile(name)
	if err != nil {
		return nil, err
	}
	defer to.discard()
	samples, err := play()
	if err != nil {
		return nil, err
	}
	return samples, to.commit(tune.WriteSamples(to, samples))
}

// A tempFile is a file that is renamed when it is complete.
type tempFile struct {
	*os.File
	name string // final name
}

// newTempFile creates a tempFile. It reports an invalid name before the games are played.
func newTempFile(name string) (*tempFile, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name a file in it", name)
	}
	file, err := os.Create(name + ".new")
	if err != nil {
		return nil, err
	}
	return &tempFile{file, name}, nil
}

// commit renames the file, unless writing it has failed.
func (d *tempFile) commit(writing error) error {
	if err := errors.Join(writing, d.Close()); err != nil {
		return err
	}
	return os.Rename(d.Name(), d.name)
}

// discard removes the file, unless it has been committed.
func (d *tempFile) discard() {
	_ = d.Close() // it may have been closed
	_ = os.Remove(d.Name())
}
