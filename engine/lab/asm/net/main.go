// Command net writes the AVX2 kernels of package net. In that package's folder:
//
//	go generate
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"qhsh/engine/lab/asm/rows"
)

const (
	registers = 4                  // vectors that a loop works on at once
	vector    = 32                 // bytes of a vector
	block     = registers * vector // bytes of 64 int16
	clip      = 255                // net.QA
)

func main() {
	ConstraintExpr("!purego")
	update()
	activate()
	Generate()
}

// update keeps a block of the accumulator in registers while it adds and subtracts the rows.
func update() {
	TEXT("updateAVX2", NOSPLIT, "func(dst, src, rows []int16, add, sub []uint16)")
	Pragma("noescape")
	Doc("updateAVX2 is updateGo. The processor must have AVX2.")
	dst := Load(Param("dst").Base(), GP64())
	src := Load(Param("src").Base(), GP64())
	table := Load(Param("rows").Base(), GP64())
	stride := Load(Param("dst").Len(), GP64())
	add, adds := Load(Param("add").Base(), GP64()), Load(Param("add").Len(), GP64())
	sub, subs := Load(Param("sub").Base(), GP64()), Load(Param("sub").Len(), GP64())
	ADDQ(stride, stride) // bytes of a row

	at := GP64()
	XORQ(at, at)
	var sums [registers]VecVirtual
	Label("block")
	for i := range sums {
		sums[i] = YMM()
		VMOVDQU(Mem{Base: src, Index: at, Scale: 1, Disp: i * vector}, sums[i])
	}
	rows.ForEach("add", table, stride, add, adds, func(row Register) {
		for i, sum := range sums {
			VPADDW(Mem{Base: row, Disp: i * vector}, sum, sum)
		}
	})
	rows.ForEach("sub", table, stride, sub, subs, func(row Register) {
		for i, sum := range sums {
			VPSUBW(Mem{Base: row, Disp: i * vector}, sum, sum)
		}
	})
	for i, sum := range sums {
		VMOVDQU(sum, Mem{Base: dst, Index: at, Scale: 1, Disp: i * vector})
	}
	ADDQ(U32(block), table)
	ADDQ(U32(block), at)
	CMPQ(at, stride)
	JB(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// activate multiplies the clipped neuron with its weight in 16 bits, which the limit of the weights
// allows, and then with the clipped neuron again in 32.
func activate() {
	TEXT("activateAVX2", NOSPLIT, "func(accumulator, weights []int16) int32")
	Pragma("noescape")
	Doc("activateAVX2 is activateGo. The processor must have AVX2.")
	accumulator := Load(Param("accumulator").Base(), GP64())
	weights := Load(Param("weights").Base(), GP64())
	count := Load(Param("accumulator").Len(), GP64())

	zero, top := YMM(), YMM()
	VPXOR(zero, zero, zero)
	limit := GP32()
	MOVL(U32(clip), limit)
	VMOVD(limit, top.AsX())
	VPBROADCASTW(top.AsX(), top)
	var sums [registers]VecVirtual
	for i := range sums {
		sums[i] = YMM()
		VPXOR(sums[i], sums[i], sums[i])
	}
	Label("loop")
	for i, sum := range sums {
		x, y := YMM(), YMM()
		VPMAXSW(Mem{Base: accumulator, Disp: i * vector}, zero, x)
		VPMINSW(top, x, x)
		VPMULLW(Mem{Base: weights, Disp: i * vector}, x, y)
		VPMADDWD(x, y, y)
		VPADDD(y, sum, sum)
	}
	ADDQ(U32(block), accumulator)
	ADDQ(U32(block), weights)
	SUBQ(U32(block/2), count)
	JA(LabelRef("loop"))

	VPADDD(sums[1], sums[0], sums[0])
	VPADDD(sums[3], sums[2], sums[2])
	VPADDD(sums[2], sums[0], sums[0])
	half := XMM()
	total := sums[0].AsX()
	VEXTRACTI128(U8(1), sums[0], half)
	VPADDD(half, total, total)
	VPSHUFD(U8(0b01_00_11_10), total, half)
	VPADDD(half, total, total)
	VPSHUFD(U8(0b10_11_00_01), total, half)
	VPADDD(half, total, total)
	result := GP32()
	VMOVD(total, result)
	Store(result, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
