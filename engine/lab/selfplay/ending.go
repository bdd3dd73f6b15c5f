package selfplay

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"qhsh/engine/xiangqi"
)

// The pieces of a side in endgames, with weights. The weights are counts in the last positions of 945
// master and club games with at most eight pieces besides the guards, five per side, without a few
// rare ones. People agree to a draw or resign before the small endgames that engines play out, so the
// counts of up to two pieces are tripled, and that of sides with only guards, which defend fortresses,
// is multiplied by fifteen.
var (
	attackers = parseWeights("ncp 148 rnp 115 rcp 129 ncpp 113 rnpp 116 rp 288 rcpp 88 rpp 78 rncp 59 rn 195 nc 153 rc 171 " +
		"nccp 40 cpp 42 rppp 31 np 132 npp 41 nncp 25 nnpp 31 cp 111 nnp 29 rnc 30 r 105 ccp 26 ncc 21 ccpp 21 " +
		"rccp 17 rrp 16 cc 45 nn 51 nppp 13 cppp 11 n 66 c 63 p 27 pp 33 ppp 6 rr 18 - 240")
	guards = parseWeights("aabb 966 aab 233 aa 169 abb 112 ab 99 bb 76 a 93 b 65 - 77")
)

// A weightedList has each word repeated by its weight.
type weightedList []string

// parseWeights parses words and their weights. - is the empty word.
func parseWeights(text string) (list weightedList) {
	fields := strings.Fields(text)
	for i := 0; i+1 < len(fields); i += 2 {
		weight, _ := strconv.Atoi(fields[i+1]) // they are all numbers
		for range weight {
			list = append(list, strings.Trim(fields[i], "-"))
		}
	}
	return list
}

func (w weightedList) draw(dice *rand.Rand) string { return w[dice.IntN(len(w))] }

// fortressScore is the score limit if a side has only guards, which can hold a draw against a large
// advantage: a rook against all four guards is worth 1000 and cannot win.
const fortressScore = 1500

// maxStartScore returns the maximum absolute score at which the engine's play starts.
func (p *Plan) maxStartScore(pos *xiangqi.Position) int {
	if b := pos.Board(); hasNoAttackers(b, xiangqi.Red) || hasNoAttackers(b, xiangqi.Black) {
		return max(fortressScore, p.Fair)
	}
	return p.Fair
}

// hasNoAttackers reports whether a side has only its king and guards.
func hasNoAttackers(b *xiangqi.Board, s xiangqi.Side) bool {
	for _, k := range [...]xiangqi.Kind{xiangqi.Rook, xiangqi.Horse, xiangqi.Cannon, xiangqi.Pawn} {
		if !b.Pieces(s, k).Empty() {
			return false
		}
	}
	return true
}

// drawEnding returns a random legal position with few pieces. The game may be over.
func drawEnding(dice *rand.Rand) *xiangqi.Position {
	for {
		var board [90]byte
		for side := xiangqi.Red; side <= xiangqi.Black; side++ {
			for _, piece := range "k" + guards.draw(dice) + attackers.draw(dice) {
				place(&board, byte(piece), side, dice)
			}
		}
		fen := boardField(&board) + " " + "wb"[dice.IntN(2):][:1]
		// It is invalid if the kings face each other or the side to move gives check.
		if pos, err := xiangqi.ParseFEN(fen); err == nil {
			return pos
		}
	}
}

// startPoints are the points that Red's king and guards can occupy. Three of four pawns are placed
// across the river.
var startPoints = map[byte]string{
	'k': "D0E0F0D1E1F1D2E2F2",
	'a': "D0F0E1D2F2",
	'b': "C0G0A2E2I2C4G4",
}

// place puts a piece on a random empty point that it can occupy. Other pieces can stand on all of these,
// as on the five of an advisor: then it leaves the piece out.
func place(board *[90]byte, piece byte, side xiangqi.Side, dice *rand.Rand) {
	for range 1000 {
		file, rank := dice.IntN(9), dice.IntN(10)
		switch home := startPoints[piece]; {
		case home != "":
			i := 2 * dice.IntN(len(home)/2)
			file, rank = int(home[i]-'A'), int(home[i+1]-'0')
		case piece == 'p' && dice.IntN(4) == 0:
			file, rank = file&^1, 3+rank%2
		case piece == 'p':
			rank = 5 + rank%5
		}
		if side == xiangqi.Red {
			piece &^= 0x20
		} else {
			rank = 9 - rank
		}
		if at := rank*9 + file; board[at] == 0 {
			board[at] = piece
			return
		}
		piece |= 0x20
	}
}

// boardField returns the first field of a FEN.
func boardField(board *[90]byte) string {
	var text []byte
	for rank := 9; rank >= 0; rank-- {
		for _, piece := range board[rank*9 : rank*9+9] {
			if piece == 0 {
				piece = '1'
			}
			text = append(text, piece)
		}
		text = append(text, '/')
	}
	return string(text[:len(text)-1])
}
