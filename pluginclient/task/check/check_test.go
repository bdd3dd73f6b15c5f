package check

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/format"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// echo answers every line with itself, and exits at "end".
func echo(_ context.Context, in io.Reader, out io.Writer) error {
	buf := make([]byte, 1000)
	for {
		n, err := in.Read(buf)
		if err != nil || string(buf[:n]) == "end\n" {
			return err
		}
		if _, err := out.Write(buf[:n]); err != nil {
			return err
		}
	}
}

// suite returns a suite with one check per verdict.
func suite(start pluginclient.Starter) *Suite {
	run := func(f func(c *Case) error) func(c *Case) error {
		return func(c *Case) error {
			if err := c.Start(c); err != nil {
				return err
			}
			defer time.Sleep(time.Millisecond) // so that the next check has a later start time
			return f(c)
		}
	}
	return &Suite{
		Protocol: "ECHO", Talk: NewTalk("echo", start, nil), Name: func() string { return "Echo 1" },
		Checks: []Check{
			{Name: "a.good", Section: "1", Rule: "It answers.", Run: run(func(c *Case) error {
				if err := c.Send("x"); err != nil {
					return err
				}
				_, err := c.Line(c, time.Second)
				return err
			})},
			{Name: "a.bad", Section: "1", Rule: "It answers y.", Needs: []string{"a.good"}, Run: run(func(c *Case) error {
				if err := c.Send("x\x1b[2J"); err != nil {
					return err
				}
				line, err := c.Line(c, time.Second)
				if err == nil {
					err = Faultf("y", "%q", line)
				}
				return err
			})},
			{Name: "a.hangs", Section: "1", Rule: "It answers nothing.", Run: run(func(c *Case) error {
				_, err := c.Line(c, time.Second)
				return c.MissingReply("a line", err)
			})},
			{Name: "b.after", Section: "2", Rule: "It goes on.", Needs: []string{"a.bad"}, Run: run(func(*Case) error { return nil })},
			{Name: "b.later", Section: "2", Rule: "It still goes on.", Needs: []string{"b.after"}, Run: run(func(*Case) error { return nil })},
			{Name: "b.open", Section: "2", Rule: "It is polite.", Advice: true, Run: run(func(*Case) error { return Faultf("please", "nothing") })},
			{Name: "c.none", Section: "3", Rule: "It sings.", Run: run(func(*Case) error { return NotApplicablef("it has no voice") })},
			{Name: "c.rest", Section: "3", Rule: "It sings well.", Needs: []string{"c.none"}, Run: run(func(*Case) error { return nil })},
			{Name: "c.slow", Section: "3", Rule: "It is quick.", Run: run(func(c *Case) error {
				_, err := c.Line(c, time.Hour)
				return c.MissingReply("a line", err)
			})},
			{Name: "c.last", Section: "3", Rule: "It is last.", Run: run(func(*Case) error { return nil })},
		},
	}
}

func run(t *testing.T, o Options) *Report {
	o.Spec = "./echo"
	r, err := Run(t.Context(), suite(pluginclient.Pipe(echo)), o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Results {
		r.Results[i].Took = 0
	}
	return r
}

// TestRun checks every verdict and its reason.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var done []int
		r := run(t, Options{Budget: time.Minute, Progress: func(n, total int, _ string) { done = append(done, n*100+total) }})
		var got [][2]string
		for _, res := range r.Results {
			got = append(got, [2]string{res.Name + " " + string(res.Verdict), res.Reason + res.Got})
		}
		want := [][2]string{
			{"a.good passed", ""},
			{"a.bad failed", `"x\x1b[2J"`},
			{"a.hangs failed", "no answer within 1s"},
			{"b.after skipped", "it depends on a.bad"},
			{"b.later skipped", "it depends on a.bad"},
			{"b.open advice", "nothing"},
			{"c.none absent", "it has no voice"},
			{"c.rest absent", "it has no voice"},
			{"c.slow no time", "the time of the examination was up"},
			{"c.last no time", "the time of the examination was up"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if r.OK() || r.Engine != "Echo 1" || r.Took < time.Minute || len(done) != 11 || done[10] != 1010 {
			t.Errorf("%v %q %v %v", r.OK(), r.Engine, r.Took, done)
		}
	})
}

