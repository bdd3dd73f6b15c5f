package cluster

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A chunk is units that are sent together.
type chunk struct {
	number   int
	units    []*unit
	seq      uint64 // of its message; 0: it has not been sent
	sends    int
	attempts []attempt
	single   bool      // it is the suspect unit of another chunk
	queued   bool      // it is in Run.unsent
	active   time.Time // when it was sent, begun or answered
}

// An attempt is a worker that has begun a chunk.
type attempt struct{ id, worker string }

// wanted returns the indexes of the units that have no answer.
func (c *chunk) wanted() (wanted []int) {
	for i, u := range c.units {
		if !u.done {
			wanted = append(wanted, i)
		}
	}
	return wanted
}

// nextChunk waits for a chunk to send; nil when the run is closed.
func (r *Run) nextChunk() *chunk {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.closed {
		if len(r.unsent) > 0 {
			c := r.unsent[0]
			r.unsent = r.unsent[1:]
			c.queued = false
			return c
		}
		if len(r.chunks) < min(maxAhead, 2*r.jobs+2) {
			if units := r.take(); len(units) > 0 {
				return r.newChunk(units)
			}
		}
		r.changed.Wait()
	}
	return nil
}

// take takes the units of a chunk from those that wait.
func (r *Run) take() (units []*unit) {
	bytes, most := 0, r.chunkSize()
	for len(r.pending) > 0 && len(units) < most {
		u := r.pending[0]
		if !u.done {
			if bytes += len(u.data); bytes > maxBytes && len(units) > 0 {
				break
			}
			units = append(units, u)
		}
		r.pending = r.pending[1:]
	}
	return units
}

// chunkSize returns how many units a chunk should have.
func (r *Run) chunkSize() int {
	n := float64(firstUnits)
	if r.unitTime > 0 {
		n = r.client.timing.Chunk.Seconds() / r.unitTime
	}
	share := math.Ceil(float64(len(r.pending)) / float64(2*max(r.jobs, 1)))
	return int(max(1, min(n, share, maxUnits)))
}

func (r *Run) newChunk(units []*unit) *chunk {
	r.made++
	c := &chunk{number: r.made, units: units, active: time.Now()}
	r.chunks[c.number] = c
	return c
}

// removeIfDone removes a chunk if its units all have answers, and reports whether it has.
func (r *Run) removeIfDone(c *chunk) bool {
	if len(c.wanted()) > 0 {
		return false
	}
	r.remove(c)
	r.changed.Signal()
	return true
}

// remove removes a chunk and, in the background, its message.
func (r *Run) remove(c *chunk) {
	delete(r.chunks, c.number)
	r.deleteLater(c.seq)
}

// split replaces a chunk that has been begun too often by two: its first unit without an answer,
// which the last worker had in hand when it was lost, and the rest. It gives up an only unit.
func (r *Run) split(c *chunk) {
	wanted := c.wanted()
	r.remove(c)
	if len(wanted) == 1 {
		r.giveUp(c, c.units[wanted[0]])
		return
	}
	var rest []*unit
	for _, i := range wanted[1:] {
		rest = append(rest, c.units[i])
	}
	suspect := r.newChunk([]*unit{c.units[wanted[0]]})
	suspect.single = true
	r.sendAgain(suspect)
	r.sendAgain(r.newChunk(rest))
}

// sendAgain has a chunk sent, although it may have been.
func (r *Run) sendAgain(c *chunk) {
	if !c.queued {
		c.queued = true
		r.unsent = append(r.unsent, c)
		r.changed.Broadcast()
	}
}

// giveUp gives a unit an error for an answer.
func (r *Run) giveUp(c *chunk, u *unit) {
	if !r.finish(u, outcome{err: &DeadError{len(c.attempts), u.wrong}}) {
		return
	}
	r.info.Dead++
	r.changed.Signal()
	var workers []string
	for _, a := range c.attempts {
		workers = append(workers, a.worker)
	}
	r.addDead(DeadUnit{Run: r.info.Run, Title: r.info.Title, Unit: string(u.data), Workers: workers, At: time.Now().UTC()})
}

// missing says why nobody works for the run. The caller holds mu.
func (r *Run) missing() string {
	var why []string
	for _, w := range r.workers {
		why = append(why, w.name()+" "+r.lacks(w.WorkerInfo))
	}
	if len(why) == 0 {
		return "waiting for workers: none answers: start some with 'qhsh work' and the same -cluster"
	}
	slices.Sort(why)
	const shown = 5
	if more := len(why) - shown; more > 0 {
		why = append(why[:shown], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("waiting for workers: none can work for this run of build %s: %s", r.info.Terms.Build, strings.Join(why, "; "))
}

// lacks says why a worker does not work for the run. The caller holds mu.
func (r *Run) lacks(w WorkerInfo) string {
	for _, wanted := range r.info.Terms.Engines {
		i := slices.IndexFunc(w.Engines, func(e Engine) bool { return e.Name == wanted.Name })
		switch {
		case wanted.Name == "" && w.Build != r.info.Terms.Build:
			return "has build " + w.Build
		case wanted.Name != "" && i < 0:
			return "has no engine named " + wanted.Name
		case wanted.Name != "" && w.Engines[i].Identity() != wanted.Identity():
			return "has another SPEC or other files for " + wanted.Name
		}
	}
	if len(w.Runs) >= maxRuns {
		return fmt.Sprintf("works for %d other runs", len(w.Runs))
	}
	if r.wrong[w.name()] >= maxWrong {
		return "gave wrong answers"
	}
	return "does not join: it says why"
}
