package jsonlines

import (
	"context"
	"io"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/check"
)

// Row is the row of programs that speak the protocol, for a game. There is one program: whatever
// the command line, it is a Server in front of the Searcher.
type Row struct {
	Rules    engine.Game
	Searcher engine.Searcher
}

var (
	_ attach.Examiner     = Row{}
	_ attach.ModeProvider = Row{}
)

// Kind is what is known of the programs.
func (Row) Kind() attach.Kind {
	return attach.Kind{Name: "jsonl", Title: Protocol, Examples: []attach.Example{{Spec: "jsonl:./engine", Text: "a program that speaks " + Protocol}}}
}

// Game is the game of the Row.
func (r Row) Game(attach.Spec) (engine.Game, error) { return r.Rules, nil }

func (r Row) start() pluginclient.Starter {
	server := &Server{Searcher: r.Searcher, Game: r.Rules, Name: "ranker"}
	return pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error { return server.Serve(ctx, in, out) })
}

// Open starts the program.
func (r Row) Open(ctx context.Context, _ attach.Spec, o attach.Options) (pluginclient.Session, error) {
	c, err := Dial(ctx, "ranker", r.start(), Options{Game: r.Rules, Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Modes are the one in which qhsh is such a program itself.
func (r Row) Modes() []attach.Mode {
	const summary = "be an engine that speaks " + Protocol
	return []attach.Mode{{
		Flag: "-jsonl", Summary: summary, Line: attach.Usage{Flags: "-jsonl [debug]", Text: summary}, Game: r.Rules,
		Serve: func(ctx context.Context, s attach.ServeConfig) error {
			session, err := attach.Open(ctx, s.Spec, s.Options)
			if err != nil {
				return err
			}
			defer session.Close()
			server := &Server{Searcher: session, Game: session.Position().Game(), Name: session.Info().Name, Trace: s.Trace}
			return server.Serve(ctx, s.In, s.Out)
		},
	}}
}

// Examine are the checks.
func (r Row) Examine(_ context.Context, _ attach.Spec, o attach.Options) (*check.Suite, error) {
	return &check.Suite{
		Protocol: Protocol, Talk: check.NewTalk("ranker", r.start(), o.Log), Name: func() string { return "ranker" },
		Checks: []check.Check{
			{Name: "hello", Section: "1", Rule: "hello is answered with a name", Run: answers(request{Do: "hello"}, `{"name":"ranker"}`)},
			{Name: "search.answer", Section: "2", Rule: "an answer has the move that is left", Needs: []string{"hello"}, Run: answers(request{Do: "search", Position: "1 first 1"}, `{"lines":[{"moves":["take 1"],"cp":-904,"depth":1}]}`)},
			{Name: "search.over", Section: "2", Rule: "where the game is over, an error", Needs: []string{"hello"}, Run: answers(request{Do: "search", Position: "0 first"}, `{"error":"ranker: no move to choose from"}`)},
		},
	}, nil
}

// answers has a request answered in time, with a line if that is given.
func answers(r request, want string) func(*check.Case) error {
	return func(c *check.Case) error {
		if err := c.Start(c); err != nil {
			return err
		}
		if err := c.Send(encode(r)); err != nil {
			return err
		}
		line, err := c.Line(c, time.Minute)
		if err != nil {
			return c.MissingReply("an answer to "+r.Do, err)
		}
		if want != "" && line != want {
			return check.Faultf(want, "%s", line)
		}
		return nil
	}
}
