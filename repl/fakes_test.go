package repl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest/first"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/protocol/qhplugin"
)

// deadlines returns the deadlines for a fake: long ones, so that a busy machine meets them, except
// for what the fake never does.
func deadlines(fake string) pluginclient.Deadlines {
	d := pluginclient.Deadlines{
		Start: 20 * time.Second, Reply: 10 * time.Second, Think: 20 * time.Second,
		Late: 10 * time.Second, Abort: 10 * time.Second, Quit: 200 * time.Millisecond,
	}
	switch fake {
	case "stubborn":
		d.Abort = 200 * time.Millisecond
	case "mute":
		d.Reply = time.Second
	}
	return d
}

// openForTest is Host.Open for tests: the embedded engine, and fakes by name.
func openForTest(ctx context.Context, spec string, o OpenOptions) (pluginclient.Session, error) {
	plugin, ok := fakes()[spec]
	if !ok {
		options := attachForTest()
		options.Warn, options.Judged, options.Level = o.Warn, o.Judged, o.Level
		return attach.Open(ctx, spec, options)
	}
	return qhplugin.Dial(ctx, plugin, qhplugin.Options{ClientOptions: pluginclient.ClientOptions{Deadlines: deadlines(spec), Warn: o.Warn, Judged: o.Judged}})
}

// attachForTest returns the options for attaching engines that are not fakes.
func attachForTest() attach.Options {
	return attach.Options{Games: games.Default, Names: map[string]string{"quick": "builtin,nodes=200"}}
}

// completeSpecForTest is Host.CompleteSpec for tests.
func completeSpecForTest(typed string) []pluginclient.Completion {
	return attach.DefaultKinds(games.Default).Complete(typed, attachForTest().Names, "")
}

// nameForTest is Host.NameOf for tests.
func nameForTest(spec string) string {
	d, _ := attach.Parse(spec, attachForTest())
	return d.ShortName
}

// fakes are plugins with special behaviour.
func fakes() map[string]qhplugin.Plugin {
	bare := func(i *qhplugin.Info) {
		i.Undo, i.Hints, i.Rules, i.BGThink, i.Timeout, i.Text = false, false, false, false, false, nil
	}
	return map[string]qhplugin.Plugin{
		// first plays the first legal move without any search.
		"first": fakePlugin("First 1.0", first.Searcher{}, nil, nil),
		// bare supports only the required commands.
		"bare": fakePlugin("Bare 1.0", first.Searcher{}, bare, nil),
		// slow thinks until it is told to stop.
		"slow": fakePlugin("Slow 1.0", first.Searcher{Forever: true}, nil, nil),
		// timeless does so too, and has no command to move at once.
		"timeless": fakePlugin("Timeless 1.0", first.Searcher{Forever: true}, bare, nil),
		// late moves when it is told to stop.
		"late": fakePlugin("Late 1.0", first.Searcher{}, nil, func(line string) (string, error) {
			answers := map[string]string{"LEVEL": "5\n", "AI": "", "ABORT": "A0-A1\n"}
			if answer, ok := answers[line]; ok {
				return answer, nil
			}
			return "OK\n", nil
		}),
		// keeper moves when it is told to stop, and refuses UNDO.
		"keeper": fakePlugin("Keeper 1.0", first.Searcher{}, nil, answering(map[string]string{"AI": "", "ABORT": "A0-A1\n", "UNDO": "ERROR\n"})),
		// contrary refuses moves, plays moves for the other side, and draws a board that never
		// changes.
		"contrary": fakePlugin("Contrary 1.0", first.Searcher{}, nil, answering(map[string]string{
			"PLAY H2-E2": "ERROR no\n", "AI": "H9-G7\n", "UNDO": "ERROR\n", "HINTS": "A0-A1\nE5-E6 best\nENDHINTS\n",
			"SCR": strings.ReplaceAll("rheakaehr/........./.c.....c./p.p.p.p.p/........./........./P.P.P.P.P/.C....C../........./RHEAKAEHR/", "/", "\n"),
		})),
		// upside draws the start of the game, with its ranks upside down, and plays A9-A8.
		"upside": fakePlugin("Upside 1.0", first.Searcher{}, nil, answering(map[string]string{
			"AI":  "A9-A8\n",
			"SCR": strings.ReplaceAll("9 RHEAKAEHR/8 ........./7 .C.....C./6 P.P.P.P.P/5 ........./4 ........./3 p.p.p.p.p/2 .c.....c./1 ........./0 rheakaehr/  ABCDEFGHI/", "/", "\n"),
		})),
		// quitter exits when it has to move.
		"quitter": fakePlugin("Quitter 1.0", first.Searcher{}, nil, func(line string) (string, error) {
			if line == "AI" {
				return "", io.EOF
			}
			return answering(nil)(line)
		}),
		// yes says OK to everything.
		"yes": fakePlugin("Yes 1.0", first.Searcher{}, nil, func(line string) (string, error) {
			if line == "LEVEL" {
				return "5\n", nil
			}
			return "OK\n", nil
		}),
		// mortal fails with an exit status on AI.
		"mortal": fakePlugin("Mortal 1.0", first.Searcher{}, nil, func(line string) (string, error) {
			switch line {
			case "LEVEL":
				return "5\n", nil
			case "AI":
				return "", errors.New("exit status 3")
			}
			return "OK\n", nil
		}),
		// stubborn thinks forever and ignores commands to stop.
		"stubborn": fakePlugin("Stubborn 1.0", first.Searcher{}, nil, stubborn()),
		// deaf does the same, but has long deadlines.
		"deaf": fakePlugin("Deaf 1.0", first.Searcher{}, nil, stubborn()),
		// wild plays an impossible move.
		"wild": fakePlugin("Wild 1.0", first.Searcher{}, nil, func(line string) (string, error) {
			switch line {
			case "LEVEL":
				return "5\n", nil
			case "AI":
				return "E5-E6\n", nil
			}
			return "OK\n", nil
		}),
		// mute answers only LEVEL.
		"mute": fakePlugin("Mute 1.0", first.Searcher{}, nil, func(line string) (string, error) {
			if line == "LEVEL" {
				return "5\n", nil
			}
			return "", nil
		}),
		"stillborn": {
			Name: "stillborn",
			Info: func(context.Context) (qhplugin.Info, error) { return qhplugin.Info{}, pluginclient.ErrStart },
		},
	}
}

