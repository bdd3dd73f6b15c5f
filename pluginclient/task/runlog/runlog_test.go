package runlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"qhsh/engine/filelock"
)

const terms = `{"hints":1,"x":"y"}` + "\n"

var errForeign = errors.New("it is no log")

func kind(f Framing) Kind {
	return Kind{Prefix: `{"hints":`, ErrForeign: errForeign, Framing: f, Repair: "remove it"}
}

var framings = map[string]Framing{"checked": Checked, "lines": Lines}

// anyRecord draws a record that a framing can hold.
func anyRecord(t *rapid.T, f Framing) []byte {
	if f == Lines {
		return MarshalLine(rapid.StringN(0, 30, -1).Draw(t, "text"))
	}
	return rapid.SliceOfN(rapid.Byte(), 1, 30).Draw(t, "record")
}

// write creates a log with some records, as a killed process leaves it. Ends are the offsets after
// each record.
func write(t *rapid.T, path string, f Framing, n int) (records [][]byte, ends []int64) {
	os.Remove(path)
	l := must(Open(path, kind(f)))
	l.Begin([]byte(terms))
	for range n {
		record := anyRecord(t, f)
		ref := must(l.Append(record))
		if got := must(l.At(ref)); !bytes.Equal(got, record) {
			t.Fatalf("at %d is %q, want %q", ref, got, record)
		}
		records, ends = append(records, record), append(ends, l.size)
	}
	l.waitSync()
	l.file.Close()
	return records, ends
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// replay returns the records of a log, each found again by its reference.
func replay(t *rapid.T, l *Log) (records [][]byte, damaged bool) {
	var refs []int64
	damaged, err := l.Replay(func(ref int64, record []byte) error {
		records, refs = append(records, bytes.Clone(record)), append(refs, ref)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, ref := range refs {
		if got := must(l.At(ref)); !bytes.Equal(got, records[i]) {
			t.Fatalf("record %d is %q at %d, want %q", i, got, ref, records[i])
		}
	}
	return records, damaged
}

// TestKilled truncates the file at any byte after the manifest, as a killed process may: all whole
// records are kept, and the log continues after them.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.run")
	for name, f := range framings {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				records, ends := write(t, path, f, rapid.IntRange(1, 12).Draw(t, "records"))
				cut := rapid.Int64Range(int64(len(terms)), ends[len(ends)-1]).Draw(t, "cut")
				if err := os.Truncate(path, cut); err != nil {
					t.Fatal(err)
				}
				want, _ := slices.BinarySearch(ends, cut+1)
				l := must(Open(path, kind(f)))
				if string(l.Run().Manifest) != terms || l.Unfinished() != (cut > int64(len(terms))) {
					t.Fatalf("terms %q, unfinished %v", l.Run().Manifest, l.Unfinished())
				}
				if n := must(l.Count()); n != want || must(l.file.Stat()).Size() != cut {
					t.Fatalf("Count returned %d records in %d bytes", n, must(l.file.Stat()).Size())
				}
				got, damaged := replay(t, l)
				if diff := cmp.Diff(records[:want], got, cmpopts.EquateEmpty()); diff != "" || damaged || l.Empty() != (want == 0) {
					t.Fatalf("%s, damaged %v", diff, damaged)
				}
				more := anyRecord(t, f)
				must(l.Append(more))
				must(0, l.Close())
				l = must(Open(path, kind(f)))
				defer l.Close()
				if got, _ := replay(t, l); len(got) != want+1 || !bytes.Equal(got[want], more) {
					t.Fatalf("%q, want %d and %q", got, want, more)
				}
			})
		})
	}
}

// TestDamaged flips a bit anywhere after the manifest, as a machine crash may: the records before
// it are kept, and no wrong record is returned.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.run")
	rapid.Check(t, func(t *rapid.T) {
		records, ends := write(t, path, Checked, rapid.IntRange(1, 12).Draw(t, "records"))
		data := must(os.ReadFile(path))
		at := rapid.IntRange(len(terms), len(data)-1).Draw(t, "at")
		data[at] ^= byte(1) << rapid.IntRange(0, 7).Draw(t, "bit")
		must(0, os.WriteFile(path, data, 0o666))
		want, _ := slices.BinarySearch(ends, int64(at)+1)
		l := must(Open(path, kind(Checked)))
		defer l.Close()
		got, _ := replay(t, l)
		if len(got) != want {
			t.Fatalf("%d records; want %d of %d", len(got), want, len(records))
		}
	})
}

