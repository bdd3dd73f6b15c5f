//go:build !purego

#include "textflag.h"

// The assembler has no names for these instructions on eight signed 16-bit lanes.
#define SMAX(m, n, d) WORD $(0x4e606400 | m<<16 | n<<5 | d)
#define SMIN(m, n, d) WORD $(0x4e606c00 | m<<16 | n<<5 | d)
#define MUL(m, n, d) WORD $(0x4e609c00 | m<<16 | n<<5 | d)

// Products of the lower and of the upper four lanes, added to four 32-bit lanes.
#define SMLAL(m, n, d) WORD $(0x0e608000 | m<<16 | n<<5 | d)
#define SMLAL2(m, n, d) WORD $(0x4e608000 | m<<16 | n<<5 | d)

// func update(dst, src, rows []int16, add, sub []uint16)
//
// A block of 64 int16 of the accumulator is kept in V0 to V7 while the rows are added and subtracted.
TEXT ·update(SB), NOSPLIT, $0-120
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R1
	MOVD src_base+24(FP), R2
	MOVD rows_base+48(FP), R3
	LSL  $1, R1, R4           // bytes of a row

block:
	VLD1.P 64(R2), [V0.H8, V1.H8, V2.H8, V3.H8]
	VLD1.P 64(R2), [V4.H8, V5.H8, V6.H8, V7.H8]
	MOVD   add_base+72(FP), R5
	MOVD   add_len+80(FP), R6
	CBZ    R6, added

add:
	MOVHU.P 2(R5), R7
	MADD    R4, R3, R7, R7 // R7 = R3 + R7*R4
	VLD1.P  64(R7), [V16.H8, V17.H8, V18.H8, V19.H8]
	VLD1    (R7), [V20.H8, V21.H8, V22.H8, V23.H8]
	VADD    V16.H8, V0.H8, V0.H8
	VADD    V17.H8, V1.H8, V1.H8
	VADD    V18.H8, V2.H8, V2.H8
	VADD    V19.H8, V3.H8, V3.H8
	VADD    V20.H8, V4.H8, V4.H8
	VADD    V21.H8, V5.H8, V5.H8
	VADD    V22.H8, V6.H8, V6.H8
	VADD    V23.H8, V7.H8, V7.H8
	SUBS    $1, R6
	BNE     add

added:
	MOVD sub_base+96(FP), R5
	MOVD sub_len+104(FP), R6
	CBZ  R6, subtracted

sub:
	MOVHU.P 2(R5), R7
	MADD    R4, R3, R7, R7
	VLD1.P  64(R7), [V16.H8, V17.H8, V18.H8, V19.H8]
	VLD1    (R7), [V20.H8, V21.H8, V22.H8, V23.H8]
	VSUB    V16.H8, V0.H8, V0.H8
	VSUB    V17.H8, V1.H8, V1.H8
	VSUB    V18.H8, V2.H8, V2.H8
	VSUB    V19.H8, V3.H8, V3.H8
	VSUB    V20.H8, V4.H8, V4.H8
	VSUB    V21.H8, V5.H8, V5.H8
	VSUB    V22.H8, V6.H8, V6.H8
	VSUB    V23.H8, V7.H8, V7.H8
	SUBS    $1, R6
	BNE     sub

subtracted:
	VST1.P [V0.H8, V1.H8, V2.H8, V3.H8], 64(R0)
	VST1.P [V4.H8, V5.H8, V6.H8, V7.H8], 64(R0)
	ADD    $128, R3
	SUBS   $64, R1
	BGT    block
	RET

// func activate(accumulator, weights []int16) int32
//
// V0 is 0, V1 the limit of a neuron; V2 and V3 are sums.
TEXT ·activate(SB), NOSPLIT, $0-52
	MOVD accumulator_base+0(FP), R0
	MOVD accumulator_len+8(FP), R1
	MOVD weights_base+24(FP), R2
	MOVD $255, R3
	VDUP R3, V1.H8
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16

loop:
	VLD1.P 64(R0), [V4.H8, V5.H8, V6.H8, V7.H8]
	VLD1.P 64(R2), [V16.H8, V17.H8, V18.H8, V19.H8]
	SMAX(0, 4, 4)
	SMAX(0, 5, 5)
	SMAX(0, 6, 6)
	SMAX(0, 7, 7)
	SMIN(1, 4, 4)
	SMIN(1, 5, 5)
	SMIN(1, 6, 6)
	SMIN(1, 7, 7)
	MUL(4, 16, 16)
	MUL(5, 17, 17)
	MUL(6, 18, 18)
	MUL(7, 19, 19)
	SMLAL(4, 16, 2)
	SMLAL2(4, 16, 3)
	SMLAL(5, 17, 2)
	SMLAL2(5, 17, 3)
	SMLAL(6, 18, 2)
	SMLAL2(6, 18, 3)
	SMLAL(7, 19, 2)
	SMLAL2(7, 19, 3)
	SUBS   $32, R1
	BGT    loop
	VADD   V3.S4, V2.S4, V2.S4
	VADDV  V2.S4, V2
	VMOV   V2.S[0], R0
	MOVW   R0, ret+48(FP)
	RET
