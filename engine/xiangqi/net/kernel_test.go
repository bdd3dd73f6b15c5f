package net

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// int16s returns n values from -limit to limit; one in four is at an end or near a limit of the
// activation.
func int16s(r *rand.Rand, n int, limit int) []int16 {
	edges := []int{-limit, limit, 0, min(QA, limit), min(QA+1, limit), -1}
	values := make([]int16, n)
	for i := range values {
		if values[i] = int16(r.IntN(2*limit+1) - limit); r.IntN(4) == 0 {
			values[i] = int16(edges[r.IntN(len(edges))])
		}
	}
	return values
}

// The kernels of the processor return the integers of those in Go, for values of any size.
func TestUpdateIsUpdateGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const count = 5
		hidden := rapid.SampledFrom(HiddenSizes).Draw(t, "hidden")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		src, rows := int16s(r, hidden, 32767), int16s(r, count*hidden, 32767)
		indices := rapid.SliceOfN(rapid.Uint16Range(0, count-1), 0, 4)
		add, sub := indices.Draw(t, "add"), indices.Draw(t, "sub")
		want, got := make([]int16, hidden), make([]int16, hidden)
		updateGo(want, src, rows, add, sub)
		update(got, src, rows, add, sub)
		if !slices.Equal(got, want) {
			t.Errorf("%d, in Go %d", got, want)
		}
		update(src, src, rows, add, sub)
		if !slices.Equal(src, want) {
			t.Errorf("%d in place, in Go %d", src, want)
		}
	})
}

func TestActivateIsActivateGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hidden := rapid.SampledFrom(HiddenSizes).Draw(t, "hidden")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		limit := rapid.SampledFrom([]int{1, 2 * QA, 32767}).Draw(t, "limit")
		accumulator, weights := int16s(r, hidden, limit), int16s(r, hidden, MaxOutput)
		if got, want := activate(accumulator, weights), activateGo(accumulator, weights); got != want {
			t.Errorf("%d, in Go %d", got, want)
		}
	})
}

// BenchmarkKernels measures each kernel against the one in Go.
func BenchmarkKernels(b *testing.B) {
	for _, hidden := range HiddenSizes {
		b.Run(fmt.Sprint("hidden=", hidden), func(b *testing.B) {
			dst, src, rows := make([]int16, hidden), make([]int16, hidden), make([]int16, Features*hidden)
			add, sub := []uint16{1}, []uint16{2, 300} // a capture
			for name, f := range map[string]func(dst, src, rows []int16, add, sub []uint16){"processor": update, "go": updateGo} {
				b.Run("update/"+name, func(b *testing.B) {
					for b.Loop() {
						f(dst, src, rows, add, sub)
					}
				})
			}
			for name, f := range map[string]func(accumulator, weights []int16) int32{"processor": activate, "go": activateGo} {
				b.Run("activate/"+name, func(b *testing.B) {
					for b.Loop() {
						f(src, rows[:hidden])
					}
				})
			}
		})
	}
}
