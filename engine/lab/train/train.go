// Package train finds the weights of package net from games of the engine against itself.
//
// A [Loader] replays games from files of package gamefile and keeps the quiet positions (samples.go). A
// position's target is a mixture of the game's result and the winning chances that the search's score
// stands for; fitScale finds how many centipawns stand for which chances. A [Training] minimises the
// squared error of the predicted result by gradient descent with AdamW in batches (step.go), on the
// positions of all but some games; the error on those is the validation loss. At the end the weights are
// rounded to the integers of package net (quantise.go).
//
// The weights depend only on the plan and on the games: not on the number of processors, nor on
// whether the training was interrupted and resumed from a checkpoint, nor on the kind of processor.
// For that, a batch is always divided into the same parts, sums are always added in the same order, and
// no multiplication and addition are fused (kernels.go).
//
// The program is in the directory cmd.
package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"qhsh/engine/xiangqi/net"
)

// A Plan has the parameters of a training.
type Plan struct {
	Hidden  int        // size of an accumulator of the network
	Samples int64      // positions to train on, repetitions included; rounded up to batches
	Batch   int        // positions in a step of the optimizer
	Seed    uint64     // of the initial weights and of the order of positions
	From    string     // checksum of the weights to begin with; empty: random ones
	Lambda  [2]float64 // share of the game's result in the target, at the beginning and at the end
	Rate    [2]float64 // learning rate, at the beginning and at the end
	Reports int        // times that the losses are reported
}

// DefaultPlan returns the usual parameters. Samples must still be set.
func DefaultPlan() Plan {
	return Plan{
		Hidden: 128, Batch: 16384, Seed: 1,
		Lambda: [2]float64{0.4, 0.8}, Rate: [2]float64{1e-3, 1e-5}, Reports: 50,
	}
}

// String returns the plan as flags of the program, with a checksum in place of the file of -from.
func (p Plan) String() string { return strings.Join(p.flags(), " ") }

func (p Plan) flags() []string {
	list := []string{
		fmt.Sprint("-hidden ", p.Hidden), fmt.Sprint("-samples ", p.Samples), fmt.Sprint("-batch ", p.Batch), fmt.Sprint("-seed ", p.Seed),
		fmt.Sprintf("-lambda %g..%g", p.Lambda[0], p.Lambda[1]), fmt.Sprintf("-rate %g..%g", p.Rate[0], p.Rate[1]),
	}
	if p.From != "" {
		list = append(list, "-from "+p.From)
	}
	return list
}

// without returns the flags of the plan that another one has not, or "none".
func (p Plan) without(other Plan) string {
	theirs := other.flags()
	own := slices.DeleteFunc(p.flags(), func(flag string) bool { return slices.Contains(theirs, flag) })
	return cmp.Or(strings.Join(own, " "), "none")
}

// Check returns an error for an invalid plan of a training that begins with the weights from, or with
// random ones if from is nil.
func (p Plan) Check(from *net.Weights) error {
	share := func(v float64) bool { return v >= 0 && v <= 1 }
	rate := func(v float64) bool { return v > 0 && v <= 1 }
	switch {
	case !slices.Contains(net.HiddenSizes, p.Hidden):
		return fmt.Errorf("hidden size %d: want one of %s", p.Hidden, strings.Trim(fmt.Sprint(net.HiddenSizes), "[]"))
	case from != nil && from.Hidden > p.Hidden:
		return fmt.Errorf("hidden size %d: the network to begin with has %d, and cannot lose any", p.Hidden, from.Hidden)
	case p.Samples < 1:
		return fmt.Errorf("%d samples: want at least 1", p.Samples)
	case p.Batch < 1:
		return fmt.Errorf("batch of %d: want at least 1", p.Batch)
	case !share(p.Lambda[0]) || !share(p.Lambda[1]):
		return fmt.Errorf("share of the result %g to %g: want 0 to 1", p.Lambda[0], p.Lambda[1])
	case !rate(p.Rate[0]) || !rate(p.Rate[1]):
		return fmt.Errorf("learning rate %g to %g: want more than 0, at most 1", p.Rate[0], p.Rate[1])
	case p.Reports < 1:
		return fmt.Errorf("%d reports: want at least 1", p.Reports)
	}
	return nil
}

// A Training is a training in progress. It is used by one goroutine at a time.
type Training struct {
	plan    Plan
	data    *Data
	jobs    int
	scale   float64   // see fitScale
	chances []float32 // see newChances

	model     *model
	optimizer *adam
	shards    []*shard
	order     order
	step      int // steps done
	loss      float64
	losses    []Loss
}

