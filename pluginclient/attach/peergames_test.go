package attach

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/match"
)

// rival is an engine of other authors that speaks a protocol.
type rival struct {
	name, spec string // $ stands for the folder of $QHSH_PEERS
	fromOne    bool   // it numbers ranks from 1
}

var rivals = []rival{
	{"UCCI2QH", "qh:$/ucci2qh/UCCI2QH", false},
	{"ElephantEye", "ucci,usebook=false:$/eleeye/ELEEYE", false},
	{"Fairy by UCI", "uci:$/fairy/fairy-stockfish", true},
	{"Fairy by UCCI", "ucci:$/fairy/fairy-stockfish", false},
	{"Fairy by XBoard", "xboard:$/fairy/fairy-stockfish", false},
	{"Pikafish", "uci:$/pikafish-hce/pikafish", false},
}

// TestPeerMatches plays a game with each colour against each rival, over its own protocol and
// through qhsh -plugin. No game is lost by a fault, and the moves that the engines print are the
// moves that are played.
func TestPeerMatches(t *testing.T) {
	folder := os.Getenv("QHSH_PEERS")
	if folder == "" {
		t.Skip("QHSH_PEERS is not set: set it to the folder with engines of other authors")
	}
	qhsh := enginetest.Program(t, t.TempDir())
	for _, r := range rivals {
		spec := strings.ReplaceAll(r.spec, "$", folder)
		t.Run(r.name, func(t *testing.T) { r.match(t, spec, r.fromOne) })
		t.Run(r.name+" through qhsh -plugin", func(t *testing.T) {
			r.match(t, "qh:"+qhsh+" -plugin -engine '"+spec+"'", false)
		})
	}
}

func (r rival) match(t *testing.T, spec string, fromOne bool) {
	if _, err := os.Stat(strings.Fields(spec[strings.LastIndex(spec, ":")+1:])[0]); err != nil && !strings.Contains(spec, "-plugin") {
		t.Skip(err)
	}
	said := map[string]*bytes.Buffer{}
	player := func(name, spec string) match.Player {
		said[name] = &bytes.Buffer{}
		log := pluginclient.NewTraceLog(said[name])
		return match.Player{
			Name: name, Spec: spec, Time: 20 * time.Millisecond, Ban: true,
			Open: func(ctx context.Context) (pluginclient.Session, error) {
				s, err := Open(ctx, spec, Options{Games: games.Default, ClientOptions: pluginclient.ClientOptions{Log: log, Warn: func(text string) { t.Log(text) }}})
				if err != nil {
					return nil, err
				}
				levels := s.Info().Levels
				return s, s.SetLevel(ctx, levels[len(levels)-1].ID)
			},
		}
	}
	terms := &match.Config{
		Game: xiangqi.Rules, Players: []match.Player{player("rival", spec), player("builtin", "builtin")},
		Tournament: match.RoundRobin, Order: match.Sequential, Games: 2, Repeat: true, Margin: 2 * time.Second, MaxMoves: 40,
	}
	played := map[string][]string{}
	table, err := match.Run(t.Context(), terms, match.Options{Progress: func(r match.Record, _ bool, _ *match.Table) {
		t.Logf("%s - %s %s, %s, %d plies", r.First, r.Second, r.Result, r.Reason, len(r.Moves))
		for _, ply := range r.Moves[r.Book:] {
			name := r.First
			if ply.By == engine.Second.String() {
				name = r.Second
			}
			played[name] = append(played[name], ply.Move)
		}
	}})
	if err != nil || table.Faults != 0 {
		t.Fatalf("%+v, %v", table, err)
	}
	for name, log := range said {
		printed := printedMoves(t, log.String(), fromOne && name == "rival")
		if len(printed) == 0 {
			t.Errorf("%s printed no moves", name)
		}
		if diff := cmp.Diff(played[name], printed); diff != "" {
			t.Errorf("%s: -played +printed:\n%s", name, diff)
		}
	}
}

