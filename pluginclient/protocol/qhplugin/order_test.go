package qhplugin

import (
	"context"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// TestOrder: the server ends with its input, and every command except AI and HINTS has the same
// answer whenever it is sent. The answer to AI and HINTS depends on time: a move or hints, ABORTED
// because of the next command, or none at the end of the input. So does the board, and with it
// whether UNDO and PLAY answer OK or ERROR.
func TestOrder(t *testing.T) {
	s := enginetest.Ranker{Depth: 4, Pace: time.Second}
	start := pluginclient.Pipe((&Server{Searcher: s, Name: "qhsh"}).Serve)
	commands := []string{"AI", "HINTS 2", "ABORT", "TIMEOUT", "LEVEL 2", "BGTHINK ON", "PLAY H2-E2", "UNDO", "SCR", "LOAD 2"}
	plugintest.CheckOrder(t, start, commands, func(answer string) string {
		switch word, _, _ := strings.Cut(answer, " "); {
		case strings.HasPrefix(answer, "ERROR line"):
			return "LOAD"
		case word == "OK", word == "ERROR":
			return "OK or ERROR"
		case strings.HasPrefix(strings.TrimSpace(answer), "A  B"):
			return "the files of SCR"
		}
		return ""
	})
}

// TestUnstoppableAfterEnd: a Searcher that cannot be stopped does not keep the server from ending,
// however many commands wait.
func TestUnstoppableAfterEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		if err := (&Server{Searcher: unstoppable{}, Name: "qhsh"}).Serve(t.Context(), strings.NewReader(strings.Repeat("AI\nTIMEOUT\n", 30)), io.Discard); err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("it ended after %v", took)
		}
		time.Sleep(100 * time.Hour) // until the searches have ended too
	})
}

// unstoppable is a Searcher that takes an hour, whatever its limits.
type unstoppable struct{}

func (unstoppable) Search(context.Context, engine.Position, engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(func([]engine.Line, error) bool) { time.Sleep(time.Hour) }
}
