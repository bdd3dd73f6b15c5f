// Command cmd plays games, tunes the evaluation on them and writes its file of weights, round by
// round, until it has weights that play better than those of each round before:
//
//	go run ./engine/xiangqi/eval/tune/cmd -o engine/xiangqi/eval/weights.go
//
// The first round begins with what the pieces are worth in an exchange, and nothing else, or
// with -from FILE with the weights of a file that this program has written. Every round plays by
// the weights that the last one has found, and descends from them; its openings have the next seed.
//
// With -samples FILE the samples of a single round are read from a file where it exists, and
// written to it where it does not, so that methods can be compared on the same games. What is
// written stands beside its file, as FILE.new, until it is whole.
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

	"qhsh/engine/fitting"
	"qhsh/engine/xiangqi/eval"
	"qhsh/engine/xiangqi/eval/tune"
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

// settings are what the command line says.
type settings struct {
	plan               tune.Plan
	method             fitting.Method
	rounds             int
	samples, from, out string // files; empty: none
}

// parse reads the command line. What could not be played or learned is an error here, before
// hours of games.
func parse(args []string, say io.Writer) (s settings, err error) {
	s.plan, s.method = tune.DefaultPlan(), tune.DefaultMethod()
	fs := flag.NewFlagSet("tune", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // the error says it
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
		return s, fmt.Errorf("%q is no option: the files follow -samples, -from and -o", fs.Arg(0))
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
	return out.commit(eval.WriteWeights(out, weights))
}

// round plays by weights and finds better ones.
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

// initialWeights returns the weights of a file, or the plain ones.
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

// samplesOf reads the samples from a file, or plays them and writes it.
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

// A tempFile is a file that is being written, beside the one that it is to be.
type tempFile struct {
	*os.File
	name string // of the one that it is to be
}

// newTempFile begins a draft, so that a name which cannot be written to is found out at once.
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

// commit puts the draft in its place, unless writing it has failed.
func (d *tempFile) commit(writing error) error {
	if err := errors.Join(writing, d.Close()); err != nil {
		return err
	}
	return os.Rename(d.Name(), d.name)
}

// discard removes a draft that has not been kept.
func (d *tempFile) discard() {
	_ = d.Close() // it may have been closed
	_ = os.Remove(d.Name())
}
