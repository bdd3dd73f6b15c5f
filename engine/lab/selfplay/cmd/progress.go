package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
)

// A reporter prints the progress.
type reporter struct {
	w     io.Writer
	every time.Duration
	end   string // end of a line that is not the last

	mu        sync.Mutex
	start     time.Time
	games     int
	positions int
	results   [engine.Draw + 1]int
	stop      chan struct{}
	stopped   sync.WaitGroup
}

// begin prints the file's name and starts to print the progress regularly, until finish. It calls
// sync before each line, so that reported games survive a crash of the machine.
func (r *reporter) begin(path string, old int, sync func() error) {
	fmt.Fprintf(r.w, "%s: %d games so far\n", path, old)
	r.start, r.stop = time.Now(), make(chan struct{})
	r.stopped.Go(func() {
		tick := time.NewTicker(r.every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = sync() // Close returns the error again
				r.print(r.end)
			case <-r.stop:
				return
			}
		}
	})
}

// finish stops the reporter and prints the final progress.
func (r *reporter) finish() {
	close(r.stop)
	r.stopped.Wait()
	r.print("\n")
}

func (r *reporter) count(g *gamefile.Game) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.games++
	r.positions += len(g.Plies)
	r.results[g.Result.Outcome]++
}

func (r *reporter) print(end string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	hours := time.Since(r.start).Hours()
	fmt.Fprintf(r.w, "%d games, %d positions, %.2f million an hour; red won %d, black %d, drawn %d%s",
		r.games, r.positions, float64(r.positions)/1e6/max(hours, 1e-9),
		r.results[engine.FirstWins], r.results[engine.SecondWins], r.results[engine.Draw], end)
}
