package repl

import (
	"bytes"
	"context"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games/gamestest"
	"qhsh/pluginclient"
)

// stones is a conversation with an engine for enginetest.Stones.
type stones struct {
	pluginclient.Session // nil: only the methods below are called
	pos                  engine.Position
	trace                *pluginclient.Trace
}

func openStones(context.Context, string, OpenOptions) (pluginclient.Session, error) {
	return &stones{pos: enginetest.Stones.Start(), trace: pluginclient.NewTrace("stones", nil)}, nil
}

func (s *stones) Info() pluginclient.Info    { return pluginclient.Info{Name: "stones"} }
func (s *stones) Level() (int, bool)         { return 0, false }
func (s *stones) Position() engine.Position  { return s.pos }
func (s *stones) Trace() *pluginclient.Trace { return s.trace }
func (s *stones) State() pluginclient.State  { return pluginclient.State{} }
func (s *stones) Close() error               { return nil }

func (s *stones) NewGame(_ context.Context, pos engine.Position) error {
	s.pos = pos
	return nil
}

func (s *stones) Undo(context.Context) error {
	pos, moves := s.pos.History()
	return s.start(pos, moves[:len(moves)-1])
}

func (s *stones) Load(_ context.Context, moves ...engine.Move) error { return s.start(s.pos, moves) }

func (s *stones) start(pos engine.Position, moves []engine.Move) (err error) {
	for _, m := range moves {
		if pos, err = pos.Play(m); err != nil {
			return err
		}
	}
	s.pos = pos
	return nil
}

func (s *stones) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return enginetest.Ranker{}.Search(ctx, pos, lim)
}

// TestGameWithoutAbilities: a game that provides only its row in the table of games can be played
// at the prompt.
func TestGameWithoutAbilities(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.txt")
	other := filepath.Join(t.TempDir(), "other.pgn")
	if err := os.WriteFile(other, []byte("[Game \"Quoridor\"]\n\n*\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := New(Host{
		Stdin: strings.NewReader(""), Stdout: new(screen), Stderr: new(screen),
		Open: openStones, NameOf: nameForTest, Games: gamestest.Table(),
	}, Options{})
	if err := s.openEditor(); err != nil {
		t.Fatal(err)
	}
	if err := s.attach(t.Context(), &attached{spec: "stones", name: ""}, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.close() })
	for _, c := range []struct{ line, want string }{
		{".board", "7 first\nchance to move\n"},
		{".moves", "roll 1 roll 2\n"},
		{"take 1", `move 1: stones: take 1 is illegal in "7 first"`},
		{"roll 2", ""},
		{".moves", "take 1 take 2\n"},
		{".moves TAKE", "take 1 take 2\n"},
		{".moves roll", `.moves: no legal move starts with "roll"`},
		{".moves -notation wxf", `.moves: invalid value "wxf" for flag -notation: notation wxf: Stones has one notation; usage: .moves [SQUARE] [-notation NOTATION]`},
		{"take 2, take 1", ""},
		{".history", "  1.  roll 2\n  2.  take 2\n  3.  take 1\n"},
		{".undo", ""},
		{".fen", "5 first 2\n"},
		{"take 3", `unknown command "take": .help lists the commands, .send sends any line to the engine`},
		{"take 1, nonsense", `unknown command "take": .help lists the commands, .send sends any line to the engine`},
		{".notation", "iccs\n"},
		{".notation wxf", ""},
		{".history", "  1.  roll 2\n  2.  take 2\n"},
		{".hints 1", "   move    score  depth  line\n1  take 1  +1.23  1      take 1\n"},
		{".tree -width 1 -depth 1", "7 first\nafter roll 2 take 2\n└── take 1  +1.23  depth 1\n\n1 position searched, 1 move\n"},
		{".board -flip", ".board: -style and -flip do not apply to Stones; usage: .board [SQUARE] [-style NAME] [-flip]"},
		{".judge", ".judge: requires Xiangqi, but the board is one of Stones"},
		{".annotate", `[Game "Stones"]
[Event "?"]
[Site "?"]
[Date "?"]
[Round "?"]
[First "?"]
[Second "?"]
[Result "*"]
[Annotator "stones"]

{[%qhsh judged] Judged by stones.} {chance: roll 2}
{[%eval 5.87] [%qhsh luck] Luck: first's chance of winning rises from 73 % to 84 %.}
1. take_2 {[%eval 1.23]} *
`},
		{".save " + path, ""},
		{"2 second 2", ""},
		{".fen", "2 second 2\n"},
		{"take 2", ""},
		{".board", "0 first\nsecond has won: last stone\n"},
		{".moves", ""},
		{"startpos", ""},
		{".fen", "7 first\n"},
		{".load " + path, ""},
		{".history", "  1.  roll 2\n  2.  take 2\n"},
		{".load " + other, ".load: " + other + ":1: game 1: a game of Quoridor, not Stones: use -engine quoridor"},
	} {
		var out bytes.Buffer
		got := ""
		if err := s.execute(t.Context(), c.line, &out); err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(c.want, out.String()+got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.line, diff)
		}
	}
	checkCompletion(t, s, ".moves |", ".moves -notation |", "")
	checkCompletion(t, s, "ta|", "take |", "")
}
