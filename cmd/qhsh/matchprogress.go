package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"qhsh/pluginclient/task/match"
)

// matchProgress shows the progress of a match on stderr: live standings on a terminal, otherwise a
// line for every game. It is safe for concurrent use.
type matchProgress struct {
	workers func() int // see progress

	mu    sync.Mutex
	bar   statusLine
	file  *progressFile // of -progress
	begun time.Time
	fresh int // games played by this process
	table *match.Table
}

// newMatchProgress returns the progress of a match. bar enables live standings.
func newMatchProgress(w io.Writer, bar bool) *matchProgress {
	return &matchProgress{bar: statusLine{command: "match", w: w, on: bar}}
}

// begin starts the clock of a match of total games.
func (p *matchProgress) begin(total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun = time.Now()
	p.file.begin(progressCounts{Total: total})
}

// update is called after every game.
func (p *matchProgress) update(r match.Record, fresh bool, t *match.Table) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.table = t
	if !fresh {
		p.file.resume(p.counts())
		return
	}
	p.fresh++
	p.file.update(p.counts())
	if !p.bar.on || r.Fault != nil {
		p.bar.say(gameLine(r, t.Total))
	}
	if p.bar.due() || p.bar.shown == 0 {
		p.bar.draw(p.line(time.Since(p.begun)))
	}
}

func (p *matchProgress) counts() progressCounts {
	t := p.table
	return progressCounts{Done: t.Games, Total: t.Total, Failed: t.Faults, Resumed: t.Games - p.fresh}
}

// close ends the file of -progress. err is the error of the command.
func (p *matchProgress) close(ctx context.Context, err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.file.close(ctx, err)
}

// gameLine formats a game in one line.
func gameLine(r match.Record, total int) string {
	text := fmt.Sprintf("game %d of %d: %s - %s %s, %s", r.Game, total, r.First, r.Second, r.Result, r.Reason)
	if len(r.Dissent) > 0 {
		text += fmt.Sprintf(" (which %s denies)", strings.Join(r.Dissent, " and "))
	}
	if r.Fault == nil {
		return text + ", " + plyCount(len(r.Moves))
	}
	text += fmt.Sprintf(" by %s after %s: %s", r.Fault.Player, plyCount(len(r.Moves)), r.Fault.Error)
	if r.Fault.Trace != "" {
		text += "; see " + r.Fault.Trace
	}
	return text
}

func plyCount(n int) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}

// say writes a line for the user.
func (p *matchProgress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.say(text)
}

// end removes the live standings.
func (p *matchProgress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.clear()
	p.bar.on = false
}

// line formats the live standings: games, time left, then the points of two players and what they
// imply, or the points of the best players.
func (p *matchProgress) line(elapsed time.Duration) string {
	t := p.table
	parts := []string{fmt.Sprintf("%d/%d", t.Games, t.Total)}
	if left := t.Total - t.Games; left > 0 && p.fresh > 0 && t.Test() == nil {
		each := elapsed / time.Duration(p.fresh)
		parts = append(parts, clock(each*time.Duration(left))+" left")
	}
	if len(t.Rows) == 2 {
		parts = append(parts, duel(t)...)
	} else {
		for _, row := range t.Ranked() {
			parts = append(parts, fmt.Sprintf("%s %g/%d", row.Name, row.Score.Points(), row.Score.Games()))
		}
	}
	if p.workers != nil {
		parts = append(parts, workersText(p.workers(), p.fresh, elapsed))
	}
	if t.Faults > 0 {
		parts = append(parts, fmt.Sprintf("%d lost by faults", t.Faults))
	}
	return strings.Join(parts, "  ")
}

func duel(t *match.Table) []string {
	one, other := t.Rows[0], t.Rows[1]
	e := one.Score.Estimate()
	parts := []string{fmt.Sprintf("%g-%g", one.Score.Points(), other.Score.Points())}
	if !math.IsInf(e.Elo, 0) && !math.IsInf(e.Error, 0) {
		parts = append(parts, fmt.Sprintf("Elo %+.1f +/- %.1f", e.Elo, e.Error))
	}
	parts = append(parts, fmt.Sprintf("LOS %.0f%%", 100*e.LOS))
	if test := t.Test(); test != nil {
		parts = append(parts, fmt.Sprintf("LLR %.2f (%.2f, %.2f)", test.LLR, test.Lower, test.Upper))
	}
	return append(parts, fmt.Sprintf("%s - %s", one.Name, other.Name))
}
