package match

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/record"
	"qhsh/pluginclient"
)

var red = record.PGNStyle{Game: "Chinese Chess", First: "Red", Second: "Black", Start: "start"}

func TestPGN(t *testing.T) {
	for _, c := range []struct {
		name   string
		record Record
		want   string
	}{
		{"an opening, scores and a mate", Record{
			Game: 17, Round: 3, First: "a", Second: `b "x\y"`, Result: "1-0", Reason: "checkmate", Start: "start", Book: 2, Date: "2026-11-21",
			Moves: []Ply{
				{Move: "H2-E2", By: "first"},
				{Move: "H9-G7", By: "second"},
				{Move: "H0-G2", By: "first", ScoreJSON: engine.Centipawns(35).JSON(), Depth: 8, Nodes: 100, Seconds: 0.1},
				{Move: "I9-H9", By: "second", ScoreJSON: engine.Centipawns(-7).JSON(), Seconds: 12.345, Stopped: 0.33},
				{Move: "B2-B6", By: "first", ScoreJSON: engine.MateIn(3).JSON(), Depth: 20},
				{Move: "B7-B6", By: "second", ScoreJSON: engine.MateIn(-2).JSON(), Depth: 9},
				{Move: "C3-C4", By: "first"},
			},
		}, `[Game "Chinese Chess"]
[Event "e"]
[Site "?"]
[Date "2026.11.21"]
[Round "3"]
[Red "a"]
[Black "b \"x\\y\""]
[Result "1-0"]
[GameNumber "17"]
[Termination "normal"]
[PlyCount "7"]

1. H2-E2 {book} H9-G7 {book} 2. H0-G2 {+0.35/8 0.10s} I9-H9
{-0.07 12.35s, 0.33s not charged} 3. B2-B6 {+M3/20 0.00s} B7-B6 {-M2/9 0.00s}
4. C3-C4 {0.00s} {checkmate} 1-0

`},
		{"the other side begins, and a crash", Record{
			Game: 1, Round: 1, First: "a", Second: "b\n", Result: "0-1", Reason: "crash", Start: "elsewhere", Date: "2026-11-21",
			Fault: &Fault{Player: "a", Error: "died: {core\x1b dumped}"},
			Moves: []Ply{{Move: "C3-C4", By: "second"}, {Move: "I9-H9", By: "first"}, {Move: "C4-C5", By: "second"}},
		}, `[Game "Chinese Chess"]
[Event "e"]
[Site "?"]
[Date "2026.11.21"]
[Round "1"]
[Red "a"]
[Black "b\\n"]
[Result "0-1"]
[GameNumber "1"]
[SetUp "1"]
[FEN "elsewhere"]
[Termination "crash"]
[PlyCount "3"]

1... C3-C4 {0.00s} 2. I9-H9 {0.00s} C4-C5 {0.00s}
{a: crash: died: (core\x1b dumped)} 0-1

`},
		{"chance and double moves", Record{
			Game: 1, Round: 1, First: "a", Second: "b", Result: "1/2-1/2", Reason: "draw adjudication", Early: true, Start: "start", Date: "2026-11-21",
			Moves: []Ply{
				{Move: "roll 2", By: "chance"},
				{Move: "take 2", By: "first"},
				{Move: "take 1", By: "first"},
				{Move: "roll 1", By: "chance"},
				{Move: "take 1", By: "second"},
				{Move: "take 2", By: "second"},
			},
		}, `[Game "Chinese Chess"]
[Event "e"]
[Site "?"]
[Date "2026.11.21"]
[Round "1"]
[Red "a"]
[Black "b"]
[Result "1/2-1/2"]
[GameNumber "1"]
[Termination "adjudication"]
[PlyCount "6"]

{chance: roll 2} 1. take_2 {0.00s} 2. take_1 {0.00s} {chance: roll 1} take_1
{0.00s} 2... take_2 {0.00s} {draw adjudication} 1/2-1/2

`},
	} {
		var b strings.Builder
		if err := NewPGN(&b, red, "e").Write(c.record); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, b.String()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// TestPGNWhiteSecond checks that results are White's in Quoridor, where White moves second.
func TestPGNWhiteSecond(t *testing.T) {
	style := record.PGNStyle{Game: "Quoridor", First: "Black", Second: "White", Start: "start"}
	for result, inPGN := range map[string]string{"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2"} {
		var b strings.Builder
		r := Record{
			Game: 1, Round: 1, First: "a", Second: "b", Result: result, Reason: "goal reached", Start: "start", Date: "2026-11-21",
			Moves: []Ply{{Move: "E8", By: "first"}, {Move: "E2", By: "second"}},
		}
		if err := NewPGN(&b, style, "e").Write(r); err != nil {
			t.Fatal(err)
		}
		want := `[Game "Quoridor"]
[Event "e"]
[Site "?"]
[Date "2026.11.21"]
[Round "1"]
[White "b"]
[Black "a"]
[Result "` + inPGN + `"]
[GameNumber "1"]
[Termination "normal"]
[PlyCount "2"]

1. E8 {0.00s} E2 {0.00s} {goal reached} ` + inPGN + `

`
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("%s: %s", result, diff)
		}
	}
}

func TestTermination(t *testing.T) {
	for reason, want := range map[string]string{
		"timeout": "time forfeit", "crash": "crash", "closed": "closed", "flood": "flood", "illegal move": "illegal move", "refused": "refused",
		"no move": "abandoned", "failure": "abandoned",
	} {
		if got := termination(Record{Reason: reason, Fault: &Fault{}}); got != want {
			t.Errorf("%s: %s", reason, got)
		}
	}
}

func TestSaveTraces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces")
	var warnings []string
	save := SaveTraces(dir, func(text string) { warnings = append(warnings, text) })
	trace := pluginclient.NewTrace("engine", nil)
	trace.Add(pluginclient.Sent, "AI")
	trace.Add(pluginclient.Received, "bang\x00")
	path := save(17, "a/b c", &fake{trace: trace})
	if path != filepath.Join(dir, "game-17-a_b_c.trace") {
		t.Errorf("path %s", path)
	}
	text := regexp.MustCompile(`\d+\.\d+`).ReplaceAllString(string(must(os.ReadFile(path))), "0")
	want := "    0   +0 a/b_c > AI\n    0   +0 a/b_c < \"bang\\x00\"\n"
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
	inFile := SaveTraces(path, func(text string) { warnings = append(warnings, text) })
	if inFile(2, "a", &fake{trace: trace}) != "" || len(warnings) != 1 || !strings.HasPrefix(warnings[0], "cannot save the trace of game 2: ") {
		t.Errorf("directory is a file: %q", warnings)
	}
}

