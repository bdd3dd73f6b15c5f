package serving

import (
	"context"
	"slices"
	"time"
)

// MaxBacklog is how many commands may wait for the end of a search. Further ones are read later.
const MaxBacklog = 1 << 10

// An Input has the commands of a host of which some wait for the end of a search.
type Input struct {
	Lines *Lines
	Quits func(line string) bool // reports whether a command ends the conversation: no further one is read

	Waiting []string  // commands that have not been executed yet
	EndedAt time.Time // when the last of them has come; zero: more may come
}

// Ended reports whether no command follows those that wait.
func (i *Input) Ended() bool { return !i.EndedAt.IsZero() }

// Full reports whether MaxBacklog commands wait.
func (i *Input) Full() bool { return len(i.Waiting) >= MaxBacklog }

// Take removes and returns the first command that may be executed now. thinks reports whether a
// command may start a search. may gets behind = true for commands after a waiting command that
// thinks, since they do not refer to the current search.
func (i *Input) Take(may func(line string, behind bool) bool, thinks func(line string) bool) (line string, ok bool) {
	behind := false
	for k, line := range i.Waiting {
		if may(line, behind) {
			i.Waiting = slices.Delete(i.Waiting, k, k+1)
			return line, true
		}
		behind = behind || thinks(line)
	}
	return "", false
}

// Await waits for the next command, which it adds to those that wait, for the end of the search in progress,
// if s is not nil, or for the end of ctx. It reports whether the search has ended.
func (i *Input) Await(ctx context.Context, s *Search) (finished bool) {
	news := i.Lines.Ready()
	if i.Ended() || i.Full() {
		news = nil // so that no command is lost
	}
	var done <-chan struct{}
	if s != nil {
		done = s.Done()
	}
	select {
	case <-news:
		line, ok, ended := i.Lines.Take()
		if ok {
			i.Waiting = append(i.Waiting, line)
		}
		if ended || ok && i.Quits(line) {
			i.EndedAt = time.Now()
		}
	case <-done:
		return true
	case <-ctx.Done():
	}
	return false
}
