// Command cmd plays games, tunes the evaluation on them and writes its file of weights:
//
//	go run ./engine/xiangqi/eval/tune/cmd -games 4000 -o engine/xiangqi/eval/weights.go
//
// The descent starts from the weights in use, or with -from FILE from those of a file that
// this program has written. The games are played with the weights in use in either case.
//
// With -samples FILE the samples are read from a file where it exists, and written to
// it where it does not, so that methods can be compared on the same games.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"

	"qhsh/engine/xiangqi/eval"
	"qhsh/engine/xiangqi/eval/tune"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

func run() error {
	plan, method := tune.Plan{}, tune.DefaultMethod()
	flag.IntVar(&plan.Games, "games", 4000, "play so many games")
	flag.Int64Var(&plan.Nodes, "nodes", 1000, "with so many nodes a move")
	flag.Uint64Var(&plan.Seed, "seed", 1, "seed of the openings")
	flag.IntVar(&plan.Jobs, "jobs", 0, "games at a time; 0: one for each processor")
	flag.IntVar(&method.Epochs, "epochs", method.Epochs, "steps of the descent")
	flag.Float64Var(&method.Trust, "trust", method.Trust, "share of the search's score in a label")
	flag.Float64Var(&method.Scale, "scale", method.Scale, "centipawns of an expected result of 73 %")
	flag.Float64Var(&method.Hold, "hold", method.Hold, "pull of the weights to where they began")
	file := flag.String("samples", "", "keep the samples in this `file`")
	from := flag.String("from", "", "start from the weights of this `file`, not from those in use")
	out := flag.String("o", "", "write the weights to this `file`")
	flag.Parse()
	start, err := startOf(*from)
	if err != nil {
		return err
	}
	samples, err := samplesOf(plan, *file)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d samples\n", len(samples))
	if *out == "" {
		return nil
	}
	weights, err := tune.Descend(samples, start, method, func(epoch int, f tune.Fit) {
		fmt.Fprintf(os.Stderr, "epoch %d: %v\n", epoch, f)
	})
	if err != nil {
		return err
	}
	to, err := os.Create(*out)
	if err != nil {
		return err
	}
	return errors.Join(eval.WriteWeights(to, weights), to.Close())
}

// startOf are the weights of a file, or those in use.
func startOf(name string) (*[eval.Features]eval.Weight, error) {
	if name == "" {
		weights := eval.Tuned()
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
func samplesOf(plan tune.Plan, name string) ([]tune.Sample, error) {
	if name != "" {
		from, err := os.Open(name)
		if err == nil {
			defer from.Close()
			return tune.ReadSamples(bufio.NewReader(from))
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	samples, err := tune.Play(context.Background(), plan, func(done int) {
		if done%100 == 0 {
			fmt.Fprintf(os.Stderr, "%d games\n", done)
		}
	})
	if err != nil || name == "" {
		return samples, err
	}
	to, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	return samples, errors.Join(tune.WriteSamples(to, samples), to.Close())
}
