// Package rows has the loop over rows of a table that the kernels share.
package rows

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// ForEach runs the body with the address of each row of a table. indices is the address of count
// numbers of rows in 16 bits, stride the bytes of a row. name makes the labels.
func ForEach(name string, table, stride, indices, count Register, body func(row Register)) {
	i, row := GP64(), GP64()
	XORQ(i, i)
	JMP(LabelRef(name + "Next"))
	Label(name)
	MOVWQZX(Mem{Base: indices, Index: i, Scale: 2}, row)
	IMULQ(stride, row)
	ADDQ(table, row)
	body(row)
	INCQ(i)
	Label(name + "Next")
	CMPQ(i, count)
	JB(LabelRef(name))
}
