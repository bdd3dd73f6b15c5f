package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/pluginclient/filelock"
	"qhsh/pluginclient/task/batch"
)

const terms = `{"hints":1,"x":"y"}` + "\n"

// run is a journal with its output, written as a run does it.
type run struct {
	path    string
	output  []byte
	entries []batch.Entry
	offsets []int // of the output behind each entry
	ends    []int // of the journal behind each
}

// write makes a run of some entries; the journal's file is left behind as by a killed process.
func write(t *rapid.T, path string, n int) *run {
	j := must(Open(path))
	if err := j.Begin([]byte(terms), nil); err != nil {
		t.Fatal(err)
	}
	r := &run{path: path}
	var out bytes.Buffer
	w := j.Output(&out)
	for i := range n {
		fmt.Fprint(w, rapid.StringN(0, 30, -1).Draw(t, "answer"))
		e := batch.Entry{Index: i, Sum: uint32(7 * i), Adds: batch.Tally{Done: 1}}
		if rapid.Bool().Draw(t, "has reply") {
			e.Key = batch.Key{byte(i), 1}
			e.Reply = &batch.Reply{Engine: "x", Hints: []batch.Hint{{Move: rapid.String().Draw(t, "move")}}}
		}
		e.Adds.Failed = rapid.IntRange(0, 1).Draw(t, "failed")
		e.Adds.Equal = rapid.IntRange(0, 1).Draw(t, "equal")
		e.Adds.Cached = rapid.IntRange(0, 1).Draw(t, "cached")
		e.Adds.Scored = rapid.IntRange(0, 1).Draw(t, "scored")
		e.Adds.Solved = rapid.IntRange(0, 1).Draw(t, "solved")
		if _, err := j.Note(e); err != nil {
			t.Fatal(err)
		}
		r.entries = append(r.entries, e)
		r.offsets = append(r.offsets, out.Len())
		r.ends = append(r.ends, int(j.size))
	}
	r.output = out.Bytes()
	j.file.Close()
	return r
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// wantState compares what a journal tells with the first n entries of its run.
func wantState(t *rapid.T, r *run, j *Journal, s State, n int) {
	var tally batch.Tally
	var size int
	for i, e := range r.entries[:n] {
		tally = tally.Plus(e.Adds)
		size = r.offsets[i]
		if e.Reply == nil {
			continue
		}
		ref, ok := s.Index.Get(e.Key)
		if !ok {
			t.Fatalf("the reply of entry %d is not known", i)
		}
		key, reply, err := j.Reply(ref)
		if err != nil || key != e.Key || !bytes.Equal(batch.AppendReply(nil, reply), batch.AppendReply(nil, *e.Reply)) {
			t.Fatalf("reply %d is %v %+v, %v", i, key, reply, err)
		}
	}
	if s.Tally != tally || s.Next != n || int(s.Bytes) != size || j.Noted() != s.Bytes {
		t.Fatalf("%+v at %d, %d bytes; want %+v at %d, %d bytes", s.Tally, s.Next, s.Bytes, tally, n, size)
	}
}

// TestKilled cuts the files at any byte, as a process does that is killed: everything whose
// record is whole and whose output is there is kept, and nothing else.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(dir, "out.run")
		os.Remove(path)
		r := write(t, path, rapid.IntRange(0, 12).Draw(t, "entries"))
		size := must(os.Stat(path)).Size()
		cut := rapid.Int64Range(int64(len(terms)), size).Draw(t, "cut")
		outCut := rapid.IntRange(0, len(r.output)).Draw(t, "output cut")
		if err := os.Truncate(path, cut); err != nil {
			t.Fatal(err)
		}
		want := 0
		for want < len(r.entries) && int64(r.ends[want]) <= cut && r.offsets[want] <= outCut {
			want++
		}
		j := must(Open(path))
		defer j.file.Close()
		if string(j.Manifest()) != terms {
			t.Fatalf("manifest %q", j.Manifest())
		}
		s, err := j.Resume(bytes.NewReader(r.output[:outCut]), -1, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantState(t, r, j, s, want)
		if got := must(os.Stat(path)).Size(); got != j.size {
			t.Fatalf("the file has %d bytes, want %d", got, j.size)
		}
	})
}

// TestDamaged flips a bit anywhere behind the manifest, in the journal or in the output, as
// the crash of a machine may: what comes before it is kept.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(dir, "out.run")
		os.Remove(path)
		r := write(t, path, rapid.IntRange(1, 12).Draw(t, "entries"))
		data := must(os.ReadFile(path))
		at := rapid.IntRange(len(terms), len(data)+len(r.output)-1).Draw(t, "at")
		bit := byte(1) << rapid.IntRange(0, 7).Draw(t, "bit")
		ends := r.ends
		if at < len(data) {
			data[at] ^= bit
		} else {
			ends, at = r.offsets, at-len(data)
			r.output[at] ^= bit
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		want := 0
		for want < len(ends) && ends[want] <= at {
			want++
		}
		j := must(Open(path))
		defer j.file.Close()
		s, err := j.Resume(bytes.NewReader(r.output), -1, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantState(t, r, j, s, want)
	})
}

