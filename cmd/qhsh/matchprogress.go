package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"qhsh/pluginclient/match"
)

// matchProgress says on stderr how a match goes: live standings on a terminal, and else a
// line for every game. It uses no colour. It is safe for concurrent use.
type matchProgress struct {
	w io.Writer

	mu    sync.Mutex
	bar   bool
	begun time.Time
	drawn time.Time
	shown int // the width of what stands on the screen; 0: nothing
	fresh int // games played now
	table *match.Table
}

// begin starts the clock.
func (p *matchProgress) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun = time.Now()
}

// update is told of every game.
func (p *matchProgress) update(r match.Record, fresh bool, t *match.Table) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.table = t
	if !fresh {
		return
	}
	p.fresh++
	if !p.bar || r.Fault != nil {
		p.clear()
		fmt.Fprintf(p.w, "qhsh match: %s\n", printable(gameLine(r, t.Total)))
	}
	if p.bar && (time.Since(p.drawn) >= redraw || p.shown == 0) {
		p.draw()
	}
}

// gameLine is a game on a line.
func gameLine(r match.Record, total int) string {
	text := fmt.Sprintf("game %d of %d: %s - %s %s, %s", r.Game, total, r.First, r.Second, r.Result, r.Reason)
	if len(r.Dissent) > 0 {
		text += fmt.Sprintf(" (which %s denies)", strings.Join(r.Dissent, " and "))
	}
	if r.Fault == nil {
		return text + fmt.Sprintf(", %d plies", len(r.Moves))
	}
	text += fmt.Sprintf(" of %s after %d plies: %s", r.Fault.Player, len(r.Moves), r.Fault.Error)
	if r.Fault.Trace != "" {
		text += "; see " + r.Fault.Trace
	}
	return text
}

// printable is a text that cannot disturb a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || 0x7f <= r && r < 0xa0 {
			return utf8.RuneError
		}
		return r
	}, text)
}

// say writes a line for a person.
func (p *matchProgress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintf(p.w, "qhsh match: %s\n", printable(text))
}

// end takes the standings away.
func (p *matchProgress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	p.bar = false
}

func (p *matchProgress) draw() {
	const width = 79
	line := []rune(printable(p.line(time.Since(p.begun))))
	line = line[:min(len(line), width)]
	fmt.Fprintf(p.w, "\r%-*s", p.shown, string(line))
	p.shown, p.drawn = len(line), time.Now()
}

func (p *matchProgress) clear() {
	if p.shown > 0 {
		fmt.Fprintf(p.w, "\r%*s\r", p.shown, "")
		p.shown = 0
	}
}

// line is the standings: games, time left, then the two players' points and what they tell,
// or the best players' points.
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