// TestSelect checks names, patterns and chapters, and that needed checks are run, and reported if
// they fail.
func TestSelect(t *testing.T) {
	for _, c := range []struct {
		only []string
		want []string
	}{
		{[]string{"a.good"}, []string{"a.good"}},
		{[]string{"b.later"}, []string{"a.bad", "b.later"}},
		{[]string{"*.o*"}, []string{"b.open"}},
		{[]string{"b"}, []string{"a.bad", "b.after", "b.later", "b.open"}},
	} {
		r := run(t, Options{Only: c.only})
		var got []string
		for _, res := range r.Results {
			got = append(got, res.Name)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v: -want +got:\n%s", c.only, diff)
		}
	}
	for _, bad := range []string{"x", "a.", "[", ""} {
		if _, err := Run(t.Context(), suite(pluginclient.Pipe(echo)), Options{Only: []string{bad}}); !errors.Is(err, ErrUnknownCheck) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestNotExecuted checks that an engine that cannot be started is an error.
func TestNotExecuted(t *testing.T) {
	cmd := pluginclient.Command{Path: "./no-such-engine"}
	if r, err := Run(t.Context(), suite(cmd.Start), Options{}); !errors.Is(err, pluginclient.ErrStart) || r != nil {
		t.Errorf("%v, %v", r, err)
	}
}

// TestInterrupted checks that a cancelled run returns the results so far.
func TestInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := errors.New("gone")
		ctx, cancel := context.WithTimeoutCause(t.Context(), 1500*time.Millisecond, gone)
		defer cancel()
		r, err := Run(ctx, suite(pluginclient.Pipe(echo)), Options{})
		if !errors.Is(err, gone) {
			t.Fatal(err)
		}
		var got []string
		for _, res := range r.Results {
			got = append(got, string(res.Verdict))
		}
		want := []string{"passed", "failed", "failed", "skipped", "skipped", "advice", "absent", "absent", "no time", "no time"}
		if diff := cmp.Diff(want, got); diff != "" || !r.Interrupted || r.OK() || r.Results[8].Reason != "the examination was interrupted" {
			t.Errorf("%+v, -want +got:\n%s", r, diff)
		}
		var out bytes.Buffer
		if err := writeText(&out, r, Style{}); err != nil || !strings.Contains(out.String(), "UNFINISHED: it was interrupted; 2 binding") {
			t.Errorf("%v\n%s", err, out.String())
		}
	})
}

// TestUnfinished checks that unreached binding checks make a report fail, but not unreached advice.
func TestUnfinished(t *testing.T) {
	slow := func(*Case) error { return fmt.Errorf("%w: it sleeps", ErrTooSlow) }
	for _, c := range []struct {
		name  string
		check Check
		ok    bool
		words string
	}{
		{
			"time",
			Check{Name: "a.b", Run: func(c *Case) error { <-c.Done(); return context.Cause(c) }},
			false,
			"UNFINISHED, so not passed: 1 binding checks were not reached in 2m0s; give more time, as with -time 10m",
		},
		{"slow", Check{Name: "a.b", Run: slow}, false, "UNFINISHED, so not passed: the engine is too slow for 1 binding checks"},
		{"advice", Check{Name: "a.b", Advice: true, Run: slow}, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := suite(pluginclient.Pipe(echo))
				s.Checks = []Check{c.check}
				r, err := Run(t.Context(), s, Options{Budget: 2 * time.Minute})
				if err != nil || r.OK() != c.ok || r.unfinishedMessage() != c.words {
					t.Errorf("%v, %v, %q", err, r.OK(), r.unfinishedMessage())
				}
			})
		})
	}
}

// TestLate checks that a late check is repeated, fails if it is late each time, and that later
// checks are not repeated then.
func TestLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := map[string]int{}
		taking := func(name string, took ...time.Duration) Check {
			return Check{Name: name, Run: func(*Case) error {
				runs[name]++
				return CheckTime("its answer", took[min(runs[name], len(took))-1], time.Second)
			}}
		}
		s := suite(pluginclient.Pipe(echo))
		s.Checks = []Check{
			taking("a.prompt", time.Second),
			taking("a.held", 1600*time.Millisecond, 3*time.Second, 900*time.Millisecond),
			taking("a.late", 1600*time.Millisecond),
			taking("a.again", 1600*time.Millisecond),
		}
		r, err := Run(t.Context(), s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]int{"a.prompt": 1, "a.held": 3, "a.late": 3, "a.again": 1}, runs); diff != "" {
			t.Errorf("runs, -want +got:\n%s", diff)
		}
		late := r.Result("a.late")
		if r.Count(Passed, false) != 2 || late.Verdict != Failed || !late.Late ||
			late.Expected != "its answer within 1s, in one of 3 trials" || late.Got != "it after 1.6s" {
			t.Errorf("%+v", r.Results)
		}
	})
}

