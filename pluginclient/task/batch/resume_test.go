package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
)

// testLog is a Log in memory that fails after some records, as if the process were killed.
type testLog struct {
	*memLog
	left    int
	records [][]byte
	refs    []int64
}

var errKilled = errors.New("killed")

func (l *testLog) Append(record []byte) (int64, error) {
	if l.left--; l.left < 0 {
		return 0, errKilled
	}
	ref, err := l.memLog.Append(record)
	l.records, l.refs = append(l.records, bytes.Clone(record)), append(l.refs, ref)
	return ref, err
}

func (l *testLog) Replay(each func(int64, []byte) error) (bool, error) {
	for i, record := range l.records {
		if err := each(l.refs[i], record); err != nil {
			return false, err
		}
	}
	return false, nil
}

// TestResume interrupts a run after any number of answers and resumes it, repeatedly. The final
// output equals that of an uninterrupted run: the same bytes, or if unordered the same lines. Each
// output starts with the previous one.
func TestResume(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unordered := rapid.Bool().Draw(t, "unordered")
		noDedup := rapid.Bool().Draw(t, "no dedup")
		shard := rapid.SampledFrom([]Shard{{}, {1, 2}, {3, 3}}).Draw(t, "shard")
		var input strings.Builder
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 9), 0, 40).Draw(t, "piles") {
			fmt.Fprintf(&input, "%d first 2\n", n)
		}
		count := &counting{search: rank}
		var unbroken bytes.Buffer
		farm := &farm{search: count.Search}
		want, err := runPool(t.Context(), stones(input.String()), &jsonSink{&unbroken}, PoolOptions{Open: farm.Open}, Options{NoDedup: noDedup, Shard: shard})
		if err != nil {
			t.Fatal(err)
		}
		searches := total(count.count)
		clear(count.count)

		log := &testLog{memLog: &memLog{halfSize: memLogSize / 2}}
		var got Tally
		var before, out bytes.Buffer
		for broken := true; broken; {
			log.left = rapid.IntRange(0, 20).Draw(t, "until")
			jobs := rapid.IntRange(1, 3).Draw(t, "jobs")
			before, out = out, bytes.Buffer{}
			got, err = runPool(t.Context(), stones(input.String()), &jsonSink{&out}, PoolOptions{Open: farm.Open, Jobs: jobs},
				Options{Unordered: unordered, NoDedup: noDedup, Shard: shard, Log: log})
			broken = errors.Is(err, errKilled)
			if err != nil && !broken {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(out.Bytes(), before.Bytes()) {
				t.Fatalf("the output was\n%sand is\n%s", before.String(), out.String())
			}
			if lines := bytes.Count(out.Bytes(), []byte("\n")); lines != len(log.records) {
				t.Fatalf("%d lines, %d records", lines, len(log.records))
			}
		}
		if got != want {
			t.Fatalf("tally %+v, want %+v", got, want)
		}
		wantText, gotText := unbroken.String(), out.String()
		if unordered {
			wantText, gotText = sorted(wantText), sorted(gotText)
		}
		if diff := cmp.Diff(wantText, gotText); diff != "" {
			t.Fatal(diff)
		}
		// Positions whose search was interrupted are searched again, no others.
		if again := total(count.count) - searches; again < 0 || !noDedup && len(count.count) > searches {
			t.Fatalf("%d searches, want %d", total(count.count), searches)
		}
	})
}

func total(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

func sorted(text string) string {
	return strings.Join(slices.Sorted(strings.Lines(text)), "")
}

// TestResumeOtherInput: an input that differs from the one in the log is refused; differences after
// the logged answers are not detected.
func TestResumeOtherInput(t *testing.T) {
	farm := &farm{search: rank}
	log := &testLog{memLog: &memLog{halfSize: memLogSize / 2}, left: 5}
	_, err := runPool(t.Context(), stones(piles(9)), &collect{}, PoolOptions{Open: farm.Open}, Options{Log: log})
	if !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	swapped := &testLog{memLog: log.memLog, records: slices.Clone(log.records), refs: log.refs}
	slices.Reverse(swapped.records)
	slices.Reverse(swapped.refs)
	for _, c := range []struct {
		name, input string
		unordered   bool
		log         *testLog
		want        error
		answers     int
	}{
		{"the same", piles(9), false, log, nil, 9},
		{"another answered one", strings.Replace(piles(9), "3", "4", 1), false, log, ErrOtherInput, 2},
		{"a shorter one", piles(4), false, log, ErrOtherInput, 4},
		{"one that differs behind the answers", strings.Replace(piles(9), "8", "7", 1), false, log, nil, 9},
		{"in another order", piles(9), true, swapped, nil, 9},
		{"in another order, another one", strings.Replace(piles(9), "3", "4", 1), true, swapped, ErrOtherInput, 0},
		{"in another order, a shorter one", piles(4), true, swapped, ErrOtherInput, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			sink := &collect{}
			c.log.left = 100
			resumed := *c.log
			_, err := runPool(t.Context(), stones(c.input), sink, PoolOptions{Open: farm.Open}, Options{Log: &resumed, Unordered: c.unordered})
			if !errors.Is(err, c.want) || len(sink.answers) != c.answers {
				t.Errorf("%d answers, error %v; want %d, %v", len(sink.answers), err, c.answers, c.want)
			}
		})
	}
}

