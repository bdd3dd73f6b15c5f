package eval

import "qhsh/engine/xiangqi"

// A feature is a count for each side, such as rooks on a point, and its weight is the value of one. A
// table is a range of features, of which exactly one applies to a piece or side.
//
// The piece-square tables come first, at placed: for each kind the left half of the board, files A to
// E, from the opponent's home rank to the own one, including material. The right half mirrors it.
const (
	placed          = 0
	rookFreedom     = placed + 7*halfPoints      // table: points that a rook reaches
	cannonFreedom   = rookFreedom + 18           // table: empty points that a cannon slides to
	cannonAims      = cannonFreedom + 18         // table: enemies that a cannon attacks
	horseFreedom    = cannonAims + 5             // table: points that a horse reaches
	rookPair        = horseFreedom + 9           // two rooks
	horsePair       = rookPair + 1               // two horses
	cannonPair      = horsePair + 1              // two cannons
	horseCannon     = cannonPair + 1             // horses times cannons
	guardSet        = horseCannon + 1            // table: advisors times 3 and elephants
	bareToAttackers = guardSet + 9               // for R, H, C, P of the foe: advisors missing; then elephants
	palaceHits      = bareToAttackers + 8        // by R, H, C, P: palace points attacked
	palaceCrew      = palaceHits + 4             // table: pieces that attack the palace
	palaceDanger    = palaceCrew + 8             // table: danger to the palace; see danger
	safeChecks      = palaceDanger + dangerSteps // by R, H, C: points from which to check unpunished
	cannonOnKing    = safeChecks + 3             // table: file or rank, and 0, 2 or 3 pieces between
	rookOnKing      = cannonOnKing + 6           // table: file or rank, and 1 or 2 pieces between
	hollowWith      = rookOnKing + 4             // empty-headed cannon times own R, H, C
	kingSteps       = hollowWith + 3             // table: safe steps of the king
	weak            = kingSteps + 5              // by kind: attacked and not protected
	rookHunted      = weak + 8                   // rooks attacked by anything but rooks
	minorHunted     = rookHunted + 1             // horses and cannons attacked by pawns and guards
	rooksLinked     = minorHunted + 1            // rooks that protect each other
	horsesLinked    = rooksLinked + 1            // horses that a horse protects
	horseHeld       = horsesLinked + 1           // horses that anything protects
	cannonHeld      = horseHeld + 1              // cannons that anything protects
	elephantsLinked = cannonHeld + 1             // elephants that an elephant protects
	pawnsAcross     = elephantsLinked + 1        // table: pawns beyond the river
	pawnsAbreast    = pawnsAcross + 6            // pawns that a pawn protects
	pawnHeld        = pawnsAbreast + 1           // pawns beyond the river that anything protects
	piecesAcross    = pawnHeld + 1               // table: rooks, horses and cannons beyond the river
	tempo           = piecesAcross + 7           // to be to move
	features        = tempo + 1
)

// termsVersion is incremented when Score changes although its weights do not.
const termsVersion uint32 = 1

const (
	halfPoints  = 50 // points of half a board, with the middle file
	dangerSteps = 32
)

// A Weight is the value of a feature in centipawns, on a full and on an empty board.
type Weight struct{ Full, Bare int16 }

// packed are the weights of the terms. The full-board value and, shifted by 16 bits, the bare-board
// value share one number, so that both are added and multiplied at once.
var packed = pack(&tuned)

func pack(weights *[features]Weight) (table [features]int32) {
	for i, w := range weights {
		table[i] = int32(w.Full) + int32(w.Bare)<<16
	}
	return table
}

// unpack splits a packed value.
func unpack(v int32) (full, bare int32) {
	full = int32(int16(v))
	return full, (v - full) >> 16
}

// A featureSum sums one side's features.
type featureSum struct {
	sum   int32            // packed
	trace *[features]int16 // counts of the features; may be nil
	sign  int16            // sign of the counts in trace
}

// one adds one of a feature.
func (t *featureSum) one(feature int) {
	t.sum += packed[feature]
	if t.trace != nil {
		t.trace[feature] += t.sign
	}
}

// add adds n of a feature.
func (t *featureSum) add(feature int, n int) {
	t.sum += packed[feature] * int32(n)
	if t.trace != nil {
		t.trace[feature] += t.sign * int16(n)
	}
}

// pieceSquareFeature returns the feature of a piece on a point.
func pieceSquareFeature(p xiangqi.Piece, sq xiangqi.Square) int {
	rank, file := int(sq)/9, int(sq)%9
	if p.Side() == xiangqi.Red {
		rank = 9 - rank
	}
	return placed + (int(p.Kind())-1)*halfPoints + rank*5 + min(file, 8-file)
}
