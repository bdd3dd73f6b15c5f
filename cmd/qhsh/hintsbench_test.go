package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/hints"
)

// BenchmarkHintsOverhead compares qhsh hints with bare loops that send the same commands to the
// same engine over its pipe, or run the same searches on the embedded engine. The ratio is
// positions per second of qhsh divided by those of the loop: the median of five runs of each. Two
// jobs are compared with two parallel loops. It also reports what qhsh itself costs per position,
// without the engines: CPU time and context switches. It takes some minutes on an idle machine:
//
//	QHSH_DATA=... QHSH_PEERS=... go test ./cmd/qhsh -run '^$' -bench HintsOverhead -benchtime 1x -timeout 30m
//
// Without QHSH_DATA the positions are the few of the examples; without QHSH_PEERS Fairy-Stockfish
// is omitted. Over UCI the searches closest to 10,000 nodes are those of level 4, with 6,400. An
// engine with a hand-crafted evaluation searches the 1,600 nodes of level 3 in one or two
// milliseconds, so the cost of the conversation is visible.
func BenchmarkHintsOverhead(b *testing.B) {
	qhsh, err := exec.LookPath("qhsh")
	if err != nil {
		b.Fatal(err)
	}
	fairy := filepath.Join(os.Getenv("QHSH_PEERS"), "fairy", "fairy-stockfish")
	for _, c := range []struct {
		name, spec string
		level      int // 0: the engine's own
		nodes      int // of a search
		positions  int
		bare       bareLoop
	}{
		{"builtin/100", "builtin,nodes=100", 0, 100, 5000, bareBuiltin(100)},
		{"builtin/10000", "builtin,nodes=10000", 0, 10000, 200, bareBuiltin(10000)},
		{"plugin/100", "qh:" + qhsh + " -plugin -engine builtin,nodes=100", 0, 100, 5000, bareProcess("qhsh", "-plugin", "-engine", "builtin,nodes=100")},
		{"plugin/10000", "qh:" + qhsh + " -plugin -engine builtin,nodes=10000", 0, 10000, 200, bareProcess("qhsh", "-plugin", "-engine", "builtin,nodes=10000")},
		{"fairy/100", "uci,Use_NNUE=false,UCI_Variant=xiangqi:" + fairy, 1, 100, 1000, bareProcess(fairy)},
		{"fairy/1600", "uci,Use_NNUE=false,Hash=1:" + fairy, 3, 1600, 1000, bareProcess(fairy)},
		{"fairy/6400", "uci,Use_NNUE=false,UCI_Variant=xiangqi:" + fairy, 4, 6400, 200, bareProcess(fairy)},
	} {
		for _, jobs := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/jobs=%d", c.name, jobs), func(b *testing.B) {
				if strings.HasPrefix(c.name, "fairy") && os.Getenv("QHSH_PEERS") == "" {
					b.Skip("QHSH_PEERS is not set: it names the folder with fairy/fairy-stockfish")
				}
				o := overhead{spec: c.spec, level: c.level, jobs: jobs, bare: c.bare}
				o.positions(b, c.positions)
				for b.Loop() {
					o.compare(b)
				}
			})
		}
	}
}

// A bareLoop runs positions through one engine. It returns the time from the first command to the
// last answer, and the resources that the engine's process has used. trace is the conversation of
// qhsh hints with that engine.
type bareLoop func(b *testing.B, lines []string, trace []string) (took time.Duration, used usage)

// A usage is what a process and the children that it has waited for have used.
type usage struct {
	time     time.Duration // CPU time
	switches int64         // context switches; 0 where they are not counted
}

func usageOf(p *os.ProcessState) usage { return usage{p.UserTime() + p.SystemTime(), switchesOf(p)} }

func (u usage) plus(v usage, factor int64) usage {
	return usage{u.time + time.Duration(factor)*v.time, u.switches + factor*v.switches}
}

// overhead is one comparison.
type overhead struct {
	spec        string
	level, jobs int
	bare        bareLoop
	lines       []string
	dir         string
	parts       [][]string // the lines for each of the jobs
	traces      [][]string // the conversation about each part
}

// positions returns the first n positions of the data.
func (o *overhead) positions(b *testing.B, n int) {
	path := "../../examples/positions.fen"
	if data := os.Getenv("QHSH_DATA"); data != "" {
		path = filepath.Join(data, "openings", "xiangqi.epd")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && len(o.lines) < n {
			o.lines = append(o.lines, line)
		}
	}
	o.dir = b.TempDir()
	for part := range slices.Chunk(o.lines, (len(o.lines)+o.jobs-1)/o.jobs) {
		o.parts = append(o.parts, part)
		o.traces = append(o.traces, o.trace(b, part))
	}
}