// sampleTable returns a table with wins, draws, losses, faults, pairs and an SPRT.
func sampleTable(t *testing.T) *Table {
	var s fakeEngines
	config := stonesConfig(s.player("good", rank), s.player("bäd", failing(always, pluginclient.ErrDied)))
	config.Games, config.SPRT = 6, &SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05}
	schedule := newSchedule(config)
	table := newTable(schedule)
	for n, r := range []Record{
		{Result: "1-0", Reason: "last stone"},
		{Result: "1-0", Reason: "crash", Fault: &Fault{Player: "good", Error: "died"}},
		{Result: "1/2-1/2", Reason: "repetition"},
		{Result: "0-1", Reason: "last stone"},
		{Result: "1-0", Reason: "last stone"},
	} {
		f := schedule.fixture(n + 1)
		r.Game, r.Pair = f.Number, f.Pair
		r.First, r.Second = f.Players[0].Name, f.Players[1].Name
		table.add(r)
	}
	return table
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := writeText(&b, sampleTable(t)); err != nil {
		t.Fatal(err)
	}
	want := `   player    Elo    +/-    LOS  games  points     %  won  drawn  lost  faults
1  good    +88.7  136.3  66.1%      5     3.5  70.0    3      1     1  1 crash
2  bäd     -88.7  136.3  33.9%      5     1.5  30.0    1      1     3  -

good against bäd: 3.5 of 5, pairs 0 0 1 1 0
5 of 6 games: 3 last stone, 1 crash, 1 repetition
SPRT elo0=0,elo1=100,alpha=0.05,beta=0.05: LLR 0.38 (-2.94, 2.94), not decided, logistic, pentanomial
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	b.Reset()
	if err := writeText(&b, newTable(newSchedule(stonesConfig(fakePlayers(3)...)))); err != nil {
		t.Fatal(err)
	}
	want = `   player  Elo  +/-    LOS  games  points     %  won  drawn  lost  faults
1  p0      0.0  inf  50.0%      0       0  50.0    0      0     0  -
2  p1      0.0  inf  50.0%      0       0  50.0    0      0     0  -
3  p2      0.0  inf  50.0%      0       0  50.0    0      0     0  -

