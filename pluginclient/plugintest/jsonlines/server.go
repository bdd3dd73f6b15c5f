package jsonlines

import (
	"context"
	"encoding/json"
	"io"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/serving"
	"qhsh/pluginclient/task/batch"
)

// A Server makes a Searcher an engine that speaks the protocol.
type Server struct {
	Searcher engine.Searcher
	Game     engine.Game
	Name     string
	Trace    *pluginclient.Trace // may be nil
}

// Serve answers until the host says quit, the input ends, or the context does. A search that is
// under way at the end is answered first.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	w := serving.NewLineWriter(out, s.Trace)
	lines := serving.ReadLines(in, ctx.Done(), serving.ReaderOptions{MaxLine: 1 << 16, ReadAhead: 1 << 10})
	for !w.Closed() {
		text, ok := lines.Next(ctx.Done())
		if !ok {
			break
		}
		w.TraceInput(text)
		var r request
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			w.WriteLines(encode(reply{Error: "a line is a JSON object"}))
			continue
		}
		switch r.Do {
		case "quit":
			return nil
		case "hello":
			w.WriteLines(encode(reply{Name: s.Name, Levels: len(levelsOf(s.Searcher))}))
		case "search":
			w.WriteLines(encode(s.search(ctx, r, lines, w)))
		case "stop": // nothing is under way
		default:
			w.WriteLines(encode(reply{Error: "there are hello, search, stop and quit"}))
		}
	}
	return context.Cause(ctx)
}

// search answers a search; while it is under way, the next line is the order to stop it.
func (s *Server) search(ctx context.Context, r request, lines *serving.Lines, w *serving.LineWriter) reply {
	item := batch.Parse(s.Game, r.Position)
	if item.Err != nil {
		return reply{Error: item.Err.Error()}
	}
	lim, err := r.limits(item.Pos)
	if err != nil {
		return reply{Error: err.Error()}
	}
	search := serving.StartSearch(ctx, serving.Request{Searcher: s.Searcher, Pos: item.Pos, Limits: lim})
	for waiting := true; waiting; {
		select {
		case <-search.Done():
			waiting = false
		case <-lines.Ready():
			if _, ok, _ := lines.Peek(); !ok {
				continue // the end of the input: the answer is still wanted
			}
			if text, _, _ := lines.Peek(); text == encode(request{Do: "stop"}) {
				_, _, _ = lines.Take()
				w.TraceInput(text)
			}
			search.FinishNow()
			waiting = false
		}
	}
	found, err := search.Answer()
	if err != nil {
		return reply{Error: err.Error()}
	}
	return answer(item.Pos, found)
}

func levelsOf(s engine.Searcher) []engine.Level {
	if l, ok := s.(engine.Leveler); ok {
		return l.Levels()
	}
	return nil
}
