package train

import (
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
}

func (d *Data) id() dataID { return dataID{d.Checksum, len(d.Train), len(d.HeldOut)} }

// WriteCheckpoint writes the state of the training, for Resume.
func (t *Training) WriteCheckpoint(w io.Writer) error {
	err := gob.NewEncoder(w).Encode(checkpoint{
		Plan: t.plan, Data: t.data.id(), Step: t.step, Loss: t.loss, Losses: t.losses,
		Params: t.model.params, Mean: t.optimizer.mean, Variance: t.optimizer.variance,
	})
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	return nil
}

// Resume continues at a checkpoint, which must be one of the same plan and the same games.
func (t *Training) Resume(r io.Reader) error {
	var c checkpoint
	if err := gob.NewDecoder(r).Decode(&c); err != nil {
		return fmt.Errorf("read checkpoint: %w", err)
	}
	switch {
	case c.Plan != t.plan:
		return errors.New("the checkpoint has other parameters: give the same flags")
	case c.Data != t.data.id():
		return errors.New("the checkpoint has other games: give the same files")
	case len(c.Params) != len(t.model.params) || len(c.Mean) != len(c.Params) || len(c.Variance) != len(c.Params):
		return errors.New("the checkpoint is damaged")
	}
	t.step, t.loss, t.losses = c.Step, c.Loss, c.Losses
	t.model.params = c.Params
	t.optimizer.mean, t.optimizer.variance = c.Mean, c.Variance
	return nil
}
