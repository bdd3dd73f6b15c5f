package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
)

// A checkpoint is the state of a training in a file.
type checkpoint struct {
	Plan     Plan
	Data     dataID
	Step     int
	Loss     float64
	Losses   []Loss
	Params   []float32
	Mean     []float32
	Variance []float32
}

// A dataID identifies Data.
type dataID struct {
	Checksum       uint64
	Train, HeldOut int
	Flags          string
}

func (d *Data) id() dataID { return dataID{d.Checksum, len(d.Train), len(d.HeldOut), d.Flags} }

// WriteCheckpoint writes the state of the training, for Resume: a gob and its SHA-256.
func (t *Training) WriteCheckpoint(w io.Writer) error {
	sum := sha256.New()
	err := gob.NewEncoder(io.MultiWriter(w, sum)).Encode(checkpoint{
		Plan: t.plan, Data: t.data.id(), Step: t.step, Loss: t.loss, Losses: t.losses,
		Params: t.model.params, Mean: t.optimizer.mean, Variance: t.optimizer.variance,
	})
	if err == nil {
		_, err = w.Write(sum.Sum(nil))
	}
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	return nil
}

// errCheckpoint is the error of a file that WriteCheckpoint has not written as it is.
var errCheckpoint = errors.New("the checkpoint is damaged: remove it to begin again")

// Resume continues at a checkpoint, which must be one of the same plan and the same games.
func (t *Training) Resume(r io.Reader) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("read checkpoint: %w", err)
	}
	b, sum := b[:max(0, len(b)-sha256.Size)], b[max(0, len(b)-sha256.Size):]
	var c checkpoint
	if want := sha256.Sum256(b); string(sum) != string(want[:]) || gob.NewDecoder(bytes.NewReader(b)).Decode(&c) != nil {
		return errCheckpoint
	}
	switch {
	case c.Data != t.data.id(): // before the plan, whose samples depend on it
		return errors.New("the checkpoint has other games: give the same files, as they were, and -ahead, -neighbours, -nodes, -teacher and -validate")
	case c.Plan != t.plan:
		return fmt.Errorf("the checkpoint has other flags: %s, not %s", c.Plan.without(t.plan), t.plan.without(c.Plan))
	}
	t.step, t.loss, t.losses = c.Step, c.Loss, c.Losses
	t.model.params = c.Params
	t.optimizer.mean, t.optimizer.variance = c.Mean, c.Variance
	return nil
}
