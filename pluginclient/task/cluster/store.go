package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// createStream creates the stream of the run and its consumer, unless they are there.
func (r *Run) createStream(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectFactor*r.client.timing.Request)
	defer cancel()
	about, err := json.Marshal(RunInfo{Run: r.info.Run, Title: r.info.Title, Host: r.info.Host, Started: r.info.Started})
	if err != nil {
		return err
	}
	name := streamPrefix + r.info.Run
	if _, err := r.client.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: name, Description: string(about), Subjects: []string{runSubject(r.info.Run, "chunk")}, Discard: jetstream.DiscardNew,
	}); err != nil {
		return err
	}
	_, err = r.client.js.CreateOrUpdateConsumer(ctx, name, jetstream.ConsumerConfig{
		Durable: workConsumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: r.client.timing.AckWait,
		MaxDeliver: -1, MaxAckPending: maxPendingChunks, MaxWaiting: maxPendingPulls,
	})
	return err
}

// sendChunk sends a chunk and reports whether the server has it.
func (r *Run) sendChunk(ctx context.Context, c *chunk) bool {
	r.mu.Lock()
	c.sends++
	id, old := fmt.Sprintf("%d.%d", c.number, c.sends), c.seq
	m := chunkMessage{Chunk: c.number}
	for _, u := range c.units {
		m.Units = append(m.Units, u.data)
	}
	data, err := json.Marshal(m)
	r.mu.Unlock()
	if err != nil {
		panic(err) // cannot happen: plain structs
	}
	request, cancel := context.WithTimeout(ctx, r.client.timing.Request)
	defer cancel()
	ack, err := r.client.js.Publish(request, runSubject(r.info.Run, "chunk"), data, jetstream.WithMsgID(id))
	if err != nil {
		if ctx.Err() == nil {
			r.warnOnce(fmt.Sprintf("the server does not take work: %v: trying again", err))
			_ = r.createStream(ctx) // if it was lost; the chunk is sent again in either case
		}
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deleteLater(old)
	c.seq, c.active = ack.Sequence, time.Now()
	if r.chunks[c.number] != c {
		r.deleteLater(c.seq) // it is done meanwhile
	}
	return true
}

// deleteLater deletes a message in the background. The caller holds mu.
func (r *Run) deleteLater(seq uint64) {
	if seq == 0 || r.closed {
		return
	}
	r.later(func(ctx context.Context) {
		if s, err := r.client.js.Stream(ctx, streamPrefix+r.info.Run); err == nil {
			_ = s.DeleteMsg(ctx, seq) // otherwise it is deleted with the stream
		}
	})
}

// later does something in the background. The caller holds mu.
func (r *Run) later(do func(ctx context.Context)) {
	if r.closed {
		return
	}
	r.tasks.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), r.client.timing.Request)
		defer cancel()
		do(ctx)
	})
}

// addDead adds a unit to the list of dead units. The caller holds mu.
func (r *Run) addDead(d DeadUnit) {
	r.later(func(ctx context.Context) {
		data, err := json.Marshal(d)
		if err == nil {
			_, err = r.client.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
				Name: deadStream, Subjects: []string{deadSubject}, MaxAge: deadFor, MaxMsgs: maxDead,
			})
		}
		if err == nil {
			_, err = r.client.js.Publish(ctx, deadSubject, data)
		}
		if err != nil {
			r.warnOnce(fmt.Sprintf("a unit that was given up is not in the list of dead units: %v", err))
		}
	})
}

// tend announces the run, forgets workers that are gone, says what they lack, and sends again what
// was lost.
func (r *Run) tend(ctx context.Context) {
	here, check := time.NewTicker(r.client.timing.Here), time.NewTicker(r.client.timing.Check)
	defer here.Stop()
	defer check.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-here.C:
			r.announce()
			now, text := time.Now(), ""
			r.mu.Lock()
			maps.DeleteFunc(r.workers, func(_ string, w *seenWorker) bool { return now.Sub(w.at) > r.client.timing.Gone })
			r.countJobs()
			if r.jobs == 0 && r.info.Waiting > 0 && now.After(r.quietUntil) && r.client.conn.IsConnected() {
				r.quietUntil = now.Add(r.client.timing.MissingAgain)
				text = r.missing()
			}
			r.mu.Unlock()
			if text != "" {
				r.warn(text)
			}
		case <-check.C:
			r.check(ctx)
		}
	}
}

// check sends chunks again that the server does not have any more.
func (r *Run) check(ctx context.Context) {
	request, cancel := context.WithTimeout(ctx, r.client.timing.Request)
	defer cancel()
	consumer, err := r.client.js.Consumer(request, streamPrefix+r.info.Run, workConsumer)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound), errors.Is(err, jetstream.ErrConsumerNotFound):
		if r.createStream(ctx) == nil {
			r.resend(0)
		}
	case err == nil:
		sent := 0
		r.mu.Lock()
		for _, c := range r.chunks {
			if c.seq > 0 {
				sent++
			}
		}
		r.mu.Unlock()
		if info := consumer.CachedInfo(); int(info.NumPending)+info.NumAckPending < sent { // what it delivers or waits for
			r.resend(2 * r.client.timing.AckWait)
		}
	}
}

// resend sends the chunks again of which nothing was heard for some time.
func (r *Run) resend(quiet time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.chunks {
		if c.seq > 0 && time.Since(c.active) >= quiet {
			c.active = time.Now()
			r.sendAgain(c)
		}
	}
}

// sleep waits, or until ctx is done.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