// TestDamagedLine: a line that is not JSON is an error if one of JSON follows, and the file is not
// truncated.
func TestDamagedLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.run")
	const content = terms + "1\nx\n2\n"
	must(0, os.WriteFile(path, []byte(content), 0o666))
	l := must(Open(path, kind(Lines)))
	defer l.Close()
	const want = "line 3: torn line: invalid character 'x' looking for beginning of value: remove it"
	if _, err := l.Count(); err == nil || err.Error() != want {
		t.Errorf("count: %v", err)
	}
	if _, err := l.Replay(func(int64, []byte) error { return nil }); err == nil || err.Error() != want {
		t.Errorf("replay: %v", err)
	}
	if got := must(os.ReadFile(path)); string(got) != content {
		t.Errorf("the file is %q", got)
	}
}

// TestTornLines: what a torn record leaves at the end is cut, also if it holds line feeds.
func TestTornLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.run")
	for _, torn := range []string{"{", "{\n", "{\"x\n\":3}\n", "{\x00\n\n\x00\n", "x\n1"} {
		must(0, os.WriteFile(path, []byte(terms+"1\n"+torn), 0o666))
		l := must(Open(path, kind(Lines)))
		n := 0
		if _, err := l.Replay(func(int64, []byte) error { n++; return nil }); err != nil || n != 1 {
			t.Errorf("%q: %d records, %v", torn, n, err)
		}
		must(0, l.Close())
		if got := string(must(os.ReadFile(path))); got != terms+"1\n" {
			t.Errorf("%q: the file is %q", torn, got)
		}
	}
}

// FuzzReplay reads arbitrary bytes after the start of a log.
func FuzzReplay(f *testing.F) {
	f.Add([]byte(terms))
	f.Add([]byte(`{"hi`))
	f.Add([]byte(terms + `{"finished":{"bytes":1,"summary":{}}}` + "\n"))
	f.Add([]byte(terms + `{"finished":{`))
	f.Add([]byte(terms + "\xff\xff\xff\x0f\x00\x00\x00\x00abc"))
	f.Add([]byte(terms + "1\n[2]\n{"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, framing := range framings {
			path := filepath.Join(dir, "fuzz.run")
			must(0, os.WriteFile(path, data, 0o666))
			l, err := Open(path, kind(framing))
			if err != nil {
				continue
			}
			n := 0
			if l.Unfinished() {
				_, err = l.Replay(func(int64, []byte) error { n++; return nil })
			}
			if l.size > int64(len(data)) || err != nil && framing == Checked {
				t.Errorf("%d bytes, %v", l.size, err)
			}
			l.file.Close()
		}
	})
}

// TestOpen: which files are accepted as logs.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.run")
	for _, c := range []struct {
		name, content string
		terms         string
		unfinished    bool
		err           error
	}{
		{"empty", "", "", false, nil},
		{"killed at once", `{"hin`, "", false, nil},
		{"no answer", terms, terms, false, nil},
		{"an answer", terms + "12345678", terms, true, nil},
		{"finished", terms + `{"finished":{"bytes":0,"input":0,"summary":{}}}` + "\n", terms, false, nil},
		{"something else", "precious\n", "", false, errForeign},
		{"JSON of something else", `{"hints":["a"]}` + "\n", "", false, errForeign},
	} {
		t.Run(c.name, func(t *testing.T) {
			must(0, os.WriteFile(path, []byte(c.content), 0o666))
			l, err := Open(path, kind(Checked))
			if !errors.Is(err, c.err) {
				t.Fatalf("error %v, want %v", err, c.err)
			}
			if err == nil {
				if string(l.Run().Manifest) != c.terms || l.Unfinished() != c.unfinished {
					t.Errorf("terms %q, unfinished %v", l.Run().Manifest, l.Unfinished())
				}
				if _, err := Open(path, kind(Checked)); !errors.Is(err, filelock.ErrInUse) {
					t.Errorf("opened twice: %v", err)
				}
				must(0, l.Close())
			}
			if got := must(os.ReadFile(path)); string(got) != c.content {
				t.Errorf("the file is %q now", got)
			}
		})
	}
}

