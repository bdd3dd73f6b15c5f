package batch

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// anyScore draws any score that an engine can give, or an unknown one.
var anyScore = rapid.Custom(func(t *rapid.T) engine.Score {
	n := rapid.IntRange(-100_000, 100_000).Draw(t, "n")
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return engine.Score{}
	case 1:
		return engine.MateIn(n)
	case 2:
		return engine.MateIn(0).Neg()
	}
	return engine.Centipawns(n)
})

var anyHint = rapid.Custom(func(t *rapid.T) Hint {
	return Hint{
		Move: rapid.String().Draw(t, "move"), Score: anyScore.Draw(t, "score"),
		Depth: rapid.Int().Draw(t, "depth"), Nodes: rapid.Int64().Draw(t, "nodes"),
		PV: rapid.SliceOfN(rapid.String(), 0, 5).Draw(t, "pv"), Text: rapid.String().Draw(t, "text"),
		Details: genDetails.Draw(t, "details"),
	}
})

var anyReply = rapid.Custom(func(t *rapid.T) Reply {
	return Reply{
		Engine: rapid.String().Draw(t, "engine"), Spec: rapid.String().Draw(t, "spec"),
		Limits: genLimits.Draw(t, "limits"), Hints: rapid.SliceOfN(anyHint, 0, 4).Draw(t, "hints"),
		Found: genFound.Draw(t, "found"),
	}
})

var genLimits = rapid.Custom(func(t *rapid.T) (l Limits) {
	if l.HasLevel = rapid.Bool().Draw(t, "has level"); l.HasLevel {
		l.Level = rapid.IntRange(-3, 100).Draw(t, "level")
	}
	l.Nodes = rapid.SampledFrom([]int64{0, 1, 1 << 40}).Draw(t, "nodes")
	l.Depth = rapid.SampledFrom([]int{0, 1, 99}).Draw(t, "depth")
	l.Time = time.Duration(rapid.SampledFrom([]int{0, 1, 3_600_000}).Draw(t, "time")) * time.Millisecond
	return l
})

// genFound draws limits without a level.
var genFound = rapid.Custom(func(t *rapid.T) Limits {
	l := genLimits.Draw(t, "found")
	l.Level, l.HasLevel = 0, false
	return l
})

// sameReply compares replies; an empty list equals nil.
func sameReply(a, b Reply) string {
	return cmp.Diff(a, b, cmpopts.EquateEmpty(), cmp.Comparer(func(a, b engine.Score) bool { return a == b }))
}

// TestReplyBytes: what is written reads back, and shorter or longer bytes are an error, or a reply that ends before
// what was added to replies later.
func TestReplyBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyReply.Draw(t, "reply")
		b := AppendReply([]byte("before"), want)[len("before"):]
		got, err := ParseReply(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := sameReply(want, got); diff != "" {
			t.Fatal(diff)
		}
		cut := b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")]
		// Replies of earlier versions end before the details, those without a history before Found.
		for i := range want.Hints {
			want.Hints[i].Details = engine.Details{}
		}
		early := want
		early.Found = Limits{}
		if got, err := ParseReply(cut); err == nil {
			for i := range got.Hints {
				got.Hints[i].Details = engine.Details{}
			}
			if diff := sameReply(early, got); diff != "" {
				t.Fatalf("%d of %d bytes are another reply: %s", len(cut), len(b), diff)
			}
		} else if !errors.Is(err, errReply) {
			t.Fatal(err)
		}
		if _, err := ParseReply(append(b, 0)); !errors.Is(err, errReply) {
			t.Fatalf("a byte too many is a reply: %v", err)
		}
	})
}

// FuzzParseReply parses arbitrary bytes; what parses reads back the same after it is written again.
func FuzzParseReply(f *testing.F) {
	f.Add(AppendReply(nil, Reply{Engine: "x", Limits: Limits{HasLevel: true, Level: 3}, Hints: []Hint{{Move: "H2-E2", Score: engine.MateIn(2), PV: []string{"H2-E2"}}}}))
	f.Add([]byte{0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := ParseReply(b)
		if err != nil {
			return
		}
		again, err := ParseReply(AppendReply(nil, r))
		if err != nil {
			t.Fatal(err)
		}
		if diff := sameReply(r, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestKeys lists positions in groups of equal ones.
func TestKeys(t *testing.T) {
	groups := [][]string{
		{"startpos", startBoard, startBoard + " w", startBoard + " r - - 0 1", "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w", "fen " + startBoard + " moves"},
		{startBoard + " b"},
		{startBoard + " w - - 7 20"},
		{"startpos moves h2e2", startBoard + " moves H2-E2"},
		{afterE2},
		{"startpos moves b0c2 h9g7 h0g2"},
		{"startpos moves h0g2 h9g7 b0c2"},
	}
	seen := map[Key]int{}
	for i, group := range groups {
		for _, line := range group {
			item := Parse(xiangqi.Rules, line)
			if item.Err != nil {
				t.Fatalf("%s: %v", line, item.Err)
			}
			key := KeyOf(item.Pos)
			if j, ok := seen[key]; ok && j != i {
				t.Errorf("%s has the key of group %d, want one of its own", line, j)
			}
			seen[key] = i
		}
	}
	if len(seen) != len(groups) {
		t.Errorf("%d keys for %d groups", len(seen), len(groups))
	}
}

// TestIndex: the index holds the keys that were used last, and never more than its limit.
func TestIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 8
		x := index{limit: most}
		model := map[Key]int64{} // everything that was put
		var recent []Key         // in order of use
		for i := range rapid.IntRange(0, 60).Draw(t, "steps") {
			k := Key{rapid.Byte().Draw(t, "key") % 24}
			if rapid.Bool().Draw(t, "put") {
				x.Put(k, int64(i))
				model[k] = int64(i)
				recent = append(recent, k)
				continue
			}
			ref, ok := x.Get(k)
			if want, known := model[k]; ok && (!known || ref != want) {
				t.Fatalf("%v is at %d, want %d", k, ref, want)
			}
			if ok {
				recent = append(recent, k)
			}
		}
		if n := len(x.recent) + len(x.older); n > most {
			t.Fatalf("%d keys, want at most %d", n, most)
		}
		for _, k := range recent[max(0, len(recent)-most/2):] {
			if _, ok := x.Get(k); !ok {
				t.Fatalf("%v was used recently but is missing", k)
			}
		}
	})
}

// TestMemLog: a record is there or discarded, and At never returns another one.
func TestMemLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := &memLog{halfSize: 200}
		type kept struct {
			ref   int64
			entry entry
		}
		var all []kept
		for i := range rapid.IntRange(1, 20).Draw(t, "n") {
			reply := anyReply.Draw(t, "reply")
			e := entry{index: i, reply: &reply, key: Key{byte(i)}}
			ref, err := log.Append(e.append(nil))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, kept{ref, e})
		}
		for i, k := range all {
			key, reply, err := replyAt(log, k.ref)
			if err != nil {
				if i == len(all)-1 {
					t.Fatal("the last one is missing")
				}
				continue
			}
			if diff := sameReply(*k.entry.reply, reply); diff != "" || key != k.entry.key {
				t.Fatalf("%v, %s", key, diff)
			}
		}
	})
}