// answering returns the given answers; for other lines OK, 1 for LEVEL, and nothing for those of LOAD but
// the first.
func answering(answers map[string]string) func(string) (string, error) {
	return func(line string) (string, error) {
		if answer, ok := answers[line]; ok {
			return answer, nil
		}
		switch {
		case line == "LEVEL":
			return "1\n", nil
		case len(line) == len("A0-A1") && line[2] == '-':
			return "", nil
		}
		return "OK\n", nil
	}
}

func stubborn() func(string) (string, error) {
	thinking := false
	return func(line string) (string, error) {
		switch {
		case thinking:
			return "", nil
		case line == "AI":
			thinking = true
			return "", nil
		case line == "LEVEL":
			return "5\n", nil
		}
		return "OK\n", nil
	}
}

// fakePlugin returns a plugin that runs a searcher, or one that uses answer if it is not nil.
func fakePlugin(name string, s engine.Searcher, info func(*qhplugin.Info), answer func(string) (string, error)) qhplugin.Plugin {
	server := &qhplugin.Server{Name: name, Searcher: s}
	p := qhplugin.InProcess(server)
	p.Info = func(context.Context) (qhplugin.Info, error) {
		i := server.Info()
		if info != nil {
			info(&i)
		}
		return i, nil
	}
	if answer == nil {
		return p
	}
	p.Start = func(ctx context.Context) (*pluginclient.Streams, error) {
		if name == "Stubborn 1.0" || name == "Deaf 1.0" {
			answer = stubborn() // each start is a fresh engine
		}
		stderr, lastWords := io.Pipe()
		streams, err := pluginclient.Pipe(func(_ context.Context, in io.Reader, out io.Writer) error {
			defer lastWords.Close()
			err := converse(in, out, answer)
			if err != nil {
				_, _ = io.WriteString(lastWords, "out of luck\n")
			}
			return err
		})(ctx)
		if err == nil {
			streams.Stderr = stderr
		}
		return streams, err
	}
	return p
}

// converse answers lines until QUIT.
func converse(in io.Reader, out io.Writer, answer func(string) (string, error)) error {
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if lines.Text() == "QUIT" {
			_, err := io.WriteString(out, "BYE\n")
			return err
		}
		text, err := answer(lines.Text())
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		_, _ = io.WriteString(out, text)
	}
	return nil
}