// TestChapters checks that reports group checks by chapter, whatever order they were run in.
func TestChapters(t *testing.T) {
	s := suite(pluginclient.Pipe(echo))
	s.Checks = nil
	for _, name := range []string{"b.one", "a.one", "b.two", "c.one", "a.two"} {
		s.Checks = append(s.Checks, Check{Name: name, Rule: "R", Run: func(*Case) error { return nil }})
	}
	r, err := Run(t.Context(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var text, list, junit bytes.Buffer
	if err := errors.Join(writeText(&text, r, Style{}), List(&list, s.Checks), writeJUnit(&junit, r, Style{})); err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`[abc]\.[a-z]+|(?m:^[abc]$)`)
	want := []string{"b", "b.one", "b.two", "a", "a.one", "a.two", "c", "c.one"}
	if diff := cmp.Diff(want, names.FindAllString(text.String(), -1)); diff != "" {
		t.Errorf("text, -want +got:\n%s", diff)
	}
	want = []string{"b.one", "b.two", "a.one", "a.two", "c.one"}
	if diff := cmp.Diff(want, names.FindAllString(list.String(), -1)); diff != "" || s.Checks[1].Name != "a.one" {
		t.Errorf("list, -want +got:\n%s", diff)
	}
	if n := strings.Count(junit.String(), "<testsuite "); n != 3 {
		t.Errorf("%d suites of JUnit, want 3:\n%s", n, junit.String())
	}
}

// TestNames checks that engine names are escaped.
func TestNames(t *testing.T) {
	var out bytes.Buffer
	r := &Report{Protocol: "ECHO", Spec: "./echo", Engine: "b\xff\x1b[31mad"}
	if err := writeText(&out, r, Style{Colour: true}); err != nil || !strings.HasPrefix(out.String(), `ECHO: b\xff\x1b[31mad (./echo)`+"\n") {
		t.Errorf("%v, %q", err, out.String())
	}
}

// TestFormatConversation checks that the middle of a long conversation is left out.
func TestFormatConversation(t *testing.T) {
	var talk []pluginclient.Entry
	for i := range 1000 {
		talk = append(talk, pluginclient.Entry{Dir: pluginclient.Sent, Text: fmt.Sprint(i)})
	}
	want := []string{"  0.000 > 0", "  0.000 > 1", "... 994 lines ...", "  0.000 > 996", "  0.000 > 997", "  0.000 > 998", "  0.000 > 999"}
	if diff := cmp.Diff(want, FormatConversation(talk, 6)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if all := FormatConversation(talk[:6], 6); len(all) != 6 {
		t.Errorf("%q", all)
	}
}

const wantText = `ECHO: Echo 1 (./echo)

a
  ok       a.good             It answers.
  FAILED   a.bad              It answers y.
             section  1
             expected y
             got      "x\x1b[2J"
             |   0.000 # started
             |   0.000 > x\x1b[2J
             |   0.000 < x\x1b[2J
  FAILED   a.hangs            It answers nothing.
             section  1
             expected a line
             got      no answer within 1s
             |   0.000 # started

b
  skipped  b.after            it depends on a.bad
  skipped  b.later            it depends on a.bad
  advice   b.open             It is polite.
             section  2
             expected please
             got      nothing
             |   0.000 # started

c
  -        c.none             it has no voice
  -        c.rest             it has no voice
  no time  c.slow             the time of the examination was up
  no time  c.last             the time of the examination was up

9 checks binding: 1 passed, 2 failed, 2 skipped, 2 not reached in time, 2 do not apply
1 checks of advice: 1 not followed
1m0s

UNFINISHED, so not passed: 2 binding checks were not reached in 1m0s; give more time, as with -time 5m

A SPEC that works around what was found:
  qh,a=b:./echo
`

// TestFormats compares the report in all formats.
func TestFormats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, Options{Budget: time.Minute})
		r.Profile = "qh,a=b:./echo"
		var out bytes.Buffer
		if err := writeText(&out, r, Style{}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(wantText, out.String()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		out.Reset()
		if err := writeText(&out, r, Style{Colour: true, Verbose: true}); err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"\x1b[31;1m  FAILED \x1b[0m", "|   0.000 > x\n"} {
			if !bytes.Contains(out.Bytes(), []byte(part)) {
				t.Errorf("no %q in\n%s", part, out.String())
			}
		}
		checkJSON(t, r)
		checkJUnit(t, r)
	})
}

func checkJSON(t *testing.T, r *Report) {
	var out bytes.Buffer
	if err := writeJSON(&out, r, Style{}); err != nil {
		t.Fatal(err)
	}
	var back jsonReport
	if err := json.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	want := jsonResult{
		Name: "a.bad", Section: "1", Rule: "It answers y.", Binding: true, Verdict: Failed, Expected: "y", Got: `"x\x1b[2J"`,
		Talk: []jsonEntry{{0, "#", "started"}, {0, ">", "x\x1b[2J"}, {0, "<", "x\x1b[2J"}},
	}
	if diff := cmp.Diff(want, back.Checks[1]); diff != "" || back.OK || back.Unfinished != 2 || back.Profile != r.Profile || len(back.Checks) != 10 {
		t.Errorf("%+v, -want +got:\n%s", back, diff)
	}
}

func checkJUnit(t *testing.T, r *Report) {
	var out bytes.Buffer
	if err := writeJUnit(&out, r, Style{}); err != nil {
		t.Fatal(err)
	}
	var back format.JUnit
	if err := xml.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Tests != 10 || back.Failures != 2 || back.Errors != 2 || back.Skipped != 4 || back.Suites[2].Cases[2].Error == nil || len(back.Suites) != 3 || back.Suites[0].Cases[1].Failure == nil {
		t.Errorf("%+v", back)
	}
}
