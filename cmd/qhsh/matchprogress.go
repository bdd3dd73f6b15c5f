package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"qhsh/pluginclient/task/match"
)

// matchProgress shows live standings, or without a terminal a line for every game, and of two players a
// line with statistics for every ten.
type matchProgress struct {
	*progress
	played int // games, by this process
}

// interimGames is how many games there are between two lines with statistics.
const interimGames = 10

// update is called after every game.
func (p *matchProgress) update(r match.Record, fresh bool, t *match.Table) {
	if fresh {
		p.played++
	}
	now := progressCounts{Done: t.Games, Total: t.Total, Failed: t.Faults, Resumed: t.Games - p.played}
	if !fresh {
		p.resume(now)
		return
	}
	p.progress.update(now)
	if !p.bar.on || r.Fault != nil {
		p.say(gameLine(r, t.Total))
	}
	if len(t.Rows) == 2 && t.Games%interimGames == 0 {
		p.say(t.Interim())
	}
	p.draw(func(now progressCounts, elapsed time.Duration) string { return p.line(t, now, elapsed) })
}

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

// line formats the live standings: games, time left, then the points of two players and what they
// imply, or the points of the best players.
func (p *matchProgress) line(t *match.Table, now progressCounts, elapsed time.Duration) string {
	parts := []string{fmt.Sprintf("%d/%d", t.Games, t.Total)}
	if left := now.timeLeft(elapsed); left > 0 && t.Test() == nil {
		parts = append(parts, clock(left)+" left")
	}
	if len(t.Rows) == 2 {
		parts = append(parts, duel(t)...)
	} else {
		for _, row := range t.Ranked() {
			parts = append(parts, fmt.Sprintf("%s %g/%d", row.Name, row.Score.Points(), row.Score.Games()))
		}
	}
	parts = append(parts, p.byWorkers(now, elapsed)...)
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
