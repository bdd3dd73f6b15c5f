package jsonl_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/jsonl"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// served returns qhsh -jsonl in front of the engine of a SPEC.
func served(t testing.TB, spec string) pluginclient.Starter {
	t.Helper()
	e, err := attach.Parse(spec, attach.Options{Games: games.Default})
	if err != nil {
		t.Fatal(err)
	}
	modes := attach.DefaultKinds(games.Default).Modes()
	mode := modes[slices.IndexFunc(modes, func(m attach.Mode) bool { return m.Flag == "-jsonl" })]
	return pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		return mode.Serve(ctx, attach.ServeConfig{Engine: e, In: in, Out: out})
	})
}

func refereed(t testing.TB, start pluginclient.Starter) *jsonl.Game {
	t.Helper()
	g := jsonl.NewGame(t.Context(), "maze", pluginclient.Program{Name: "referee", Start: start}, jsonl.Options{})
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// TestConform: a game with a referee is a game as others, also if chance has turns.
func TestConform(t *testing.T) {
	for _, spec := range []string{"quoridor,size=3,hash=1", "qchess"} {
		t.Run(spec, func(t *testing.T) { enginetest.Conform(t, refereed(t, served(t, spec)), 12) })
	}
}

// TestGame: a game of a referee goes as that of the rules, and the referee is asked once about a position.
func TestGame(t *testing.T) {
	asked := 0
	start := served(t, "quoridor,size=3,hash=1")
	count := &plugintest.FaultyEngine{Engine: start, OnCommand: func(line string) plugintest.Action { asked++; return plugintest.Obey(line) }}
	game := refereed(t, count.Start)
	for range 2 {
		pos := game.Start()
		for !pos.Result().Over() {
			next, err := pos.Play(pos.Moves()[0])
			if err != nil {
				t.Fatal(err)
			}
			pos = next
		}
		start, moves := pos.History()
		if start.String() != game.Start().String() || len(moves) == 0 || pos.Result().Reason == "" {
			t.Errorf("%v after %v from %v: %+v", pos, moves, start, pos.Result())
		}
		if want := len(moves) + 2; asked != want { // versions and the start
			t.Errorf("%d requests for %d moves", asked, len(moves))
		}
		if _, err := game.Position("nonsense"); err == nil || strings.Contains(err.Error(), "last lines") {
			t.Errorf("nonsense: %v", err)
		}
		asked--
	}
}

// TestLostReferee: a referee that dies is started again; one that cannot be started is an error of
// everything.
func TestLostReferee(t *testing.T) {
	dying := &plugintest.FaultyEngine{
		Engine: served(t, "quoridor,size=3,hash=1"), FaultyStarts: 1,
		OnCommand: func(line string) plugintest.Action {
			if strings.Contains(line, `"moves"`) {
				return plugintest.Action{Die: true}
			}
			return plugintest.Obey(line)
		},
	}
	game := refereed(t, dying.Start)
	start := game.Start()
	if _, err := start.Play(start.Moves()[0]); !errors.Is(err, pluginclient.ErrDied) {
		t.Errorf("the referee dies: %v", err)
	}
	if _, err := start.Play(start.Moves()[0]); err != nil {
		t.Errorf("started again: %v", err)
	}
	none := refereed(t, func(context.Context) (*pluginclient.Streams, error) { return nil, pluginclient.ErrStart })
	pos := none.Start()
	if err := none.Prepare(); !errors.Is(err, pluginclient.ErrStart) || !strings.HasPrefix(err.Error(), "the referee of maze: ") {
		t.Error(err)
	}
	if _, err := pos.Play(1); !errors.Is(err, pluginclient.ErrStart) || pos.Moves() == nil && pos.Result().Over() {
		t.Errorf("%v: %v", pos, err)
	}
}

// TestStateFaults are states that no game can have.
func TestStateFaults(t *testing.T) {
	for text, want := range map[string]string{
		`null`:                                                                           "there is no state",
		`{"turn":"first","moves":["a"]}`:                                                 `fen is "": want a text on one line without the word moves`,
		`{"fen":"a\nb","turn":"first"}`:                                                  `fen is "a\nb": want a text on one line without the word moves`,
		`{"fen":"x moves y","turn":"first"}`:                                             `fen is "x moves y": want a text on one line without the word moves`,
		`{"fen":"x","turn":"white"}`:                                                     `turn is "white": want first, second or chance`,
		`{"fen":"x","turn":"first"}`:                                                     "there are neither moves nor a result",
		`{"fen":"x","turn":"first","moves":["a b"]}`:                                     `moves has "a b": want words without commas`,
		`{"fen":"x","turn":"first","moves":["a","a"]}`:                                   `moves has "a" twice`,
		`{"fen":"x","turn":"first","moves":["a"],"result":"1-0"}`:                        "result is 1-0, but there are moves",
		`{"fen":"x","turn":"first","result":"2-0"}`:                                      `result is "2-0": want 1-0, 0-1 or 1/2-1/2, or no result while the game goes on`,
		`{"fen":"x","turn":"first","result":"1-0","over":"\u001b[2J"}`:                   `over is "\x1b[2J": want a word or two`,
		`{"fen":"x","turn":"chance","moves":["a","b"]}`:                                  "0 odds of 2 moves of chance add up to 0: want one of each, and 1",
		`{"fen":"x","turn":"chance","moves":["a","b"],"odds":[1,0]}`:                     "odds has 0: want numbers above 0",
		`{"fen":"x","turn":"chance","moves":["a","b"],"odds":[0.5,0.25]}`:                "2 odds of 2 moves of chance add up to 0.75: want one of each, and 1",
		`{"fen":"x","turn":"first","moves":["a"],"svg":"<svg onload=\"x()\"/>"}`:         `svg: attribute "onload=x()": want `,
		`{"fen":"x","turn":"first","moves":["a"],"svg":"<svg><script/></svg>"}`:          `svg: element "script": want `,
		`{"fen":"x","turn":"first","moves":["a"],"svg":"<svg fill=\"URL(http://x)\"/>"}`: `svg: attribute "fill=URL(http://x)": want `,
		`{"fen":"x","turn":"first","moves":["a"],"svg":"<svg><!-- x --></svg>"}`:         "svg: want elements and texts alone, without comments and declarations",
		`{"fen":"x","turn":"first","moves":["a"],"svg":"<svg><g></svg>"}`:                "svg: XML syntax error",
		`{"fen":"x","turn":"first","moves":["a"],"svg":"<svg/><svg/>"}`:                  `svg: "<svg/>" follows the picture`,
		`{"fen":"x","turn":"first","moves":["a"],"svg":"picture"}`:                       "svg: want a text that begins with <svg",
	} {
		var s *jsonl.State
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	good := &jsonl.State{FEN: "x", Turn: "chance", Moves: []string{"a", "b"}, Odds: []float64{0.5, 0.5}, Board: "x\n", SVG: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g fill="#f00"><circle cx="1" cy="1" r="1"/><text>a</text></g></svg>`}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}

var hasty = pluginclient.Deadlines{
	Start: 10 * time.Second, Reply: 5 * time.Second, Think: 300 * time.Millisecond, Late: 100 * time.Millisecond, Abort: 200 * time.Millisecond, Quit: time.Second,
}

// answer makes an engine answer searches by a text, in which ID stands for the id.
func answer(text string) plugintest.Behaviour {
	return func(line string) plugintest.Action {
		var r jsonl.Request
		if json.Unmarshal([]byte(line), &r) == nil && r.Action == "" {
			return plugintest.Send(strings.ReplaceAll(text, "ID", fmt.Sprint(r.ID)))
		}
		return plugintest.Obey(line)
	}
}

// TestFaults: whatever an engine does wrong is an error, after which it continues or is started again.
func TestFaults(t *testing.T) {
	rules, _ := games.Default.New("quoridor", games.Values{"size": "3"})
	for name, c := range map[string]struct {
		do  plugintest.Behaviour
		lim engine.Limits
		err error
	}{
		"no object":       {do: answer("hello\n"), err: pluginclient.ErrInvalidReply},
		"no id":           {do: answer("{}\n"), err: pluginclient.ErrInvalidReply},
		"an id as a text": {do: answer(`{"id":"ID","hints":[]}` + "\n"), err: pluginclient.ErrInvalidReply},
		"an id to come":   {do: answer(`{"id":99,"hints":[{"move":"B1"}]}` + "\n"), err: pluginclient.ErrInvalidReply},
		"an error":        {do: answer(`{"id":ID,"error":"no"}` + "\n"), err: pluginclient.ErrRefused},
		"an error alone":  {do: answer(`{"error":"no"}` + "\n"), err: pluginclient.ErrRefused},
		"no hints":        {do: answer(`{"id":ID}` + "\n"), err: pluginclient.ErrInvalidReply},
		"over":            {do: answer(`{"id":ID,"over":"mate"}` + "\n"), err: pluginclient.ErrInvalidReply},
		"an illegal move": {do: answer(`{"id":ID,"hints":[{"move":"Z9"}]}` + "\n"), err: pluginclient.ErrIllegal},
		"a banned move":   {do: answer(`{"id":ID,"hints":[{"move":"B2"}]}` + "\n"), lim: engine.Limits{Ban: []engine.Move{rules.Start().Moves()[0]}}, err: pluginclient.ErrIllegal},
		"nothing":         {do: answer(""), err: pluginclient.ErrNoReply},
		"nothing in time": {do: answer(""), lim: engine.Limits{Time: 10 * time.Millisecond}, err: pluginclient.ErrNoReply},
		"half a line":     {do: answer(`{"id":ID,"hi`), err: pluginclient.ErrPartialLine},
		"its death": {do: func(line string) plugintest.Action {
			if strings.Contains(line, "fen") {
				return plugintest.Action{Die: true}
			}
			return plugintest.Obey(line)
		}, err: pluginclient.ErrDied},
		"partial answers":     {do: answer(`{"id":ID,"final":false}` + "\n" + `{"id":ID,"hints":[{"move":"B2","pv":["B2","Z9"]}]}` + "\n")},
		"answers of others":   {do: answer(`{"id":1}` + "\n" + `{"id":ID,"hints":[{"move":"B2","cp":5}]}` + "\n")},
		"a pv of other moves": {do: answer(`{"id":ID,"hints":[{"move":"B2","pv":["C2"]}]}` + "\n")},
	} {
		t.Run(name, func(t *testing.T) {
			faulty := &plugintest.FaultyEngine{Engine: served(t, "quoridor,size=3,hash=1"), OnCommand: c.do}
			if i := strings.Index(name, "banned"); i >= 0 {
				if first := rules.Start().Format(rules.Start().Moves()[0]); first != "B2" {
					faulty.OnCommand = answer(`{"id":ID,"hints":[{"move":"` + first + `"}]}` + "\n")
				}
			}
			plugintest.FaultTest{
				Faulty: faulty, Name: "qhsh", Pos: rules.Start(), Limits: c.lim, WantErr: c.err, MaxTime: 10 * time.Second,
				Dial: func() (pluginclient.Session, error) {
					return jsonl.Dial(t.Context(), pluginclient.Program{Name: "engine", Start: faulty.Start}, jsonl.Options{Game: rules, ClientOptions: pluginclient.ClientOptions{Deadlines: hasty}})
				},
			}.Run(t)
		})
	}
}

// TestStop: a search ends with the best so far, or is given up, and the engine takes the next one.
func TestStop(t *testing.T) {
	rules := games.Default.DefaultGame()
	c, err := jsonl.Dial(t.Context(), pluginclient.Program{Name: "engine", Start: served(t, "builtin,hash=1")}, jsonl.Options{Game: rules})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, cause := range []error{engine.ErrMoveNow, context.Canceled, engine.ErrMoveNow} {
		ctx, cancel := context.WithCancelCause(t.Context())
		lines, err := engine.Best(pluginclient.WithSearchStarted(ctx, func() { cancel(cause) }), c, rules.Start(), engine.Limits{Time: time.Hour})
		if cause == engine.ErrMoveNow && (err != nil || len(lines) != 1) || cause != engine.ErrMoveNow && !errors.Is(err, cause) {
			t.Errorf("%v: %v, %v", cause, lines, err)
		}
	}
	var sent []string
	for _, line := range plugintest.SentLines(c) {
		var r jsonl.Request
		_ = json.Unmarshal([]byte(line[1:]), &r)
		sent = append(sent, r.Action)
	}
	if diff := cmp.Diff([]string{"versions", "", "terminate", "", "cancel", "", "terminate"}, sent); diff != "" {
		t.Error(diff)
	}
	raw, err := c.Raw(t.Context(), `{"id":"x","action":"queue"}`)
	if err != nil || len(raw) != 1 || !strings.HasPrefix(raw[0], `{"id":"x","final":true,"action":"queue"`) {
		t.Errorf("%q, %v", raw, err)
	}
	if raw, err = c.Raw(t.Context(), "nonsense"); err != nil || len(raw) != 1 || !strings.Contains(raw[0], "error") {
		t.Errorf("%q, %v", raw, err)
	}
}

// FuzzAnswer: whatever an engine answers, the lines that are read from it are legal.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"hints":[{"move":"B2","cp":3,"pv":["B2","B2"]},{"move":"Z9"}]}`, `{"id":1,"error":"no"}`, `{"id":1,"final":false,"over":"x"}`, `[]`, `{"id":1,"hints":[{"mate":-1,"move":""}]}`,
	} {
		f.Add(seed)
	}
	pos := quoridor.Default.Start()
	f.Fuzz(func(t *testing.T, text string) {
		a, err := jsonl.ParseAnswer(text)
		if err != nil {
			return
		}
		lines, err := a.Lines(pos, engine.Limits{Lines: 3}, func(string) {})
		if err == nil && (len(lines) == 0 || len(lines) > 3) {
			t.Fatalf("%q: %d lines", text, len(lines))
		}
		for _, l := range lines {
			if names := engine.FormatMoves(pos, l.Moves); len(l.Moves) == 0 || len(names) != len(l.Moves) {
				t.Fatalf("%q: illegal moves in %v", text, l.Moves)
			}
		}
	})
}

// FuzzState: whatever a referee says, a state that is accepted is one line of text with moves that are
// words, and a picture that cannot do anything.
func FuzzState(f *testing.F) {
	for _, seed := range []string{
		`{"fen":"x","turn":"first","moves":["a"],"svg":"<svg><g/></svg>"}`, `{"fen":"x","turn":"chance","moves":["a"],"odds":[1]}`, `{"fen":"x","turn":"second","result":"1-0","over":"won"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s *jsonl.State
		if json.Unmarshal([]byte(text), &s) != nil || s.Check() != nil {
			return
		}
		if strings.ContainsAny(s.FEN, "\n\r\x1b") || strings.ContainsAny(strings.Join(s.Moves, ""), " \n\x1b") || strings.Contains(strings.ToLower(s.SVG), "<script") {
			t.Fatalf("%q is accepted", text)
		}
	})
}
