package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
)

// recorder is a Journal in memory that breaks down after some entries, as a process does that
// is killed. Offsets are of the output after each entry.
type recorder struct {
	*shelf
	left    int
	out     *bytes.Buffer
	entries []Entry
	refs    []int64
	offsets []int
}

var errKilled = errors.New("killed")

func (r *recorder) Note(e Entry) (int64, error) {
	if r.left--; r.left < 0 {
		return -1, errKilled
	}
	ref, err := r.shelf.Note(e)
	r.entries, r.refs, r.offsets = append(r.entries, e), append(r.refs, ref), append(r.offsets, r.out.Len())
	return ref, err
}

// resume is how far the entries have come.
func (r *recorder) resume(check bool) *Resume {
	resume := &Resume{Index: &Index{}, Check: check}
	for i, e := range r.entries {
		resume.Advance(e.Index, e.Sum)
		resume.Tally = resume.Tally.Plus(e.Adds)
		if r.refs[i] >= 0 {
			resume.Index.Put(e.Key, r.refs[i])
		}
	}
	return resume
}

// TestResume breaks a run off after any number of answers, goes on, and again, and wants the
// output of an unbroken run: the same bytes, or without an order the same lines.
func TestResume(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unordered := rapid.Bool().Draw(t, "unordered")
		check := rapid.Bool().Draw(t, "check")
		jobs := rapid.IntRange(1, 3).Draw(t, "jobs")
		var input strings.Builder
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 9), 0, 40).Draw(t, "piles") {
			fmt.Fprintf(&input, "%d first 2\n", n)
		}
		count := &counting{search: rank}
		var unbroken, out bytes.Buffer
		farm := &farm{search: count.Search}
		want, err := runPool(t.Context(), stones(input.String()), newJSONSink(&unbroken), PoolOptions{Open: farm.Open}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		searches := len(count.count)
		clear(count.count)

		keep := &recorder{shelf: newShelf(), out: &out}
		var got Tally
		for broken := true; broken; {
			keep.left = rapid.IntRange(0, 20).Draw(t, "until")
			got, err = runPool(t.Context(), stones(input.String()), newJSONSink(&out), PoolOptions{Open: farm.Open, Jobs: jobs},
				Options{Unordered: unordered, Journal: keep, Resume: keep.resume(check)})
			broken = errors.Is(err, errKilled)
			if err != nil && !broken {
				t.Fatal(err)
			}
			if broken { // the answer without an entry is cut off
				out.Truncate(append([]int{0}, keep.offsets...)[len(keep.offsets)])
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
		if len(count.count) != searches {
			t.Fatalf("%d positions were searched, want %d", len(count.count), searches)
		}
	})
}

func sorted(text string) string {
	return strings.Join(slices.Sorted(strings.Lines(text)), "")
}

// TestResumeOtherInput: what is behind the answers of another input is not answered.
func TestResumeOtherInput(t *testing.T) {
	var out bytes.Buffer
	keep := &recorder{shelf: newShelf(), out: &out, left: 5}
	farm := &farm{search: rank}
	_, err := runPool(t.Context(), stones(piles(9)), newJSONSink(&out), PoolOptions{Open: farm.Open}, Options{Journal: keep})
	if !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, input string
		check       bool
		want        error
	}{
		{"the same, looked at", piles(9), true, nil},
		{"the same", piles(9), false, nil},
		{"another one, looked at", strings.Replace(piles(9), "3", "4", 1), true, ErrOtherInput},
		{"a shorter one", piles(4), false, ErrOtherInput},
		{"a shorter one, looked at", piles(4), true, ErrOtherInput},
	} {
		t.Run(c.name, func(t *testing.T) {
			sink := &collect{}
			_, err := runPool(t.Context(), stones(c.input), sink, PoolOptions{Open: farm.Open}, Options{Resume: keep.resume(c.check)})
			if !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if c.want != nil && len(sink.answers) > 0 {
				t.Errorf("lines %v were answered", sink.lines())
			}
		})
	}
}

// forgetful is a Journal that keeps nothing.
type forgetful struct{}

func (forgetful) Note(Entry) (int64, error)             { return 7, nil }
func (forgetful) Reply(int64) (k Key, r Reply, e error) { return k, r, nil }

// TestForgetfulJournal: a reply that is not the position's own is not believed.
func TestForgetfulJournal(t *testing.T) {
	sink := &collect{}
	farm := &farm{search: func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
		return firstMove(ctx, pos, lim)
	}}
	_, err := runPool(t.Context(), stones(strings.Repeat(piles(3), 100)), sink, PoolOptions{Open: farm.Open}, Options{Journal: forgetful{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range sink.answers {
		if len(a.Hints) != 1 {
			t.Fatalf("line %d has %d hints", a.Line, len(a.Hints))
		}
	}
}
