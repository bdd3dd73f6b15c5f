package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/xiangqi/net"
)

// file returns the file of the network.
func file(t *testing.T, training *Training) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := training.Weights().Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The losses fall, and the network does not depend on the number of processors. Its checksum is the same
// on every machine.
func TestTraining(t *testing.T) {
	const want = "5b8790b37918e26e"
	var first []Loss
	for _, jobs := range []int{1, 3} {
		training := begin(t, smallPlan(), smallData(), jobs)
		if err := training.Run(t.Context(), func(Loss) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if got := training.Weights().Checksum(); got != want {
			t.Errorf("%d jobs: checksum %s, want %s", jobs, got, want)
		}
		if losses := training.Losses(); first == nil {
			first = losses
		} else if diff := cmp.Diff(first, losses); diff != "" {
			t.Errorf("losses (-1 job +%d jobs):\n%s", jobs, diff)
		}
	}
	if len(first) != 4 || first[3].Samples != 6000 || !(first[3].HeldOut < 0.98*first[0].HeldOut) {
		t.Errorf("losses %+v: want four, the last one lower", first)
	}
}

// A training that is interrupted twice and resumed ends with the same network and losses.
func TestResume(t *testing.T) {
	data := smallData()
	whole := begin(t, smallPlan(), data, 2)
	if err := whole.Run(t.Context(), func(Loss) error { return nil }); err != nil {
		t.Fatal(err)
	}
	var state bytes.Buffer
	training := begin(t, smallPlan(), data, 2)
	for _, steps := range []int{13, 20} {
		for training.step < steps {
			training.trainBatch()
			if training.reportDue() {
				training.measure()
			}
		}
		if err := training.WriteCheckpoint(&state); err != nil {
			t.Fatal(err)
		}
		training = begin(t, smallPlan(), data, 1)
		if err := training.Resume(&state); err != nil {
			t.Fatal(err)
		}
	}
	if err := training.Run(t.Context(), func(Loss) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file(t, training), file(t, whole)) {
		t.Error("the network is another one")
	}
	if diff := cmp.Diff(whole.Losses(), training.Losses()); diff != "" {
		t.Errorf("losses (-whole +resumed):\n%s", diff)
	}
}

// A training that begins with a network has that network before the first step, and another one than a
// training that begins at random after it. A checkpoint of the one is none of the other.
func TestFrom(t *testing.T) {
	first := begin(t, smallPlan(), smallData(), 1)
	first.trainBatch()
	from := first.Weights()
	p := smallPlan()
	p.Seed++
	second, err := New(p, from, smallData(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := second.Weights().Checksum(); got != from.Checksum() {
		t.Errorf("before the first step %s, want %s", got, from.Checksum())
	}
	if flags := second.Plan().String(); !strings.HasSuffix(flags, " -from "+from.Checksum()) {
		t.Errorf("plan %s, want -from with the checksum", flags)
	}
	var state bytes.Buffer
	if err := second.WriteCheckpoint(&state); err != nil {
		t.Fatal(err)
	}
	if err := begin(t, p, smallData(), 1).Resume(&state); err == nil {
		t.Error("resumed without the network")
	}
	wide, err := New(smallPlan(), net.NewWeights(128), smallData(), 1)
	const want = "hidden size 64: the network to begin with has 128, and cannot lose any"
	if err == nil || err.Error() != want {
		t.Errorf("%v, error %v, want %s", wide, err, want)
	}
}

// A network that is widened evaluates as before, and then uses its new neurons.
func TestWiden(t *testing.T) {
	first := begin(t, smallPlan(), smallData(), 1)
	first.trainBatch()
	from, p := first.Weights(), smallPlan()
	p.Hidden = 128
	second, err := New(p, from, smallData(), 1)
	if err != nil {
		t.Fatal(err)
	}
	w := second.Weights()
	for _, c := range boards(200, 3) {
		if got, want := w.Evaluate(c.board), from.Evaluate(c.board); got != want {
			t.Fatalf("key %x: %d, want %d", c.board.Key(), got, want)
		}
	}
	second.trainBatch()
	used := 0
	for neuron := from.Hidden; neuron < p.Hidden; neuron++ {
		for bucket := range net.Buckets {
			if second.model.output(bucket)[neuron] != 0 {
				used++
				break
			}
		}
	}
	if used < from.Hidden/2 {
		t.Errorf("%d of %d new neurons are used after a step", used, from.Hidden)
	}
}

// A checkpoint of another training is refused.
func TestResumeRefuses(t *testing.T) {
	var state bytes.Buffer
	if err := begin(t, smallPlan(), smallData(), 1).WriteCheckpoint(&state); err != nil {
		t.Fatal(err)
	}
	plan, data, flipped := smallPlan(), smallData(), bytes.Clone(state.Bytes())
	plan.Seed++
	data.Checksum++
	flipped[len(flipped)/2] ^= 1
	for _, test := range []struct {
		name     string
		training *Training
		state    []byte
		want     string
	}{
		{"plan", begin(t, plan, smallData(), 1), state.Bytes(), "the checkpoint has other flags: -seed 1, not -seed 2"},
		{"games", begin(t, smallPlan(), data, 1), state.Bytes(), "the checkpoint has other games: give the same files, as they were, and -ahead, -neighbours, -nodes, -teacher and -validate"},
		{"cut", begin(t, smallPlan(), smallData(), 1), state.Bytes()[:1000], errCheckpoint.Error()},
		{"empty", begin(t, smallPlan(), smallData(), 1), nil, errCheckpoint.Error()},
		{"flipped", begin(t, smallPlan(), smallData(), 1), flipped, errCheckpoint.Error()},
	} {
		if err := test.training.Resume(bytes.NewReader(test.state)); err == nil || err.Error() != test.want {
			t.Errorf("%s: error %v, want %s", test.name, err, test.want)
		}
	}
}

// An interrupted training says why it has ended.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	training := begin(t, smallPlan(), smallData(), 1)
	err := training.Run(ctx, func(Loss) error { stop(why); return nil })
	if !errors.Is(err, why) || training.step != 8 {
		t.Errorf("error %v after %d steps, want %v after 8", err, training.step, why)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		change func(*Plan)
		want   string
	}{
		{func(p *Plan) { p.Hidden = 100 }, "hidden size 100: want one of 64 128 256"},
		{func(p *Plan) { p.Samples = 0 }, "0 samples: want at least 1"},
		{func(p *Plan) { p.Batch = 0 }, "batch of 0: want at least 1"},
		{func(p *Plan) { p.Lambda[1] = 2 }, "share of the result 0 to 2: want 0 to 1"},
		{func(p *Plan) { p.Rate[0] = math.NaN() }, "learning rate NaN to 0.0005: want more than 0, at most 1"},
		{func(p *Plan) { p.Reports = 0 }, "0 reports: want at least 1"},
	} {
		p := smallPlan()
		test.change(&p)
		if _, err := New(p, nil, smallData(), 1); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
	if _, err := New(smallPlan(), nil, new(Data), 1); err == nil {
		t.Error("no error without positions")
	}
}

// Each epoch has every sample at most once, in another order.
func TestOrder(t *testing.T) {
	o := order{seed: 1, n: 10}
	seen := map[string]bool{}
	for epoch := range 20 {
		var all []uint32
		for batch := range 3 {
			all = append(all, o.batch(3*epoch+batch, 3)...)
		}
		seen[fmt.Sprint(all)] = true
		once := map[uint32]bool{}
		for _, i := range all {
			once[i>>1] = true
		}
		if len(once) != 9 {
			t.Errorf("epoch %d: samples %d, want 9 different ones", epoch, all)
		}
	}
	if len(seen) != 20 {
		t.Errorf("%d different orders, want 20", len(seen))
	}
}

// The gradient of a shard is the derivative of the loss by each parameter.
func TestGradient(t *testing.T) {
	training := begin(t, smallPlan(), smallData(), 1)
	training.plan.Samples = 1 << 40 // the share of the result stays as it is at the beginning
	want := training.target(0)
	batch := []uint32{2 * 100, 2*200 + 1, 2 * 300}
	s := newShard(64)
	s.train(training, batch)
	loss := func() float64 {
		sum := 0.0
		for _, i := range batch {
			x := &training.data.Train[i>>1]
			sum += want.loss(training.predict(s.forward(training.model, x, i&1 != 0)), x)
		}
		return sum
	}
	params, checked := training.model.params, 0
	for i, derivative := range s.gradient.params {
		if derivative == 0 || i%7 > 0 {
			continue
		}
		const h = 1.0 / 256
		before := params[i]
		params[i] = before + h
		more := loss()
		params[i] = before - h
		numeric := (more - loss()) / (2 * h)
		params[i] = before
		// the derivative by the output is without the scale
		if exact := float64(derivative) * outputScale / training.scale; math.Abs(exact-numeric) > 1e-4+0.02*math.Abs(exact) {
			t.Errorf("parameter %d: derivative %g, numerically %g", i, exact, numeric)
		}
		checked++
	}
	if checked < 100 {
		t.Errorf("%d derivatives checked", checked)
	}
}

// The rounded network evaluates positions as the model that it comes from, and as package net does.
func TestQuantise(t *testing.T) {
	training := begin(t, smallPlan(), smallData(), 1)
	if err := training.Run(t.Context(), func(Loss) error { return nil }); err != nil {
		t.Fatal(err)
	}
	w := training.Weights()
	rounded, s := dequantise(w), newShard(64)
	checkEvaluations(t, w, func(x *Sample) (exact, approximate float64) {
		return float64(s.forward(rounded, x, false)) * outputScale, float64(s.forward(training.model, x, false)) * outputScale
	})
	if diff := training.QuantisedLoss() - training.Losses()[3].HeldOut; math.Abs(diff) > 1e-3 {
		t.Errorf("the loss differs by %g after rounding", diff)
	}
}

func checkEvaluations(t *testing.T, w *net.Weights, outputs func(*Sample) (exact, approximate float64)) {
	t.Helper()
	for _, c := range boards(200, 3) {
		got := float64(w.Evaluate(c.board))
		if exact, approximate := outputs(&c.sample); math.Abs(got-exact) > 2 || math.Abs(got-approximate) > 25 {
			t.Errorf("key %x: %g, want %g, before rounding %g", c.board.Key(), got, exact, approximate)
		}
	}
}
