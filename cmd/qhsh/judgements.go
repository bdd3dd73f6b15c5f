package main

import (
	"sync"

	"qhsh/pluginclient"
)

// judgements tell a person what engines are seen to do against their protocol: of each kind the
// first, with the position, and at the end how often. Engines are asked from several goroutines.
type judgements struct {
	say func(string)

	mu    sync.Mutex
	tally pluginclient.Tally
	ended bool
}

// add takes in a judgement. One that comes after the end is not told: engines that do not quit are
// not waited for long when a person has interrupted.
func (j *judgements) add(found pluginclient.Judgement) {
	j.mu.Lock()
	first := !j.ended && j.tally.Add(found)
	j.mu.Unlock()
	if !first {
		return
	}
	text := found.String()
	if found.At != "" {
		text += " at " + found.At
	}
	j.say(text)
}

// end tells how often each kind has come that came more than once.
func (j *judgements) end() {
	j.mu.Lock()
	j.ended = true
	lines := j.tally.Repeated()
	j.mu.Unlock()
	for _, line := range lines {
		j.say(line)
	}
}
