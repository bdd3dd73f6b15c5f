package train

import "math/rand/v2"

// shards is the number of parts of a batch, each of which one processor works on at a time. Sums over
// a batch are sums over its shards in their order, so it must not depend on the machine.
const shards = 16

// A shard computes the loss and the gradient of a part of a batch.
type shard struct {
	gradient *model
	loss     float64
	neurons  []float32 // accumulators of the side to move and of the other
	own      []uint16  // features, and biasRow
	other    []uint16
}

func newShard(hidden int) *shard {
	return &shard{gradient: newModel(hidden), neurons: make([]float32, 2*hidden)}
}

// forward returns the output for a sample. It leaves the features and the neurons in the shard.
func (s *shard) forward(m *model, x *Sample, mirror bool) float32 {
	s.own, s.other = x.appendFeatures(s.own[:0], s.other[:0], mirror)
	s.own, s.other = append(s.own, biasRow), append(s.other, biasRow)
	sumRows(s.neurons[:m.hidden], m.rows(), s.own)
	sumRows(s.neurons[m.hidden:], m.rows(), s.other)
	return activate(s.neurons, m.output(int(x.bucket))) + *m.outputBias(int(x.bucket))
}

// backward adds to the gradient, given the derivative of the loss by the output for the sample that
// forward got last.
func (s *shard) backward(m *model, x *Sample, derivative float32) {
	bucket := int(x.bucket)
	*s.gradient.outputBias(bucket) += derivative
	backpropagate(s.neurons, m.output(bucket), s.gradient.output(bucket), derivative)
	addToRows(s.gradient.rows(), s.neurons[:m.hidden], s.own)
	addToRows(s.gradient.rows(), s.neurons[m.hidden:], s.other)
}

// trainBatch does a step of the optimizer.
func (t *Training) trainBatch() {
	batch := t.order.batch(t.step, t.plan.Batch)
	parallel(t.jobs, shards, func(i int) {
		from, to := i*len(batch)/shards, (i+1)*len(batch)/shards
		t.shards[i].train(t, batch[from:to])
	})
	for _, s := range t.shards {
		t.loss += s.loss
	}
	t.step++
	t.update(len(batch))
}

// train computes the loss and the gradient of samples.
func (s *shard) train(t *Training, batch []uint32) {
	clear(s.gradient.params)
	s.loss = 0
	now, final := t.target(t.step), t.finalTarget()
	for _, index := range batch {
		x := &t.data.Train[index>>1]
		p := t.predict(s.forward(t.model, x, index&1 != 0))
		s.backward(t.model, x, float32(2*(p-float64(now.of(x)))*p*(1-p)))
		s.loss += final.loss(p, x)
	}
}

// predict returns the expected result for an output of the network.
func (t *Training) predict(output float32) float64 {
	return sigmoid(float64(output) * (outputScale / t.scale))
}

// update adds up the gradients of the shards and updates the parameters.
func (t *Training) update(batch int) {
	const part = 4096 // parameters that fit a cache with their moments
	rate := newRate(t.rate(t.step-1), t.step, batch, outputScale/t.scale)
	params := t.model.params
	parallel(t.jobs, (len(params)+part-1)/part, func(i int) {
		from, to := i*part, min((i+1)*part, len(params))
		sum := t.shards[0].gradient.params[from:to]
		for _, s := range t.shards[1:] {
			add(sum, s.gradient.params[from:to])
		}
		t.optimizer.update(params, sum, from, rate)
	})
}

// heldOut returns the mean squared error of a model on the held-out games.
func (t *Training) heldOut(m *model) float64 {
	const part = 4096
	samples, want := t.data.HeldOut, t.finalTarget()
	sums := make([]float64, (len(samples)+part-1)/part)
	parallel(t.jobs, len(sums), func(i int) {
		s := shard{neurons: make([]float32, 2*m.hidden)}
		for j := i * part; j < min((i+1)*part, len(samples)); j++ {
			sums[i] += want.loss(t.predict(s.forward(m, &samples[j], false)), &samples[j])
		}
	})
	sum := 0.0
	for _, s := range sums {
		sum += s
	}
	return sum / float64(len(samples))
}

// An order is the order of samples. Each epoch has all of them in a random order of its own, but
// those that are left over from its last batch.
type order struct {
	seed  uint64
	n     int
	epoch int      // of list, from 1
	list  []uint32 // index of a sample x 2, + 1 for its mirror image
}

// batch returns the samples of a step.
func (o *order) batch(step, size int) []uint32 {
	perEpoch := o.n / size
	if epoch := 1 + step/perEpoch; epoch != o.epoch {
		o.shuffle(epoch)
	}
	at := step % perEpoch * size
	return o.list[at : at+size]
}

// shuffle puts the samples in the order of an epoch.
func (o *order) shuffle(epoch int) {
	o.epoch, o.list = epoch, o.list[:0]
	for i := range o.n {
		o.list = append(o.list, uint32(i))
	}
	r := rand.New(rand.NewPCG(o.seed, uint64(epoch)))
	r.Shuffle(o.n, func(i, j int) { o.list[i], o.list[j] = o.list[j], o.list[i] })
	for i := range o.list {
		o.list[i] = o.list[i]<<1 | r.Uint32()&1
	}
}
