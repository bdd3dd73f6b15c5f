package eval

import "qhsh/engine/xiangqi"

// tempo is what it is worth to be to move.
const tempo = 12

// phaseOf tells how much a piece adds to the attack that is left on the board;
// fullPhase is the start position's sum.
var phaseOf = [8]int32{xiangqi.Rook: 4, xiangqi.Horse: 2, xiangqi.Cannon: 2}

const fullPhase = 32

var exchange = [8]int{
	xiangqi.Rook: 1000, xiangqi.Horse: 440, xiangqi.Elephant: 200, xiangqi.Advisor: 200,
	xiangqi.King: 10000, xiangqi.Cannon: 460, xiangqi.Pawn: 100,
}

// A cell is a piece's value on a point, material included, with the colour's sign.
type cell struct{ full, bare int16 }

// worth is read by piece and point. The rows of pieces that do not exist are zero.
var worth = spread()

// A half is the left half of a table, files A to E, from the opponent's home rank
// down to the own one, as Red sees the board; the right half mirrors it.
type half [10][5]int16

// A sheet is all there is to know of a kind: its material, full board and bare
// board, and what a point adds to it. Points that the kind cannot reach are 0.
type sheet struct {
	full, bare int16
	onFull     *half
	onBare     *half
}

var sheets = [8]sheet{
	xiangqi.Rook:     {970, 1010, &rookFull, &rookBare},
	xiangqi.Horse:    {420, 455, &horseFull, &horseBare},
	xiangqi.Elephant: {190, 195, &elephant, &elephant},
	xiangqi.Advisor:  {190, 200, &advisor, &advisor},
	xiangqi.King:     {0, 0, &kingFull, &kingBare},
	xiangqi.Cannon:   {460, 430, &cannonFull, &cannonBare},
	xiangqi.Pawn:     {75, 95, &pawnFull, &pawnBare},
}

func spread() (worth [16][90]cell) {
	for k := xiangqi.Rook; k <= xiangqi.Pawn; k++ {
		s := sheets[k]
		for rank := range 10 {
			for file := range 9 {
				row, col := 9-rank, min(file, 8-file)
				full, bare := s.full+s.onFull[row][col], s.bare+s.onBare[row][col]
				red := rank*9 + file
				black := (9-rank)*9 + file
				worth[xiangqi.NewPiece(xiangqi.Red, k)][red] = cell{full, bare}
				worth[xiangqi.NewPiece(xiangqi.Black, k)][black] = cell{-full, -bare}
			}
		}
	}
	return worth
}

// A rook wants to leave its corner, to take an open file, best a rib (D or F), to
// hold one of the river banks, and to stand at the throat of the palace.
var rookFull = half{
	{12, 14, 10, 24, 18},
	{16, 20, 18, 32, 36},
	{14, 18, 16, 26, 24},
	{18, 26, 22, 30, 30},
	{14, 20, 18, 26, 24},
	{12, 20, 16, 24, 22},
	{4, 12, 8, 18, 14},
	{0, 10, 4, 16, 8},
	{-6, 8, 2, 16, 0},
	{-16, 6, -2, 14, -10},
}

var rookBare = half{
	{8, 10, 10, 14, 14},
	{14, 16, 16, 22, 24},
	{12, 14, 14, 20, 20},
	{12, 14, 14, 18, 18},
	{8, 10, 10, 14, 14},
	{6, 8, 8, 12, 12},
	{0, 2, 2, 6, 6},
	{-2, 0, 0, 4, 4},
	{-6, -2, -2, 2, 0},
	{-12, -6, -6, 0, -4},
}

