package pluginclient

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func isBlank(r rune) bool { return unicode.IsSpace(r) }

// TestTraceLineComesBack: a formatted line parses to the same line, to the millisecond.
func TestTraceLineComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(0, 1<<40)
		name := rapid.String().Filter(func(s string) bool { return s != "" && !strings.ContainsFunc(s, isBlank) })
		want := TraceLine{
			At:     time.Duration(ms.Draw(t, "at")) * time.Millisecond,
			Since:  time.Duration(ms.Draw(t, "since")) * time.Millisecond,
			Engine: name.Draw(t, "engine"),
			Dir:    rapid.SampledFrom([]Direction{Sent, Pinged, Received, Stderr, Noted}).Draw(t, "dir"),
			Text:   strings.ToValidUTF8(rapid.String().Draw(t, "text"), "?"),
		}
		text := want.String()
		if strings.ContainsAny(text, "\r\n") {
			t.Fatalf("more than a line: %q", text)
		}
		got, err := ParseTraceLine(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: -written +read:\n%s", text, diff)
		}
	})
}

// TestTraceLineQuotes: control characters are quoted, in the name and in the text.
func TestTraceLineQuotes(t *testing.T) {
	for _, c := range []struct{ engine, text, want string }{
		{"folium 1.2", "OK", `    0.000   +0.000 folium_1.2 < OK`},
		{"象棋", "OK", `    0.000   +0.000 象棋 < OK`},
		{"NAME \x1b[2J", "\x1b[2J", `    0.000   +0.000 "NAME_\x1b[2J" < "\x1b[2J"`},
		{`"x`, "\u202e", `    0.000   +0.000 "\"x" < "\u202e"`},
	} {
		if got := (TraceLine{Engine: c.engine, Dir: Received, Text: c.text}).String(); got != c.want {
			t.Errorf("%q said %q is written as\n%s\nwant\n%s", c.engine, c.text, got, c.want)
		}
	}
}

func TestNoTraceLine(t *testing.T) {
	for _, c := range []struct{ text, err string }{
		{"", `not a trace line: ""`},
		{"LEVEL 6", `not a trace line: "LEVEL 6"`},
		{"1.0 +0.0 x ? AI", `not a trace line: "1.0 +0.0 x ? AI"`},
		{"one +0.0 x > AI", `not a trace line: "one" is not a number of seconds`},
		{"1.0 NaN x > AI", `not a trace line: "NaN" is not a number of seconds`},
		{"1e300 +0.0 x > AI", `not a trace line: "1e300" is not a number of seconds`},
		{`1.0 +0.0 "x > AI`, `not a trace line: invalid quoting in "\"x"`},
		{`1.0 +0.0 x > "AI`, `not a trace line: invalid quoting in "\"AI"`},
	} {
		_, err := ParseTraceLine(c.text)
		if err == nil || err.Error() != c.err {
			t.Errorf("%q: error %v, want %s", c.text, err, c.err)
		}
	}
}

func FuzzParseTraceLine(f *testing.F) {
	f.Add("    1.504   +0.000 Folium_0.1 < \"\\\"quoted\\\"\"")
	f.Add("0 0 x > ")
	f.Fuzz(func(t *testing.T, text string) {
		first, err := ParseTraceLine(text)
		if err != nil {
			return
		}
		again, err := ParseTraceLine(first.String())
		if err != nil || again.Dir != first.Dir {
			t.Errorf("%q is read as %+v and then as %+v, %v", text, first, again, err)
		}
	})
}

// TestLogsComeAndGo: a log gets the lines between AddLog and RemoveLog.
func TestLogsComeAndGo(t *testing.T) {
	var a, b strings.Builder
	first, second := NewTraceLog(&a), NewTraceLog(&b)
	trace := NewTrace("x", first)
	trace.Add(Sent, "one")
	trace.AddLog(second)
	trace.Add(Sent, "two")
	trace.RemoveLog(first)
	trace.Add(Sent, "three")
	texts := func(log string) (texts []string) {
		for line := range strings.Lines(log) {
			l, err := ParseTraceLine(strings.TrimRight(line, "\n"))
			if err != nil {
				t.Error(err)
			}
			texts = append(texts, l.Text)
		}
		return texts
	}
	if diff := cmp.Diff([][]string{{"one", "two"}, {"two", "three"}}, [][]string{texts(a.String()), texts(b.String())}); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
