package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/pluginclient/task/analyze"
	"qhsh/pluginclient/task/batch"
)

// A line of the output without the time.
var millis = regexp.MustCompile(`"ms":\d+,`)

// TestAnalyzeEngines: requests of all games, to engines of all protocols, have the hints of qhsh
// hints, with partial answers and without.
func TestAnalyzeEngines(t *testing.T) {
	specs := map[string]string{
		"builtin": "builtin", "quoridor": "quoridor,size=5", "qchess": "qchess", "checkers": "checkers,variant=russian",
		"qh": "qh:qhsh -plugin", "uci": "uci:qhsh -uci", "ucci": "ucci:qhsh -ucci", "xboard": "xboard:qhsh -xboard",
		"qtp": "qtp,size=5:qhsh -qtp -level 2",
	}
	args, requests := []string{"analyze"}, ""
	var want []string
	for name, spec := range specs {
		args = append(args, "-engine", name+"="+spec)
		limits, level := `,"limits":{"level":2}`, []string{"-level", "2"}
		if name == "qtp" { // has no levels
			limits, level = "", nil
		}
		requests += fmt.Sprintf(`{"id":%q,"engine":%q%s}`+"\n"+`{"id":"%s, partial","engine":%q%s,"report":1}`+"\n", name, name, limits, name, name, limits)
		got := runQhsh(t.Context(), func(h *host) { h.Stdin = strings.NewReader("startpos\n") }, append([]string{"hints", "-engine", spec}, level...)...)
		_, hints, _ := strings.Cut(got.stdout, `"limits":`)
		if hints == "" {
			_, hints, _ = strings.Cut(got.stdout, `"hints":`)
		}
		want = append(want, name+" "+hints, name+", partial "+hints)
	}
	got := runQhsh(t.Context(), func(h *host) { h.Stdin = strings.NewReader(requests) }, args...)
	if got.status != exitOK || got.stderr != "" {
		t.Fatalf("status %d, stderr %q", got.status, got.stderr)
	}
	var answers []string
	for line := range strings.Lines(millis.ReplaceAllString(got.stdout, "")) {
		var a analyze.Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		_, hints, _ := strings.Cut(line, `"limits":`)
		if hints == "" {
			_, hints, _ = strings.Cut(line, `"hints":`)
		}
		if a.Final {
			answers = append(answers, a.ID.Text+" "+hints)
		}
	}
	slices.Sort(want)
	slices.Sort(answers)
	if diff := cmp.Diff(want, answers); diff != "" {
		t.Error(diff)
	}
}

var flight = flag.Int("flight", 60, "have so many requests of qhsh analyze in flight while engines die; the whole test is 1000")

// TestAnalyzeDyingEngines: of many requests, some of which are cancelled, none is lost and none is
// answered twice, although the engines' processes die all the time.
func TestAnalyzeDyingEngines(t *testing.T) {
	in, requests := io.Pipe()
	p := startQhsh(t, in, "analyze", "-jobs", "2", "-engine", "a=fakeplugin -die -every 9", "-engine", "b=qh:fakeplugin -die -every 5 -slow 1ms")
	random := rand.New(rand.NewPCG(1, uint64(*flight)))
	actions := 0
	go func() {
		defer requests.Close()
		for id := range *flight {
			fmt.Fprintf(requests, `{"id":%d,"engine":%q,"moves":[%q]}`+"\n", id, []string{"a", "b"}[id%2], []string{"h2e2", "b2e2"}[random.IntN(2)])
			if random.IntN(5) == 0 {
				actions++
				fmt.Fprintf(requests, `{"id":"action %d","action":"cancel","ids":[%d]}`+"\n", id, random.IntN(id+1))
			}
		}
	}()
	finals, cancelled := map[batch.ID]int{}, 0
	for lines := bufio.NewScanner(p.lines); lines.Scan(); {
		var a analyze.Answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		if finals[a.ID]++; a.Error != "" {
			t.Errorf("%s", lines.Text())
		}
		cancelled += len(a.IDs)
		if a.Cancelled {
			cancelled--
		}
	}
	if status := p.status(t); status != exitOK || !strings.Contains(p.stderr.String(), "answered when retried") {
		t.Errorf("status %d, stderr %q", status, p.stderr.String())
	}
	if len(finals) != *flight+actions || cancelled != 0 {
		t.Errorf("%d ids are answered, want %d; %d cancelled requests are not", len(finals), *flight+actions, cancelled)
	}
	for id, n := range finals {
		if n != 1 {
			t.Errorf("%v: %d final answers", id, n)
		}
	}
}

// TestAnalyzeInterrupted: SIGINT cancels all requests, each of which has an answer.
func TestAnalyzeInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent Ctrl-C on Windows")
	}
	tomb := t.TempDir() + "/engine"
	in, requests := io.Pipe()
	defer requests.Close()
	p := startQhsh(t, in, "analyze", "-wait-quit", "20s", "-engine", "fakeplugin -hang -once "+tomb)
	if _, err := io.WriteString(requests, `{"id":1}`+"\n"+`{"id":2}`+"\n"+`{"id":"v","action":"versions"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if got := p.line(t); !strings.HasPrefix(got, `{"id":"v","final":true,`) {
		t.Errorf("first line %q", got)
	}
	awaitFile(t, tomb) // the engine hangs
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(p.lines)
	const ended = `,"final":true,"isDuringSearch":false,"turnNumber":0,"engine":"fakeplugin","cancelled":true,"noResults":true}` + "\n"
	want := `{"id":1` + ended + `{"id":2` + ended
	if err != nil || string(rest) != want {
		t.Errorf("after the signal came %q, %v", rest, err)
	}
	requests.Close()
	if status := p.status(t); status != exitInterrupted || p.stderr.String() != "qhsh analyze: interrupted\n" {
		t.Errorf("status %d, stderr %q", status, p.stderr.String())
	}
}
