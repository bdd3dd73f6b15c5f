package net_test

import (
	"bytes"
	"encoding/hex"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// encoded returns the file of the weights.
func encoded(t testing.TB, w *net.Weights) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := w.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFileRoundTrip(t *testing.T) {
	for _, hidden := range net.HiddenSizes {
		want := arbitrary(hidden, 1)
		got, err := net.Read(bytes.NewReader(encoded(t, want)))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) { // cmp.Diff takes seconds for so many numbers
			t.Errorf("hidden size %d: read something else than was written", hidden)
		}
	}
}

// The checksum is that of the file, and changes with any weight.
func TestChecksum(t *testing.T) {
	if got, want := net.EmbeddedChecksum(), net.Embedded().Checksum(); got != want {
		t.Errorf("the embedded network has the checksum %s, and its file %s", want, got)
	}
	w := arbitrary(64, 1)
	before, file := w.Checksum(), encoded(t, w)
	if end := hex.EncodeToString(file[len(file)-32:]); !strings.HasPrefix(end, before) || len(before) != 16 {
		t.Errorf("%s, but the file ends in %s", before, end)
	}
	w.Feature[1000]++
	if after := w.Checksum(); after == before {
		t.Errorf("still %s after a weight has changed", after)
	}
}

// A file with a byte changed, missing or too many is refused.
func TestReadDamaged(t *testing.T) {
	file := encoded(t, arbitrary(64, 1))
	for what, damaged := range map[string][]byte{
		"empty":       nil,
		"truncated":   file[:len(file)-1],
		"header only": file[:20],
		"too long":    append(bytes.Clone(file), 0),
		"another":     []byte("qhgames, or anything else that is long enough to hold a checksum of 32 bytes"),
	} {
		if _, err := net.Read(bytes.NewReader(damaged)); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		damaged := bytes.Clone(file)
		damaged[rapid.IntRange(0, len(file)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
		if _, err := net.Read(bytes.NewReader(damaged)); err == nil {
			t.Error("no error")
		}
	})
}

// Values with which an implementation could overflow are refused.
func TestValidate(t *testing.T) {
	for want, change := range map[string]func(*net.Weights){
		"hidden size 63":                 func(w *net.Weights) { w.Hidden = 63 },
		"scale 0":                        func(w *net.Weights) { w.Scale = 0 },
		"name or note too long":          func(w *net.Weights) { w.Note = strings.Repeat("x", 5000) },
		"does not match the hidden size": func(w *net.Weights) { w.Hidden = 128 },
		"weight of the first layer":      func(w *net.Weights) { w.Bias[3] = net.MaxFeature + 1 },
		"weight of the output":           func(w *net.Weights) { w.Output[3] = -net.MaxOutput - 1 },
		"output 2: bias":                 func(w *net.Weights) { w.OutputBias[2] = math.MaxInt32 },
		"output 1: weights of one sign": func(w *net.Weights) {
			for i := range 2 * w.Hidden {
				w.Output[2*w.Hidden+i] = net.MaxOutput
			}
		},
	} {
		w := arbitrary(256, 1)
		change(w)
		if err := w.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The evaluation does not change if the colours are exchanged and the side to move with them.
func TestEvaluateIsSymmetric(t *testing.T) {
	w := arbitrary(64, 2)
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		if got, want := w.Evaluate(exchanged(t, b)), w.Evaluate(b); got != want {
			t.Errorf("%d, with the colours exchanged %d", want, got)
		}
	})
}

// A network in which a neuron sees one own piece: its value follows from the definition.
func TestEvaluateByHand(t *testing.T) {
	w := net.NewWeights(64)
	b := xiangqi.Start().Board()
	w.Bias[0], w.Bias[1] = -20, 300
	w.Feature[int(net.AppendFeatures(nil, b, xiangqi.Red)[0])*64] = 120 // neuron 0: 100 of 255
	w.Output[7*128], w.Output[7*128+64+1] = 64, -32                     // neuron 0 of the own side, 1 of the other
	w.OutputBias[7] = 1632                                              // 0.1
	want := 100.0*100/255/255 - 0.5 + 0.1
	if got := w.Evaluate(b); got != int(want*400) {
		t.Errorf("%d, want %v", got, want*400)
	}
}

// The networks in the program are valid, and say how they were trained.
func TestEmbedded(t *testing.T) {
	for _, w := range []*net.Weights{net.Embedded(), net.Small()} {
		if w.Name == "" || w.Note == "" {
			t.Errorf("name %q, note %q", w.Name, w.Note)
		}
	}
}

// Expected outputs depend on every bit of the small network.
func TestSmallStaysTheSame(t *testing.T) {
	if got := net.Small().Checksum(); got != "7d194cfac0190f9c" {
		t.Errorf("checksum %s", got)
	}
}

// The small network knows what is better.
func TestSmallSense(t *testing.T) {
	for _, test := range []struct{ name, fen string }{
		{"a rook more", "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"},
		{"a rook against a horse", "2bakab1n/9/9/p3p3p/9/9/P3P3P/9/9/2BAKAB1R b"},
		{"a pawn across the river", "3akab2/9/4b4/9/4P4/9/9/4B4/9/3AKAB2 w"},
		{"the enemy has no advisors", "1nb1k1bnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w"},
		{"an empty-headed cannon", "rnb1kab1r/3ca4/2n6/p1p1p1p1p/4C4/9/P1P1P1P1P/2N1B1N2/9/R1BAKA1R1 w"},
	} {
		pos, err := xiangqi.ParseFEN(test.fen)
		if err != nil {
			t.Fatal(err)
		}
		got := net.Small().Evaluate(pos.Board())
		if pos.Side() == xiangqi.Black {
			got = -got
		}
		if got < 30 {
			t.Errorf("%s: %s: %d centipawns", test.name, test.fen, got)
		}
	}
}

// Guards alone cannot win.
func TestUnwinnable(t *testing.T) {
	for _, fen := range []string{
		"3k5/9/9/9/9/2B3B2/9/3A1A3/9/4K4 w",
		"3ak4/4a4/4b4/9/2b6/9/9/9/9/4K1C2 w",
	} {
		pos, err := xiangqi.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		e := net.NewEvaluator(net.Small())
		e.Reset(pos.Board())
		if got := e.Evaluate(); got > 100 || got < -100 {
			t.Errorf("%s: %d centipawns, want next to nothing", fen, got)
		}
	}
}