// A Loss is the mean squared error of the predicted results after some samples. The targets are those of
// the end of the training, so that losses can be compared.
type Loss struct {
	Samples int64   // trained on so far, repetitions included
	Train   float64 // on the samples since the last Loss, as they were trained on
	HeldOut float64 // on the held-out games; NaN if there are none
	Rate    float64 // learning rate
}

// New returns a training at its beginning. It begins with the weights from, or with random ones if from
// is nil. It sets the checksum of from in the plan, and widens from if the plan has more neurons. jobs
// is the number of processors to use.
func New(p Plan, from *net.Weights, data *Data, jobs int) (*Training, error) {
	if err := p.Check(from); err != nil {
		return nil, err
	}
	if len(data.Train) == 0 {
		return nil, errors.New("no positions to train on: play more games")
	}
	p.Batch = min(p.Batch, len(data.Train))
	model := firstModel(&p, from)
	t := &Training{plan: p, data: data, jobs: jobs, scale: fitScale(data.Train), model: model}
	t.chances = newChances(t.scale)
	t.optimizer = newAdam(len(t.model.params))
	for range shards {
		t.shards = append(t.shards, newShard(p.Hidden))
	}
	t.order = order{seed: p.Seed, n: len(data.Train)}
	return t, nil
}

// firstModel returns the model to begin with, and sets p.From.
func firstModel(p *Plan, from *net.Weights) *model {
	if p.From = ""; from == nil {
		m := newModel(p.Hidden)
		m.randomize(p.Seed)
		return m
	}
	p.From = from.Checksum()
	m := dequantise(from)
	if from.Hidden < p.Hidden {
		m = m.widen(p.Hidden, p.Seed)
	}
	return m
}

// Steps returns the number of steps of the whole training.
func (t *Training) Steps() int {
	return int((t.plan.Samples + int64(t.plan.Batch) - 1) / int64(t.plan.Batch))
}

// Plan returns the plan, with a batch that is no larger than the data.
func (t *Training) Plan() Plan { return t.plan }

// Scale returns the scale of the scores; see fitScale.
func (t *Training) Scale() float64 { return t.scale }

// Losses returns the losses reported so far.
func (t *Training) Losses() []Loss { return t.losses }

// Run trains to the end, or until ctx is done, which is an error after which the training can be
// resumed. It calls report regularly.
func (t *Training) Run(ctx context.Context, report func(Loss) error) error {
	for t.step < t.Steps() {
		if ctx.Err() != nil {
			return fmt.Errorf("stopped after step %d of %d: %w", t.step, t.Steps(), context.Cause(ctx))
		}
		t.trainBatch()
		if !t.reportDue() {
			continue
		}
		if err := report(t.measure()); err != nil {
			return err
		}
	}
	return nil
}

// reportDue reports whether the losses are to be reported after the current step.
func (t *Training) reportDue() bool {
	nth := func(step int) int { return step * t.plan.Reports / t.Steps() }
	return nth(t.step) > nth(t.step-1)
}

// measure appends a Loss.
func (t *Training) measure() Loss {
	l := Loss{Samples: int64(t.step) * int64(t.plan.Batch), HeldOut: t.heldOut(t.model), Rate: t.rate(t.step - 1)}
	since := l.Samples
	if n := len(t.losses); n > 0 {
		since -= t.losses[n-1].Samples
	}
	l.Train, t.loss = t.loss/float64(since), 0
	t.losses = append(t.losses, l)
	return l
}

// progress returns the part of the training that is done before a step, from 0 to 1.
func (t *Training) progress(step int) float64 { return float64(step) / float64(t.Steps()) }

// rate returns the learning rate of a step, which falls along a cosine.
func (t *Training) rate(step int) float64 {
	from, to := t.plan.Rate[0], t.plan.Rate[1]
	return to + float64((from-to)*(1+math.Cos(math.Pi*t.progress(step)))/2)
}

// finalTarget returns how targets are computed at the end of the training.
func (t *Training) finalTarget() target { return t.target(t.Steps()) }

// target returns how targets are computed in a step.
func (t *Training) target(step int) target {
	from, to := t.plan.Lambda[0], t.plan.Lambda[1]
	return target{float32(from + float64((to-from)*t.progress(step))), t.chances}
}
