// Command train writes the AVX2 kernels of package train. In that package's folder:
//
//	go generate
//
// They have no fused operations and add in the same order as the functions in Go, so that the results
// have the same bits.
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"qhsh/engine/lab/asm/rows"
)

const (
	registers = 8                  // vectors that a loop over rows works on at once
	vector    = 32                 // bytes of a vector
	block     = registers * vector // bytes of 64 float32
)

func main() {
	ConstraintExpr("!purego")
	sumRows()
	addToRows()
	activate()
	backpropagate()
	Generate()
}

// sumRows keeps a block of the sum in registers.
func sumRows() {
	TEXT("sumRowsAVX2", NOSPLIT, "func(sum, table []float32, rows []uint16)")
	Pragma("noescape")
	Doc("sumRowsAVX2 is sumRowsGo. The processor must have AVX2.")
	var sums [registers]VecVirtual
	forBlocks("sum", sums[:], func(at, row func(i int) Mem, each func(func())) {
		for _, sum := range sums {
			VXORPS(sum, sum, sum)
		}
		each(func() {
			for i, sum := range sums {
				VADDPS(row(i), sum, sum)
			}
		})
		for i, sum := range sums {
			VMOVUPS(sum, at(i))
		}
	})
}

// addToRows keeps a block of delta in registers.
func addToRows() {
	TEXT("addToRowsAVX2", NOSPLIT, "func(table, delta []float32, rows []uint16)")
	Pragma("noescape")
	Doc("addToRowsAVX2 is addToRowsGo. The processor must have AVX2.")
	var deltas [registers]VecVirtual
	forBlocks("delta", deltas[:], func(at, row func(i int) Mem, each func(func())) {
		for i, delta := range deltas {
			VMOVUPS(at(i), delta)
		}
		each(func() {
			for i, delta := range deltas {
				sum := YMM()
				VADDPS(row(i), delta, sum)
				VMOVUPS(sum, row(i))
			}
		})
	})
}

// forBlocks runs the body for each block of a parameter that is as long as a row: at is the memory of a
// vector of the block, and each runs a function for each row, of which row is the memory.
func forBlocks(param string, vectors []VecVirtual, body func(at, row func(i int) Mem, each func(func()))) {
	slice := Load(Param(param).Base(), GP64())
	stride := Load(Param(param).Len(), GP64())
	table := Load(Param("table").Base(), GP64())
	indices, count := Load(Param("rows").Base(), GP64()), Load(Param("rows").Len(), GP64())
	SHLQ(U8(2), stride) // bytes of a row
	for i := range vectors {
		vectors[i] = YMM()
	}
	end := GP64()
	MOVQ(slice, end)
	ADDQ(stride, end)
	Label("block")
	var address Register
	at := func(i int) Mem { return Mem{Base: slice, Disp: i * vector} }
	row := func(i int) Mem { return Mem{Base: address, Disp: i * vector} }
	body(at, row, func(f func()) {
		rows.ForEach("row", table, stride, indices, count, func(r Register) {
			address = r
			f()
		})
	})
	ADDQ(U32(block), table)
	ADDQ(U32(block), slice)
	CMPQ(slice, end)
	JB(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// activate adds up each lane by itself.
func activate() {
	TEXT("activateAVX2", NOSPLIT, "func(neurons, weights []float32) float32")
	Pragma("noescape")
	Doc("activateAVX2 is activateGo. The processor must have AVX2.")
	neurons := Load(Param("neurons").Base(), GP64())
	weights := Load(Param("weights").Base(), GP64())
	count := Load(Param("neurons").Len(), GP64())
	zero, one := zeroAndOne()
	sum, c := YMM(), YMM()
	VXORPS(sum, sum, sum)
	Label("loop")
	VMAXPS(Mem{Base: neurons}, zero, c)
	VMINPS(c, one, c)
	VMULPS(c, c, c)
	VMULPS(Mem{Base: weights}, c, c)
	VADDPS(c, sum, sum)
	ADDQ(U32(vector), neurons)
	ADDQ(U32(vector), weights)
	SUBQ(U32(vector/4), count)
	JA(LabelRef("loop"))

	total, other := sum.AsX(), XMM()
	VEXTRACTF128(U8(1), sum, other)
	VADDPS(other, total, total) // lanes 0+4, 1+5, 2+6, 3+7
	VMOVHLPS(total, total, other)
	VADDPS(other, total, total) // lanes 0+4+2+6, 1+5+3+7
	VMOVSHDUP(total, other)
	VADDSS(other, total, total)
	Store(total, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// backpropagate masks out the neurons that are clipped.
func backpropagate() {
	TEXT("backpropagateAVX2", NOSPLIT, "func(neurons, weights, gradient []float32, derivative float32)")
	Pragma("noescape")
	Doc("backpropagateAVX2 is backpropagateGo. The processor must have AVX2.")
	neurons := Load(Param("neurons").Base(), GP64())
	weights := Load(Param("weights").Base(), GP64())
	gradient := Load(Param("gradient").Base(), GP64())
	count := Load(Param("neurons").Len(), GP64())
	derivative := YMM()
	Load(Param("derivative"), derivative.AsX())
	VBROADCASTSS(derivative.AsX(), derivative)
	zero, one := zeroAndOne()
	x, c, square := YMM(), YMM(), YMM()
	Label("loop")
	VMOVUPS(Mem{Base: neurons}, x)
	VMAXPS(x, zero, c)
	VMINPS(c, one, c)
	VMULPS(c, c, square)
	VMULPS(derivative, square, square)
	VADDPS(Mem{Base: gradient}, square, square)
	VMOVUPS(square, Mem{Base: gradient})
	const equal = 0
	VCMPPS(U8(equal), c, x, x)
	VANDPS(x, c, c)
	VADDPS(c, c, c)
	VMULPS(Mem{Base: weights}, c, c)
	VMULPS(derivative, c, c)
	VMOVUPS(c, Mem{Base: neurons})
	ADDQ(U32(vector), neurons)
	ADDQ(U32(vector), weights)
	ADDQ(U32(vector), gradient)
	SUBQ(U32(vector/4), count)
	JA(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// zeroAndOne returns vectors of 0 and of 1.
func zeroAndOne() (zero, one VecVirtual) {
	zero, one = YMM(), YMM()
	VXORPS(zero, zero, zero)
	bits := GP32()
	MOVL(U32(math.Float32bits(1)), bits)
	VMOVD(bits, one.AsX())
	VBROADCASTSS(one.AsX(), one)
	return zero, one
}