// TestBegin: a log is unchanged, or missing, until the first record of another run.
func TestBegin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.run")
	l := must(Open(path, kind(Checked)))
	l.Begin([]byte(terms))
	must(0, l.Close())
	if _, err := os.Stat(path); err == nil {
		t.Error("a file without records was left")
	}
	const before = terms + `{"finished":{"bytes":0}}` + "\n"
	must(0, os.WriteFile(path, []byte(before), 0o666))
	other := strings.Replace(terms, "y", "z", 1)
	for _, records := range []int{0, 1} {
		l := must(Open(path, kind(Checked)))
		if figures := string(l.Run().Summary); figures != `{"bytes":0}` {
			t.Errorf("figures %s", figures)
		}
		l.Begin([]byte(other))
		must(l.Replay(func(int64, []byte) error { return errors.New("there is a record") }))
		for range records {
			must(l.Append([]byte("record")))
		}
		must(0, l.Close())
		want := before
		if records > 0 {
			want = string(Checked.append([]byte(other), []byte("record")))
		}
		if got := must(os.ReadFile(path)); string(got) != want {
			t.Errorf("after %d records the file is %q, want %q", records, got, want)
		}
	}
}

// TestFinish: a finished run leaves its manifest and summary, also without a record.
func TestFinish(t *testing.T) {
	dir := t.TempDir()
	path := Path(filepath.Join(dir, "out"))
	for records := range 3 {
		l := must(Open(path, kind(Checked)))
		l.Begin([]byte(terms))
		for range records {
			must(l.Append([]byte("record")))
		}
		must(0, l.Finish(map[string]int{"records": records}))
		run := must(Read(path, kind(Checked)))
		want := Run{[]byte(terms), json.RawMessage(fmt.Sprintf(`{"records":%d}`, records))}
		if diff := cmp.Diff(want, run); diff != "" {
			t.Error(diff)
		}
	}
	if files := must(os.ReadDir(dir)); len(files) != 1 {
		t.Errorf("files: %v", files)
	}
}

// TestRewrite writes the records in another order, under another manifest.
func TestRewrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.run")
	l := must(Open(path, kind(Lines)))
	l.Begin([]byte(terms))
	var refs []int64
	for _, record := range []string{"1\n", "2\n", "3\n"} {
		refs = append(refs, must(l.Append([]byte(record))))
	}
	must(0, l.Rewrite([]byte(`{"hints":2}`+"\n"), []int64{refs[2], refs[0]}))
	if got := must(os.ReadFile(path)); string(got) != `{"hints":2}`+"\n3\n1\n" {
		t.Errorf("the file is %q", got)
	}
}

// TestFails: after a failed write the log accepts no more records, and the file keeps its contents.
func TestFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.run")
	for name, end := range map[string]func(*Log) error{
		"closed":    func(l *Log) error { return errors.Join(l.err, l.Close()) },
		"finished":  func(l *Log) error { return l.Finish(0) },
		"rewritten": func(l *Log) error { return l.Rewrite([]byte(terms), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			os.Remove(path)
			l := must(Open(path, kind(Checked)))
			l.Begin([]byte(terms))
			must(l.Append([]byte("record")))
			want := must(os.ReadFile(path))
			file := l.file
			l.file = must(os.Open(path)) // not writable
			_, err := l.Append([]byte("record"))
			if err == nil {
				t.Fatal("no error")
			}
			if _, again := l.Append([]byte("record")); again != err {
				t.Errorf("second error %v", again)
			}
			if got := end(l); got == nil || got.Error() != err.Error() {
				t.Errorf("final error %v, want %v", got, err)
			}
			must(0, file.Close())
			if got := must(os.ReadFile(path)); !bytes.Equal(got, want) {
				t.Errorf("the file is %q, want %q", got, want)
			}
		})
	}
}
