package pluginclient

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTraceLog compares a whole trace.
func TestTraceLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		log := NewTraceLog(&b)
		folium, other := NewTrace("folium", log), NewTrace("", log)
		folium.Add(Sent, "LEVEL 6")
		time.Sleep(4 * time.Millisecond)
		folium.Add(Received, "OK - Set AI level to 6")
		time.Sleep(1500 * time.Millisecond)
		other.Add(Pinged, "LEVEL")
		folium.Add(Stderr, "a tab\there")
		folium.Rename("Folium 0.1")
		folium.Notef("not an answer: %q", "x")
		folium.Add(Received, `"quoted"`)
		want := `    0.000   +0.000 folium > LEVEL 6
    0.004   +0.004 folium < OK - Set AI level to 6
    1.504   +0.000 ? ~ LEVEL
    1.504   +1.500 folium ! "a tab\there"
    1.504   +0.000 Folium_0.1 # not an answer: "x"
    1.504   +0.000 Folium_0.1 < "\"quoted\""
`
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// TestTraceFollow has a log that begins later: what is kept comes first, with what comes after it.
func TestTraceFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		trace := NewTrace("folium", nil)
		for i := range traceKept + 1 {
			trace.Add(Sent, fmt.Sprint(i))
			time.Sleep(10 * time.Millisecond)
		}
		log := NewTraceLog(&b)
		trace.Follow(log)
		trace.NoteLater(func() string { return "new" })
		trace.RemoveLog(log)
		trace.Add(Sent, "no more")
		lines := strings.SplitAfter(b.String(), "\n")
		want := "   -2.000   +0.000 folium > 1\n   -1.990   +0.010 folium > 2\n    0.000   +0.010 folium # new\n"
		if got := lines[0] + lines[1] + lines[traceKept]; len(lines) != traceKept+2 || got != want {
			t.Errorf("%d lines, got\n%swant\n%s", len(lines), got, want)
		}
	})
}

type brokenWriter struct{ writes int }

func (w *brokenWriter) Write([]byte) (int, error) {
	w.writes++
	return 0, errors.New("disk full")
}

// TestTraceLogEnds: a log that cannot be written does not affect the conversation.
func TestTraceLogEnds(t *testing.T) {
	w := &brokenWriter{}
	log := NewTraceLog(w)
	trace := NewTrace("x", log)
	for range 3 {
		trace.Add(Sent, "AI")
	}
	if w.writes != 1 || log.Err() == nil || log.Err().Error() != "disk full" {
		t.Errorf("%d writes, error %v", w.writes, log.Err())
	}
}

// TestTraceLogDropsWhatComesLater: the writer may be closed while an engine is still ending.
func TestTraceLogDropsWhatComesLater(t *testing.T) {
	var written strings.Builder
	log := NewTraceLog(&written)
	trace := NewTrace("x", log)
	trace.Add(Sent, "AI")
	var ending sync.WaitGroup
	ending.Go(func() {
		for range 1000 {
			trace.Add(Received, "late")
		}
	})
	if err := log.End(); err != nil {
		t.Error(err)
	}
	ended := written.String()
	ending.Wait()
	if !strings.Contains(ended, "AI") || written.String() != ended {
		t.Errorf("%d bytes after %q", written.Len()-len(ended), ended)
	}
}

func TestTraceKeepsTheLast(t *testing.T) {
	trace := NewTrace("x", nil)
	for i := range traceKept + 50 {
		trace.Add(Sent, fmt.Sprint(i))
	}
	all := trace.Last(traceKept*2, func(Entry) bool { return true })
	if len(all) != traceKept || all[0].Text != "50" || all[traceKept-1].Text != fmt.Sprint(traceKept+49) {
		t.Errorf("kept %d, from %q to %q", len(all), all[0].Text, all[len(all)-1].Text)
	}
	even := trace.Last(2, func(e Entry) bool { return strings.HasSuffix(e.Text, "8") })
	if len(even) != 2 || even[0].Text != "238" || even[1].Text != "248" {
		t.Errorf("last two that end in 8: %v", even)
	}
}

// TestErrorText compares the texts of failures.
func TestErrorText(t *testing.T) {
	err := &Error{
		Engine: "folium", Command: "AI", After: 2*time.Second + 300*time.Microsecond,
		Err:    fmt.Errorf("%w: signal: segmentation fault", ErrDied),
		Last:   []Entry{{Dir: Sent, Text: "AI"}, {Dir: Received, Text: strings.Repeat("x", 100)}},
		Stderr: []string{"oh\x07"},
	}
	want := `folium: AI: died: signal: segmentation fault after 2s; last lines: >"AI" <"` + strings.Repeat("x", 80) + `..."; stderr: "oh\a"`
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	if !Lost(err) || !errors.Is(err, ErrDied) || Lost(ErrRefused) {
		t.Error("what is lost is misjudged")
	}
	if got := (&Error{Engine: "x", Err: ErrClosed}).Error(); got != "x: session closed" {
		t.Errorf("got %s", got)
	}
}

func TestDeadlinesOrDefault(t *testing.T) {
	got := Deadlines{Reply: time.Hour}.OrDefault()
	want := DefaultDeadlines()
	want.Reply = time.Hour
	if got != want {
		t.Errorf("got %+v", got)
	}
}
