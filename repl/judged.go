package repl

import (
	"context"
	"sync"

	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

// judged are the rules that an engine was seen to break, until they are reported to the user: under the
// answer that broke them.
type judged struct {
	mu   sync.Mutex
	some []pluginclient.Judgement
}

func (j *judged) add(found pluginclient.Judgement) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.some = append(j.some, found)
}

// take returns the judgements that have not been reported yet.
func (j *judged) take() []pluginclient.Judgement {
	j.mu.Lock()
	defer j.mu.Unlock()
	some := j.some
	j.some = nil
	return some
}

// tellJudged tells a person which rules an engine was seen to break, under its name in the shell,
// and whether its board may differ from the shell's since then.
func (s *Shell) tellJudged(e *attached) {
	differ, drawn := false, false
	for _, found := range e.judged.take() {
		found.Engine = e.name
		s.say("%s%s", s.place(), printable.Line(found.String()))
		differ, drawn = differ || found.Boards, drawn || found.Name == "scr.board"
	}
	before := e.doubted
	e.doubted = e.inDoubt()
	switch {
	case e.doubted && (differ || !before):
		e.compare = !drawn
		s.say("%s%s: its board may differ from the shell's: .sync sets it", s.place(), e.name)
	case differ && e.session != nil:
		s.say("%s%s: its board is set again by FEN", s.place(), e.name)
	}
}

func (s *Shell) compareBoard(ctx context.Context, e *attached, board pluginclient.BoardComparer) {
	var difference string
	var drawn bool
	err := s.awaitEngine(ctx, e, func(ctx context.Context) (err error) {
		difference, drawn, err = board.CompareBoard(ctx)
		return err
	})
	switch {
	case err != nil:
		s.reportError(err)
	case !drawn, difference == "" && !e.inDoubt():
	case difference == "":
		s.say("%s: asked by SCR, it draws the shell's board: at most the side to move differs", e.name)
	default:
		s.say("%s: asked by SCR, it draws another board: %s", e.name, difference)
	}
}

// tellAllJudged is tellJudged for every engine.
func (s *Shell) tellAllJudged() {
	for _, e := range s.engines {
		s.tellJudged(e)
	}
}

// inDoubt reports whether an engine's board may differ from the shell's.
func (e *attached) inDoubt() bool {
	if e.session == nil { // it is being started
		return false
	}
	doubtful, ok := pluginclient.As[pluginclient.Doubtful](e.session)
	return ok && doubtful.InDoubt()
}