// TestProfiledGames plays whole games with plugins that are known to violate the protocol, at their
// weakest levels, with the profiles that "qhsh check" prints for them. The games end by the rules,
// none by a fault. The game of folium, which has no time limit and thinks for seconds while there
// are many pieces, starts with few pieces.
func TestProfiledGames(t *testing.T) {
	folder := os.Getenv("QHSH_PEERS")
	if folder == "" {
		t.Skip("QHSH_PEERS is not set: set it to the folder with engines of other authors")
	}
	for _, p := range []struct {
		quirks, program string
		from            string
	}{
		{"level=count,ban=keeps", "ucci2qh/UCCI2QH", xiangqi.StartFEN},
		{"fenlong=none,abort=none,scr=none", "folium/folium", "3akab2/9/4b4/9/P7P/8r/9/6n1c/4A4/3AK4 w - - 0 1"},
	} {
		t.Run(filepath.Base(p.program), func(t *testing.T) {
			path := filepath.Join(folder, p.program)
			if _, err := os.Stat(path); err != nil {
				t.Skip(err)
			}
			player := func(name, spec string, nodes int64) match.Player {
				return match.Player{Name: name, Spec: spec, Nodes: nodes, Ban: true, Open: func(ctx context.Context) (pluginclient.Session, error) {
					s, err := Open(ctx, spec, Options{Games: games.Default, ClientOptions: pluginclient.ClientOptions{Warn: func(text string) { t.Log(text) }}})
					if err != nil || nodes > 0 {
						return s, err
					}
					return s, s.SetLevel(ctx, s.Info().Levels[0].ID)
				}}
			}
			from, err := xiangqi.ParseFEN(p.from)
			if err != nil {
				t.Fatal(err)
			}
			terms := &match.Config{
				Game: xiangqi.Rules, Tournament: match.RoundRobin, Order: match.Sequential, Games: 2, Repeat: true, Margin: 2 * time.Second,
				Openings: []engine.Position{from},
				Players:  []match.Player{player("plugin", "qh,"+p.quirks+":"+path+" -plugin", 0), player("builtin", "builtin", 50_000)},
			}
			table, err := match.Run(t.Context(), terms, match.Options{Progress: func(r match.Record, _ bool, _ *match.Table) {
				t.Logf("%s - %s %s, %s, %d plies", r.First, r.Second, r.Result, r.Reason, len(r.Moves))
			}})
			if err != nil || table.Faults != 0 || table.Games != 2 {
				t.Errorf("%+v, %v", table, err)
			}
		})
	}
}

// printedMoves returns the best moves that an engine has printed, from a trace: the move after
// bestmove or move, and the first of HINTS or the answer to AI. It does not use the parsers of the
// clients.
func printedMoves(t *testing.T, log string, fromOne bool) []string {
	var printed []string
	asked := false
	for line := range strings.Lines(log) {
		l, err := pluginclient.ParseTraceLine(strings.TrimSuffix(line, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(l.Text)
		switch {
		case len(words) == 0:
		case l.Dir == pluginclient.Sent && slices.Contains([]string{"AI", "HINTS"}, words[0]):
			asked = true
		case l.Dir == pluginclient.Received && asked && len(words[0]) == 5 && words[0][2] == '-':
			printed, asked = append(printed, words[0]), false
		case l.Dir == pluginclient.Received && (words[0] == "bestmove" || words[0] == "move"):
			printed = append(printed, inICCS(words[1], fromOne))
		}
	}
	return printed
}

// inICCS writes h2e2, or h3e3 with ranks from 1, as H2-E2.
func inICCS(text string, fromOne bool) string {
	var b strings.Builder
	for rest := text; rest != ""; {
		digits := strings.TrimLeft(rest[1:], "0123456789")
		rank := 0
		for _, r := range rest[1 : len(rest)-len(digits)] {
			rank = rank*10 + int(r-'0')
		}
		if fromOne {
			rank--
		}
		b.WriteString(strings.ToUpper(rest[:1]) + string(rune('0'+rank)))
		if rest = digits; rest != "" {
			b.WriteByte('-')
		}
	}
	return b.String()
}

// TestPeerHost lets QH2UCCI host qhsh -plugin: it prints what the embedded engine plays at the
// level that QH2UCCI sets.
func TestPeerHost(t *testing.T) {
	folder := filepath.Join(os.Getenv("QHSH_PEERS"), "qh2ucci")
	if _, err := os.Stat(filepath.Join(folder, "QH2UCCI")); err != nil || os.Getenv("QHSH_PEERS") == "" {
		t.Skip("QHSH_PEERS does not name a folder with qh2ucci/QH2UCCI")
	}
	host, err := Open(t.Context(), "ucci,dir="+folder+":env 'QH_PLUGIN="+enginetest.Program(t, t.TempDir())+" -plugin' ./QH2UCCI", Options{Games: games.Default})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	native := host.(pluginclient.Bridge).Native() // its only limit is time
	ours, err := Open(t.Context(), "builtin", Options{Games: games.Default})
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	pos := engine.Position(xiangqi.Start())
	for _, reply := range []string{"h9g7", "i9h9", "c6c5", "g6g5", "a9a8"} {
		engine.Forget(ours)
		want, err := engine.Best(t.Context(), ours, pos, engine.Limits{Level: 2})
		if err != nil {
			t.Fatal(err)
		}
		got, err := engine.Best(t.Context(), native, pos, engine.Limits{Time: 10 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if got[0].Move() != want[0].Move() {
			t.Errorf("%v: %s by way of QH2UCCI, %s without", pos, pos.Format(got[0].Move()), pos.Format(want[0].Move()))
		}
		if pos, err = pos.Play(want[0].Move()); err != nil {
			t.Fatal(err)
		}
		m, err := pos.Parse(reply)
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = pos.Play(m); err != nil {
			t.Fatal(err)
		}
	}
}
