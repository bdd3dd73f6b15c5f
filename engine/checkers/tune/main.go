package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"

	"qhsh/engine/checkers"
	"qhsh/engine/checkers/eval"
	"qhsh/engine/checkers/tune/fitting"
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

// method has the parameters with which the current weights were found.
var method = fitting.Method{Epochs: 300, SearchShare: 0.5, Scale: 150, Decay: 1e-8}

func run(ctx context.Context, args []string, say io.Writer) error {
	var p tuner
	fs := flag.NewFlagSet("tune", flag.ContinueOnError)
	fs.SetOutput(say)
	fs.IntVar(&p.games, "games", 800, "`number` of games per round")
	fs.Int64Var(&p.nodes, "nodes", 1500, "`nodes` per move")
	fs.Uint64Var(&p.seed, "seed", 1, "seed of the first round's openings; it is incremented each round")
	fs.IntVar(&p.jobs, "jobs", runtime.GOMAXPROCS(0), "number of concurrent games")
	rounds := fs.Int("rounds", 2, "`number` of rounds")
	only := fs.String("variant", "", "tune only this variant, and keep the weights of the others")
	out := fs.String("o", "", "write the weights to this `file`")
	if err := fs.Parse(args); err != nil {
		return err
	}
	variants := checkers.Variants()
	if *only != "" {
		v, err := checkers.ParseVariant(*only)
		if err != nil {
			return err
		}
		variants = []checkers.Variant{v}
	}
	if p.games < 1 || p.nodes < 1 || p.jobs < 1 || *rounds < 1 {
		return errors.New("games, nodes, jobs and rounds: want at least 1")
	}
	all := map[checkers.Variant][]eval.Weight{}
	for _, v := range checkers.Variants() {
		all[v] = eval.Tuned(v)
	}
	for _, v := range variants {
		p.rules = checkers.Rules{Variant: v}
		weights, err := p.tune(ctx, *rounds, say)
		if err != nil {
			return fmt.Errorf("%v: %w", v, err)
		}
		all[v] = weights
	}
	if *out == "" {
		return nil
	}
	text, err := formatWeights(all)
	if err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	return os.WriteFile(*out, text, 0o666)
}

// tune tunes the weights of one variant.
func (p tuner) tune(ctx context.Context, rounds int, say io.Writer) ([]eval.Weight, error) {
	weights := eval.Plain(p.rules.Variant)
	for round := range rounds {
		p.weights = eval.New(weights)
		samples, err := p.play(ctx)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(say, "%v, round %d: %d samples\n", p.rules.Variant, round+1, len(samples))
		weights, err = fitting.Descend(ctx, samples, weights, method, func(epoch int, f fitting.Fit) {
			fmt.Fprintf(say, "epoch %d: %v\n", epoch, f)
		})
		if err != nil {
			return nil, err
		}
		p.seed++
	}
	return weights, nil
}