// TestResumeFarAhead: the first record of a log may belong to any position of the input.
func TestResumeFarAhead(t *testing.T) {
	farm, input := &farm{search: rank}, strings.Repeat(piles(9), 100)
	log := &testLog{memLog: &memLog{halfSize: memLogSize / 2}, left: 1000}
	if _, err := runPool(t.Context(), stones(input), &collect{}, PoolOptions{Open: farm.Open}, Options{Log: log}); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(log.records)
	slices.Reverse(log.refs)
	sink := &collect{}
	tally, err := runPool(t.Context(), stones(input), sink, PoolOptions{Open: farm.Open}, Options{Log: log, Unordered: true})
	if err != nil || tally.Done != 900 || sink.answers[0].Line != 900 {
		t.Errorf("%d answers, %v", tally.Done, err)
	}
}

// TestResumeBroken: a run that is cancelled during the replay does not wait for its input.
func TestResumeBroken(t *testing.T) {
	farm := &farm{search: rank}
	log := &testLog{memLog: &memLog{halfSize: memLogSize / 2}, left: 5}
	_, _ = runPool(t.Context(), stones(piles(9)), &collect{}, PoolOptions{Open: farm.Open}, Options{Log: log})
	ctx, stop := context.WithCancel(t.Context())
	silent := make(chan struct{})
	defer close(silent)
	src := sourceFunc(func() (Item, error) {
		stop()
		<-silent
		return Item{}, errBroken
	})
	if _, err := runPool(ctx, src, &collect{}, PoolOptions{Open: farm.Open}, Options{Log: log}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// forgetful is a Log that keeps no records.
type forgetful struct{ memLog }

func (*forgetful) Append([]byte) (int64, error) { return 7, nil }
func (*forgetful) At(int64) ([]byte, error) {
	e := entry{reply: &Reply{}}
	return e.append(nil), nil
}

// TestForgetfulLog: a reply that belongs to another position is not used.
func TestForgetfulLog(t *testing.T) {
	sink := &collect{}
	farm := &farm{search: func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
		return firstMove(ctx, pos, lim)
	}}
	_, err := runPool(t.Context(), stones(strings.Repeat(piles(3), 100)), sink, PoolOptions{Open: farm.Open}, Options{Log: &forgetful{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range sink.answers {
		if len(a.Hints) != 1 {
			t.Fatalf("line %d has %d hints", a.Line, len(a.Hints))
		}
	}
}

// TestEntry: an entry reads back the same, and any other bytes give at most an error.
func TestEntry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := entry{index: rapid.IntRange(0, 1<<40).Draw(t, "index"), sum: rapid.Uint32().Draw(t, "sum"), equal: rapid.Bool().Draw(t, "equal")}
		if rapid.Bool().Draw(t, "replied") {
			e.cached = rapid.Bool().Draw(t, "cached")
			e.key = Key(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "key"))
			e.reply = &Reply{Engine: rapid.String().Draw(t, "engine"), Cached: e.cached}
			if rapid.Bool().Draw(t, "failed") {
				e.reply.Err = errors.New(rapid.String().Draw(t, "error"))
			}
		} else if e.equal {
			e.ref = rapid.Int64Min(0).Draw(t, "ref")
		}
		got, err := parseEntry(e.append(nil))
		same := cmp.Comparer(func(a, b error) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
		if diff := cmp.Diff(e, got, cmp.AllowUnexported(entry{}), cmp.AllowUnexported(engine.Score{}), same); diff != "" || err != nil {
			t.Fatal(diff, err)
		}
		_, _ = parseEntry(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
	})
}

// TestResumeInterrupted cancels runs during the replay: no position is answered twice.
func TestResumeInterrupted(t *testing.T) {
	farm, input := &farm{search: rank}, strings.Repeat("0 first 2\n"+piles(1), 50)
	log := &testLog{memLog: &memLog{halfSize: memLogSize / 2}, left: 100}
	if _, err := runPool(t.Context(), stones(input), &collect{}, PoolOptions{Open: farm.Open}, Options{Log: log, NoDedup: true}); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		ctx, stop := context.WithCancel(t.Context())
		log.left = 1000
		resumed := *log
		resumed.records = log.records[:50]
		sink := &collect{}
		o := Options{Log: &resumed, Unordered: true, NoDedup: true}
		_, err := runPool(ctx, stones(input), sinkFunc(func(a Answer) error {
			if len(sink.answers) == i%50 {
				stop()
				time.Sleep(time.Millisecond) // gives the reader time to notice
			}
			return sink.Write(a)
		}), PoolOptions{Open: farm.Open}, o)
		stop()
		lines := sink.lines()
		slices.Sort(lines)
		if twice := len(lines) - len(slices.Compact(lines)); twice > 0 || !errors.Is(err, context.Canceled) {
			t.Fatalf("%d answers of %d are there twice; %v", twice, len(lines), err)
		}
	}
}
