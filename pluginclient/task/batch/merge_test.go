package batch

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
)

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"1/1": {1, 1}, "2/4": {2, 4}, "10000/10000": {10000, 10000}} {
		if got, err := ParseShard(text); got != want || err != nil || got.String() != text {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "2", "/", "0/4", "5/4", "-1/4", "1/4/2", "1/10001", "1/x"} {
		if got, err := ParseShard(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// TestShardsShareOut: every position is in one part, and Count returns the size of each part.
func TestShardsShareOut(t *testing.T) {
	for of := 1; of < 6; of++ {
		for total := range 14 {
			held := make([]int, total)
			for k := range of {
				shard, n := Shard{k + 1, of}, 0
				for i := range total {
					if shard.has(i) {
						held[i]++
						n++
					}
				}
				if n != shard.Count(total) {
					t.Errorf("%s of %d has %d positions and counts %d", shard, total, n, shard.Count(total))
				}
			}
			if strings.Trim(fmt.Sprint(held), "[1 ]") != "" {
				t.Errorf("%d parts of %d: %v", of, total, held)
			}
		}
	}
	if got := (Shard{}).Count(7); got != 7 || !(Shard{}).has(3) {
		t.Errorf("the whole has %d of 7", got)
	}
}

// TestMerge: merging the parts gives the output of an undivided run.
func TestMerge(t *testing.T) {
	enginetest.SkipUnderRace(t)
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(genAnswer(), 0, 7).Draw(t, "answers")
		for i := range all {
			all[i].Line = i + 1
			if all[i].Engine != "" {
				all[i].Engine, all[i].Spec, all[i].Limits = "x", "", Limits{} // equal for all answers, as in one run
			}
			if i > 0 && rapid.Bool().Draw(t, "alike") {
				all[i].Fields = all[0].Fields
			}
		}
		of := rapid.IntRange(1, 4).Draw(t, "parts")
		for _, format := range Formats(3) {
			if format.Write == nil || format.Name == "epd" && hasStones(all) {
				continue
			}
			var parts []io.Reader
			var texts []string
			for k := range of {
				var mine []Answer
				for i, a := range all {
					if (Shard{k + 1, of}).has(i) {
						mine = append(mine, a)
					}
				}
				text := written(t, format, mine)
				parts, texts = append(parts, strings.NewReader(text)), append(texts, text)
			}
			var got bytes.Buffer
			merge := func() error { return Merge(&got, format.Name, parts) }
			if format.Name == "csv" || format.Name == "parquet" { // they are merged as answers
				merge = func() error {
					sink, next := format.Write(&got), make([][]Answer, of)
					for k, text := range texts {
						if format.Name == "csv" {
							next[k] = readCSV(t, text)
						} else {
							next[k], _ = readParquet(t, filepath.Join(dir, "x"), []byte(text))
						}
					}
					for i := range all {
						if err := sink.Write(next[i%of][i/of]); err != nil {
							return err
						}
					}
					return FinishSink(sink)
				}
			}
			if err := merge(); err != nil {
				t.Fatalf("%s: %v", format.Name, err)
			}
			if diff := cmp.Diff(written(t, format, all), got.String()); diff != "" {
				t.Fatalf("%s of %d\n%s", format.Name, of, diff)
			}
		}
	})
}

func hasStones(all []Answer) bool {
	for _, a := range all {
		if a.Pos != nil && a.Pos.Game() != xiangqi.Rules {
			return true
		}
	}
	return false
}

// written returns a whole output.
func written(t rapid.TB, format Format, answers []Answer) string {
	var out strings.Builder
	sink := format.Write(&out)
	for _, a := range answers {
		if err := sink.Write(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := FinishSink(sink); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestMergeRefuses(t *testing.T) {
	for _, c := range []struct{ format, first, second, want string }{
		{"json", "{}\n{", "{}\n", "part 1, answer 2: unexpected EOF"},
		{"text", "engine x\n\nline 1  a\n  1. b\n\n", "engine x\n", "part 2, answer 1: unexpected EOF"},
	} {
		err := Merge(io.Discard, c.format, []io.Reader{strings.NewReader(c.first), strings.NewReader(c.second)})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.format, err, c.want)
		}
	}
}