// A horse is bad at the edge and at home, worst before its own king's throat (E1),
// good from the river on, best where it looks into the palace: C8 (the crouching
// horse), D7 (the eight-corner horse), C7 (the angling horse).
var horseFull = half{
	{-14, -12, -6, -16, -20},
	{-2, 14, 30, 8, -4},
	{8, 22, 30, 34, 16},
	{12, 30, 26, 30, 24},
	{6, 18, 24, 26, 26},
	{2, 14, 20, 20, 22},
	{-2, 6, 10, 12, 8},
	{-6, 0, 10, 4, -4},
	{-14, -8, 0, -2, -26},
	{-24, -14, -10, -12, -24},
}

var horseBare = half{
	{-20, -10, -4, -6, -8},
	{-8, 6, 16, 10, 4},
	{2, 12, 22, 24, 18},
	{4, 14, 22, 24, 22},
	{2, 12, 18, 22, 22},
	{0, 10, 14, 18, 18},
	{-6, 2, 8, 10, 10},
	{-10, -4, 2, 4, 2},
	{-18, -10, -4, -2, -8},
	{-28, -18, -12, -12, -14},
}

// A cannon works from afar: at home behind its own pieces, on the central file
// aimed at the king, or on the enemy's bottom rank near a corner. Deep in enemy
// country in the middle it has nothing to jump over and is chased away.
var cannonFull = half{
	{14, 14, 2, -10, -14},
	{6, 6, 0, -8, -12},
	{4, 2, -2, -8, -8},
	{2, 6, 4, 4, 10},
	{0, 2, 4, 4, 18},
	{0, 4, 6, 4, 16},
	{0, 2, 4, 4, 12},
	{2, 4, 8, 8, 20},
	{0, 2, 4, 8, 6},
	{-4, 0, 2, 6, 4},
}

var cannonBare = half{
	{8, 8, 4, 0, -2},
	{4, 4, 2, 0, 0},
	{2, 2, 0, 0, 2},
	{0, 0, 0, 2, 8},
	{0, 0, 0, 2, 10},
	{0, 0, 2, 4, 10},
	{0, 0, 2, 4, 10},
	{2, 2, 4, 8, 14},
	{2, 4, 6, 10, 16},
	{4, 6, 8, 14, 18},
}

// A pawn comes to life beyond the river, is strongest beside the palace, and is
// spent on the last rank. At home the central one guards the king and those of C
// and G hold back their own horses.
var pawnFull = half{
	{-20, -14, -6, 4, 10},
	{24, 44, 64, 96, 104},
	{30, 54, 76, 98, 102},
	{32, 54, 72, 84, 88},
	{24, 40, 50, 54, 60},
	{4, 0, 14, 0, 10},
	{-2, 0, -6, 0, 12},
	{0, 0, 0, 0, 0},
	{0, 0, 0, 0, 0},
	{0, 0, 0, 0, 0},
}

var pawnBare = half{
	{-30, -20, -10, 0, 6},
	{36, 56, 80, 104, 108},
	{44, 66, 86, 104, 106},
	{46, 64, 80, 92, 94},
	{40, 54, 66, 74, 76},
	{10, 0, 18, 0, 20},
	{0, 0, 4, 0, 10},
	{0, 0, 0, 0, 0},
	{0, 0, 0, 0, 0},
	{0, 0, 0, 0, 0},
}

// Elephants guard each other from the centre (E2); at the edge they do not.
var elephant = half{
	5: {0, 0, -8, 0, 0},
	7: {-16, 0, 0, 0, 12},
	9: {0, 0, 2, 0, 0},
}

// Advisors guard each other through the palace's centre.
var advisor = half{
	7: {0, 0, 0, -10, 0},
	8: {0, 0, 0, 0, 6},
	9: {0, 0, 0, 2, 0},
}

// A king stays at home while there is something to fear; later the central file
// is his, because he helps to attack along it.
var kingFull = half{
	7: {0, 0, 0, -60, -54},
	8: {0, 0, 0, -34, -30},
	9: {0, 0, 0, -4, 8},
}

var kingBare = half{
	7: {0, 0, 0, -24, -10},
	8: {0, 0, 0, -10, 2},
	9: {0, 0, 0, 0, 10},
}
