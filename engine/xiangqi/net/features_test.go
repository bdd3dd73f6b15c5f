package net_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// The numbers of the features are part of the file format. Both sides see the same at the start.
func TestFeaturesOfStart(t *testing.T) {
	b := xiangqi.Start().Board()
	want := []uint16{
		0, 8, 91, 97, 180, 181, 187, 188, 193, 217, 223, 288, 289, 290, 291, 292,
		424, 432, 515, 521, 528, 529, 533, 534, 542, 608, 614, 684, 685, 686, 687, 688,
	}
	for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
		if got := sorted(b, side); !slices.Equal(got, want) {
			t.Errorf("%v sees %d, want %d", side, got, want)
		}
	}
}

// Each side sees as many different features as there are pieces.
func TestFeaturesAreDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
			features := net.AppendFeatures(nil, b, side)
			slices.Sort(features)
			if n := len(slices.Compact(features)); n != b.Occupied().Count() {
				t.Errorf("%d different features of %d pieces", n, b.Occupied().Count())
			}
			if last := features[len(features)-1]; last >= net.Features {
				t.Errorf("feature %d", last)
			}
		}
	})
}

// With the colours exchanged each side sees what the other one saw.
func TestFeaturesOfExchangedColours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
			want, got := sorted(b, side), sorted(exchanged(t, b), side.Other())
			if !slices.Equal(got, want) {
				t.Errorf("%v sees %d, exchanged %d", side, want, got)
			}
		}
	})
}

// Unless both kings are on file E, a board and its mirror image have the same features.
func TestFeaturesOfMirrorImage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		if b.King(xiangqi.Red)%9 == 4 && b.King(xiangqi.Black)%9 == 4 {
			return
		}
		mirror := boardOf(t, func(sq xiangqi.Square) xiangqi.Piece { return b.At(sq.Mirrored()) }, b.Side())
		for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
			want, got := sorted(b, side), sorted(mirror, side)
			if !slices.Equal(got, want) {
				t.Errorf("%v sees %d, in the mirror %d", side, want, got)
			}
		}
	})
}

func sorted(b *xiangqi.Board, side xiangqi.Side) []uint16 {
	features := net.AppendFeatures(nil, b, side)
	slices.Sort(features)
	return features
}