// hints runs qhsh hints.
func (o *overhead) hints(b *testing.B, lines []string, flags ...string) usage {
	in := filepath.Join(o.dir, "in.fen")
	write(b, in, strings.Join(lines, "\n")+"\n")
	args := append([]string{"hints", "-engine", o.spec, "-o", filepath.Join(o.dir, "out.jsonl"), in}, flags...)
	if o.level > 0 {
		args = append(args, "-level", fmt.Sprint(o.level))
	}
	cmd := exec.Command("qhsh", args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return usageOf(cmd.ProcessState)
}

// trace returns what qhsh hints sends to an engine about positions.
func (o *overhead) trace(b *testing.B, lines []string) []string {
	if strings.HasPrefix(o.spec, "builtin") {
		return nil
	}
	path := filepath.Join(o.dir, "trace.txt")
	o.hints(b, lines, "-trace", path)
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	var said []string
	for line := range strings.Lines(string(text)) {
		for _, mark := range []string{" > ", " ~ "} {
			who, what, ok := strings.Cut(strings.TrimRight(line, "\n"), mark)
			// For an engine behind a bridge both conversations are there; only the commands of
			// QHPLUGIN are in capitals.
			word, _, _ := strings.Cut(what, " ")
			if ok && !strings.ContainsAny(who, "<>~!#") && (strings.ToUpper(word) != word) == strings.HasPrefix(o.spec, "uci") {
				said = append(said, what)
			}
		}
	}
	return said
}

// compare runs each five times and reports the median of the ratios.
func (o *overhead) compare(b *testing.B) {
	const turns = 5
	var ratios, rates, bares, times, switches []float64
	for range turns {
		summary := filepath.Join(o.dir, "summary.json")
		own := o.hints(b, o.lines, "-jobs", fmt.Sprint(o.jobs), "-summary", summary)
		var s hints.Summary
		text, err := os.ReadFile(summary)
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		if err != nil || s.Positions != len(o.lines) || s.Errors > 0 {
			b.Fatalf("%v: %s", err, text)
		}
		var loops sync.WaitGroup
		took, used := make([]time.Duration, len(o.parts)), make([]usage, len(o.parts))
		for i, part := range o.parts {
			loops.Go(func() { took[i], used[i] = o.bare(b, part, o.traces[i]) })
		}
		loops.Wait()
		for _, engine := range used {
			own = own.plus(engine, -1)
		}
		n := float64(len(o.lines))
		times, switches = append(times, float64(own.time.Microseconds())/n), append(switches, float64(own.switches)/n)
		bare := float64(len(o.lines)) / slices.Max(took).Seconds()
		rates, bares, ratios = append(rates, s.Rate), append(bares, bare), append(ratios, s.Rate/bare)
	}
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(median(rates), "positions/s")
	b.ReportMetric(median(bares), "bare/s")
	b.ReportMetric(median(times), "own-µs/position")
	b.ReportMetric(median(switches), "own-switches/position")
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// bareBuiltin searches with the embedded engine in this process.
func bareBuiltin(nodes int64) bareLoop {
	return func(b *testing.B, lines, _ []string) (time.Duration, usage) {
		options := search.DefaultOptions()
		options.Nodes = nodes
		e, err := search.New(options)
		if err != nil {
			b.Fatal(err)
		}
		var positions []engine.Position
		for _, line := range lines {
			positions = append(positions, batch.Parse(xiangqi.Rules, line).Pos)
		}
		begun := time.Now()
		for _, pos := range positions {
			e.Forget()
			if _, err := engine.Best(b.Context(), e, pos, engine.Limits{Level: 5, Lines: 1}); err != nil {
				b.Error(err)
			}
		}
		return time.Since(begun), usage{}
	}
}

// ends are the last lines of the answers to commands; other commands have no answer.
var ends = map[string]string{
	"LEVEL": "", "FEN": "OK", "HINTS": "ENDHINTS", "BAN": "OK", "LOAD": "OK", "QUIT": "BYE",
	"uci": "uciok", "isready": "readyok", "go": "bestmove",
}

// bareProcess sends the commands of a trace to a process of the engine and waits for each answer.
// The time starts with the first position and does not include the engine's exit.
func bareProcess(program string, args ...string) bareLoop {
	return func(b *testing.B, _, trace []string) (time.Duration, usage) {
		cmd := exec.Command(program, args...)
		in, out := startPiped(b, cmd)
		took := say(b, in, bufio.NewReader(out), trace)
		in.Close()
		_ = cmd.Wait()
		return took, usageOf(cmd.ProcessState)
	}
}

// say sends the commands up to one that has an answer, in one write.
func say(b *testing.B, in io.Writer, out *bufio.Reader, trace []string) time.Duration {
	var begun, last time.Time
	unsaid := ""
	for _, said := range trace {
		word, _, _ := strings.Cut(said, " ")
		if begun.IsZero() && (word == "FEN" || word == "ucinewgame") {
			begun = time.Now()
		}
		unsaid += said + "\n"
		end, has := ends[word]
		if !has {
			continue
		}
		if _, err := io.WriteString(in, unsaid); err != nil {
			b.Error(err)
			return 1
		}
		unsaid = ""
		for line := ""; line == "" || !strings.HasPrefix(line, end); {
			var err error
			if line, err = out.ReadString('\n'); err != nil {
				b.Errorf("after %s: %v", said, err)
				return 1
			}
		}
		if word == "go" || word == "HINTS" {
			last = time.Now()
		}
	}
	return last.Sub(begun)
}
