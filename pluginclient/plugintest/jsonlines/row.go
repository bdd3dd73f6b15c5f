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

// Row returns the row of programs that speak the protocol, for a game. There is one program: whatever
// the command line, it is a Server in front of the Searcher.
func Row(rules engine.Game, searcher engine.Searcher) attach.Row {
	server := &Server{Searcher: searcher, Game: rules, Name: "ranker"}
	start := pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error { return server.Serve(ctx, in, out) })
	const summary = "be an engine that speaks " + Protocol
	return attach.Row{
		Kind: attach.Kind{
			Name: "jsonl", Title: Protocol, Checked: true,
			Examples: []attach.Example{{Spec: "jsonl:./engine", Text: "a program that speaks " + Protocol}},
		},
		Parse: func(attach.Spec) (attach.Parsed, error) {
			return attach.Parsed{
				Game: rules,
				Open: func(ctx context.Context, o attach.Options) (pluginclient.Session, error) {
					c, err := Dial(ctx, "ranker", start, Options{Game: rules, Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn})
					if err != nil {
						return nil, err
					}
					return c, nil
				},
				Examine: func(_ context.Context, o attach.Options) (*check.Suite, error) {
					return suite(check.NewTalk("ranker", start, o.Log)), nil
				},
			}, nil
		},
		Modes: []attach.Mode{{ // in which qhsh is such a program itself
			Flag: "-jsonl", Summary: summary, Line: attach.Usage{Flags: "-jsonl [debug]", Text: summary}, Game: rules,
			Serve: func(ctx context.Context, c attach.ServeConfig) error {
				session, err := c.Engine.Open(ctx)
				if err != nil {
					return err
				}
				defer session.Close()
				server := &Server{Searcher: session, Game: session.Position().Game(), Name: session.Info().Name, Trace: c.Trace}
				return server.Serve(ctx, c.In, c.Out)
			},
		}},
	}
}

func suite(talk *check.Talk) *check.Suite {
	return &check.Suite{
		Protocol: Protocol, Talk: talk, Name: func() string { return "ranker" },
		Checks: []check.Check{
			{Name: "hello", Section: "1", Rule: "hello is answered with a name", Run: answers(request{Do: "hello"}, `{"name":"ranker"}`)},
			{Name: "search.answer", Section: "2", Rule: "an answer has the move that is left", Needs: []string{"hello"}, Run: answers(request{Do: "search", Position: "1 first 1"}, `{"lines":[{"moves":["take 1"],"cp":-904,"depth":1}]}`)},
			{Name: "search.over", Section: "2", Rule: "where the game is over, an error", Needs: []string{"hello"}, Run: answers(request{Do: "search", Position: "0 first"}, `{"error":"ranker: no move to choose from"}`)},
		},
	}
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