0 of 6 games
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	if err := writeJSON(&b, sampleTable(t)); err != nil {
		t.Fatal(err)
	}
	want := `{"games":5,"total":6,"faults":1,"ends":{"crash":1,"last stone":3,"repetition":1},"players":[` +
		`{"name":"good","games":5,"points":3.5,"wins":3,"draws":1,"losses":1,"pairs":[0,0,1,1,0],"elo":88.7395,"elo_error":136.2705,"los":0.6613,"model":"pentanomial","faults":{"crash":1}},` +
		`{"name":"bäd","games":5,"points":1.5,"wins":1,"draws":1,"losses":3,"pairs":[0,1,1,0,0],"elo":-88.7395,"elo_error":136.2705,"los":0.3387,"model":"pentanomial"}],` +
		`"meetings":[{"first":"good","second":"bäd","games":5,"points":3.5,"wins":3,"draws":1,"losses":1,"pairs":[0,0,1,1,0],"elo":88.7395,"elo_error":136.2705,"los":0.6613,"model":"pentanomial"}],` +
		`"sprt":{"elo0":0,"elo1":100,"alpha":0.05,"beta":0.05,"model":"logistic","llr":0.3836,"lower":-2.9444,"upper":2.9444,"decision":null,` +
		`"nelo":245.6741,"nelo_error":340.4806,"draw_ratio":0.5}}` + "\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	if err := writeJSON(&brokenWriter{}, sampleTable(t)); err == nil {
		t.Error("no error from a broken writer")
	}
}

func TestJUnit(t *testing.T) {
	var b strings.Builder
	if err := writeJUnit(&b, sampleTable(t)); err != nil {
		t.Fatal(err)
	}
	standings := strings.Builder{}
	_ = writeText(&standings, sampleTable(t))
	got := strings.Replace(b.String(), strings.ReplaceAll(standings.String(), "\n", "&#xA;"), "STANDINGS", 1)
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="good - bäd" tests="4" failures="1" errors="1" skipped="1">
  <testsuite name="good - bäd" tests="4" failures="1" errors="1" skipped="1">
    <testcase classname="good - bäd" name="games">
      <error message="5 of 6 games played"></error>
      <system-out>STANDINGS</system-out>
    </testcase>
    <testcase classname="good - bäd" name="SPRT elo0=0,elo1=100,alpha=0.05,beta=0.05">
      <skipped message="SPRT elo0=0,elo1=100,alpha=0.05,beta=0.05: LLR 0.38 (-2.94, 2.94), not decided, logistic"></skipped>
    </testcase>
    <testcase classname="good - bäd" name="faults of good">
      <failure message="1 crash">game 2: crash: died</failure>
    </testcase>
    <testcase classname="good - bäd" name="faults of bäd"></testcase>
  </testsuite>
</testsuites>
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

type brokenWriter struct{}

func (*brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestParseRules(t *testing.T) {
	for text, want := range map[string]DrawRule{
		"": {40, 8, 10}, "score=20": {40, 8, 20}, "movenumber=0 movecount=1,score=0": {0, 1, 0},
	} {
		if got, err := ParseDraw(text); err != nil || got != want {
			t.Errorf("draw %q: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]ResignRule{
		"": {3, 700, false}, "twosided": {3, 700, true}, "movecount=1 score=5 twosided=true": {1, 5, true}, "twosided=false": {3, 700, false},
	} {
		if got, err := ParseResign(text); err != nil || got != want {
			t.Errorf("resign %q: %v, %v", text, got, err)
		}
	}
	for _, bad := range []string{"movecount=0", "score=x", "score=-1", "moves=3", "score", "twosided=perhaps"} {
		if r, err := ParseDraw(bad); err == nil {
			t.Errorf("draw %q: %v", bad, r)
		}
		if r, err := ParseResign(bad); err == nil {
			t.Errorf("resign %q: %v", bad, r)
		}
	}
}

// TestPGNRoundTrip checks that PGN and JSON are read as the same game, including chance and double
// moves.
func TestPGNRoundTrip(t *testing.T) {
	r := Record{Game: 1, Round: 1, First: "a", Second: "b", Result: "1-0", Reason: "last stone", Start: "4 first", Date: "2026-11-21", Book: 1}
	for i, move := range []string{"roll 2", "take 2", "take 1", "roll 1", "take 1"} {
		by := []string{"chance", "first", "first", "chance", "second"}[i]
		r.Moves = append(r.Moves, Ply{Move: move, By: by, Seconds: 0.1})
	}
	library := record.NewLibrary(record.Description{Game: enginetest.Stones})
	var text strings.Builder
	if err := NewPGN(&text, library.PGN, "e").Write(r); err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{text.String(), string(line)} {
		for g, err := range library.Read(strings.NewReader(text), "") {
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			want := []engine.Move{12, 2, 1, 11, 1}
			if diff := cmp.Diff(want, g.MainLine()); diff != "" || g.Result != engine.FirstWins || g.Tags.Get("First") != "a" {
				t.Errorf("result %v, tags %v, -want +got:\n%s\n%s", g.Result, g.Tags, diff, text)
			}
		}
	}
}