// FuzzResume reads anything that begins as a journal.
func FuzzResume(f *testing.F) {
	f.Add([]byte(terms), []byte("x"))
	f.Add([]byte(`{"hi`), []byte{})
	f.Add([]byte(terms+`{"finished":{"bytes":1,"summary":{}}}`+"\n"), []byte{})
	f.Add([]byte(terms+`{"finished":{`), []byte{})
	f.Add([]byte(terms+"\xff\xff\xff\x0f\x00\x00\x00\x00abc"), []byte{})
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data, output []byte) {
		path := filepath.Join(dir, "fuzz.run")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		j, err := Open(path)
		if err != nil {
			return
		}
		defer j.file.Close()
		if j.Manifest() == nil || j.Finished() != nil {
			return
		}
		s, err := j.Resume(bytes.NewReader(output), -1, nil)
		if err != nil || s.Bytes > int64(len(output)) {
			t.Errorf("%+v of %d bytes, %v", s, len(output), err)
		}
	})
}

// TestMost is for an output that counts its answers by itself.
func TestMost(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(dir, "out.run")
		os.Remove(path)
		n := rapid.IntRange(0, 9).Draw(t, "entries")
		r := write(t, path, n)
		most := rapid.IntRange(0, 12).Draw(t, "most")
		j := must(Open(path))
		defer j.file.Close()
		s, err := j.Resume(nil, most, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantState(t, r, j, s, min(n, most))
	})
}

// TestOpen tells what files can be journals, and whose.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.run")
	for _, c := range []struct {
		name, content string
		manifest      string
		unfinished    bool
		err           error
	}{
		{"new", "", "", false, nil},
		{"killed at once", `{"hin`, "", false, nil},
		{"no answer", terms, terms, false, nil},
		{"an answer", terms + "12345678", terms, true, nil},
		{"finished", terms + `{"finished":{"bytes":0,"input":0,"summary":{}}}` + "\n", terms, false, nil},
		{"something else", "precious\n", "", false, ErrForeign},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(c.content), 0o666); err != nil {
				t.Fatal(err)
			}
			j, err := Open(path)
			if !errors.Is(err, c.err) {
				t.Fatalf("error %v, want %v", err, c.err)
			}
			if err != nil {
				if got := must(os.ReadFile(path)); string(got) != c.content {
					t.Errorf("the file is %q now", got)
				}
				return
			}
			if string(j.Manifest()) != c.manifest || j.Unfinished() != c.unfinished {
				t.Errorf("manifest %q, unfinished %v", j.Manifest(), j.Unfinished())
			}
			if _, err := Open(path); !errors.Is(err, filelock.ErrUsed) {
				t.Errorf("opened twice: %v", err)
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFinish: a finished run leaves its terms and how it has ended, until another one has come
// to something.
func TestFinish(t *testing.T) {
	dir := t.TempDir()
	output := filepath.Join(dir, "out")
	path := Path(output)
	if err := os.WriteFile(output, []byte("12345"), 0o666); err != nil {
		t.Fatal(err)
	}
	want := &Finished{Bytes: 5, Input: 9, Summary: json.RawMessage(`{"x":1}`)}
	tell := func(when string, want *Finished) {
		t.Helper()
		if diff := cmp.Diff(want, must(Outcome(output))); diff != "" {
			t.Error(when, diff)
		}
	}
	tell("without a journal", nil)
	j := must(Open(path))
	begin(t, j, terms)
	tell("while it goes on", nil)
	for i, sum := range []uint32{4, 9} {
		must(j.Note(batch.Entry{Index: i, Sum: sum}))
	}
	must(0, j.Finish(Finished{Bytes: 5, Summary: want.Summary}))
	tell("at the end", want)

	j = must(Open(path))
	if string(j.Manifest()) != terms || j.Unfinished() || cmp.Diff(want, j.Finished()) != "" {
		t.Errorf("opened again it has %q, %v, %+v", j.Manifest(), j.Unfinished(), j.Finished())
	}
	begin(t, j, `{"hints":1,"x":"other"}`+"\n")
	tell("when another run has begun", nil)
	must(0, j.Close())
	tell("when that has come to nothing", want)

	j = must(Open(path))
	begin(t, j, terms)
	must(j.Note(batch.Entry{}))
	must(0, j.Close())
	tell("when it has come to something", nil)

	j = must(Open(path))
	must(j.Resume(nil, -1, nil))
	must(0, j.Finish(Finished{Bytes: 4}))
	tell("when the output is another one", nil)
	if files := must(os.ReadDir(dir)); len(files) != 2 {
		t.Errorf("there are %v", files)
	}
}

func begin(t *testing.T, j *Journal, terms string) {
	t.Helper()
	if err := j.Begin([]byte(terms), nil); err != nil {
		t.Fatal(err)
	}
}

// TestSyncFails: once the output cannot be brought to the disk, a journal takes
// nothing any more, and closes.
func TestSyncFails(t *testing.T) {
	j := must(Open(filepath.Join(t.TempDir(), "out.run")))
	broken := errors.New("broken")
	if err := j.Begin([]byte(terms), func() error { return broken }); err != nil {
		t.Fatal(err)
	}
	j.synced = j.synced.Add(-2 * syncEvery)
	var err error
	for i := 0; err == nil; i++ {
		_, err = j.Note(batch.Entry{Index: i})
	}
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if _, again := j.Note(batch.Entry{}); again != err {
		t.Errorf("then error %v", again)
	}
	if err := j.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}
