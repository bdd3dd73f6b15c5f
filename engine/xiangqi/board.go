package xiangqi

// A state has the pieces on the board and the side to move. The one of a Position never changes; a
// Board makes moves on its own.
type state struct {
	squares [90]Piece
	pieces  [16]Bitboard // by Piece; index Empty is not kept
	sides   [2]Bitboard
	key     uint64
	quiet   int32 // plies since the last capture, including those before the start
	since   int32 // plies since the last capture, Pass or start: the maximum distance of a repetition
	side    Side
	check   checkState
}

// A checkState caches whether the side to move is in check.
type checkState uint8

const (
	checkUnknown checkState = iota
	checkNo
	checkYes
)

func checkOf(in bool) checkState {
	if in {
		return checkYes
	}
	return checkNo
}

// Side returns the side to move.
func (s *state) Side() Side { return s.side }

// At returns the piece on a point.
func (s *state) At(sq Square) Piece { return s.squares[sq] }

// Key is equal for positions with the same pieces and the same side to move, on every machine.
func (s *state) Key() uint64 { return s.key }

// QuietPlies returns the number of plies since the last capture, including those counted by the
// start's FEN. A Pass counts as a ply.
func (s *state) QuietPlies() int { return int(s.quiet) }

// put puts a piece on an empty point.
func (s *state) put(p Piece, sq Square) {
	s.squares[sq] = p
	s.pieces[p] = s.pieces[p].Or(points[sq])
	s.sides[p.Side()] = s.sides[p.Side()].Or(points[sq])
	s.key ^= zobrist[p][sq]
}

// occupied returns all points with a piece.
func (s *state) occupied() Bitboard { return s.sides[Red].Or(s.sides[Black]) }

// king returns where a side's king stands. Every palace lies within one half of the
// board.
func (s *state) king(side Side) Square { return s.pieces[NewPiece(side, King)].First() }

// inCheck reports whether the side to move is in check, and caches the answer.
func (s *state) inCheck() bool {
	if s.check == checkUnknown {
		s.check = checkOf(s.attacked(s.king(s.side), s.side, s.occupied()))
	}
	return s.check == checkYes
}

// apply makes a legal move and returns the captured piece.
func (s *state) apply(m Move) Piece {
	from, to := m.From(), m.To()
	piece, taken := s.squares[from], s.squares[to]
	both := points[from].Xor(points[to])
	s.squares[from], s.squares[to] = Empty, piece
	s.pieces[piece] = s.pieces[piece].Xor(both)
	s.sides[s.side] = s.sides[s.side].Xor(both)
	s.quiet++
	s.since++
	if taken != Empty {
		s.pieces[taken] = s.pieces[taken].Xor(points[to])
		s.sides[s.side^1] = s.sides[s.side^1].Xor(points[to])
		s.quiet, s.since = 0, 0
	}
	s.key ^= keyChange(piece, taken, m)
	s.side ^= 1
	s.check = checkUnknown
	return taken
}

// keyChange returns the difference of the keys before and after a move.
func keyChange(piece, taken Piece, m Move) uint64 {
	return zobrist[piece][m.From()] ^ zobrist[piece][m.To()] ^ zobrist[taken][m.To()] ^ zobristSide
}

// A Board is a position on which moves are made and taken back, with their history. It does not
// allocate once its history has capacity. It must not be used by several goroutines at once.
type Board struct {
	state
	history []undoInfo
	checks  *[checkMaps]checkMap
}

// An undoInfo is a move made on a Board and the parts of the previous state that cannot be
// recomputed.
type undoInfo struct {
	key   uint64 // of the position before the move
	quiet int32
	since int32
	move  Move // passed for Pass
	taken Piece
	check checkState // of the side that made the move, before it
}

// nullMove stands for Pass in a Board's history.
const nullMove Move = 0

// KeyAfter returns what Key will be after a move.
func (b *Board) KeyAfter(m Move) uint64 {
	return b.key ^ keyChange(b.squares[m.From()], b.squares[m.To()], m)
}

// King returns where a side's king stands.
func (b *Board) King(s Side) Square { return b.king(s) }

// Pieces returns where a side's pieces of a kind stand; of NoKind, nowhere.
func (b *Board) Pieces(s Side, k Kind) Bitboard { return b.pieces[NewPiece(s, k)] }

// Occupied returns all points with a piece.
func (b *Board) Occupied() Bitboard { return b.occupied() }

// OccupiedBy returns all points with a piece of a side.
func (b *Board) OccupiedBy(s Side) Bitboard { return b.sides[s] }

// InCheck reports whether the side to move is in check.
func (b *Board) InCheck() bool { return b.inCheck() }

// Ply returns the number of moves made, including the game's history and every Pass.
func (b *Board) Ply() int { return len(b.history) }

// Do makes a move, which must be legal.
func (b *Board) Do(m Move) {
	b.inCheck() // a later Repetition asks for it
	before := undoInfo{key: b.key, quiet: b.quiet, since: b.since, move: m, check: b.check}
	noCheck := b.knownNoCheck(m)
	before.taken = b.apply(m)
	if noCheck {
		b.check = checkNo
	}
	b.history = append(b.history, before)
}

// Pass lets the other side move. The side to move must not be in check.
func (b *Board) Pass() {
	b.history = append(b.history, undoInfo{key: b.key, quiet: b.quiet, since: b.since, move: nullMove, check: b.check})
	b.key ^= zobristSide
	b.quiet++
	b.since = 0
	b.side ^= 1
	b.check = checkUnknown
}

// Undo takes back the last Do or Pass. There must be one.
func (b *Board) Undo() {
	last := len(b.history) - 1
	before := &b.history[last]
	b.history = b.history[:last]
	b.side ^= 1
	b.key, b.quiet, b.since, b.check = before.key, before.quiet, before.since, before.check
	if before.move == nullMove {
		return
	}
	from, to := before.move.From(), before.move.To()
	piece := b.squares[to]
	both := points[from].Xor(points[to])
	b.squares[from], b.squares[to] = piece, before.taken
	b.pieces[piece] = b.pieces[piece].Xor(both)
	b.sides[b.side] = b.sides[b.side].Xor(both)
	if before.taken != Empty {
		b.pieces[before.taken] = b.pieces[before.taken].Xor(points[to])
		b.sides[b.side^1] = b.sides[b.side^1].Xor(points[to])
	}
}

// The keys of positions are Zobrist hashes: one random number for each piece on
// each point, and one for Black being to move, joined by exclusive or. The numbers
// come from a fixed seed, so that a key is the same on every machine.

var zobrist, zobristSide = makeZobrist()

// makeZobrist draws the numbers. Those of the empty point stay zero.
func makeZobrist() (*[16][90]uint64, uint64) {
	table := new([16][90]uint64)
	random := splitmix(0x7168_7368_2d31) // "qhsh-1"
	for _, side := range [2]Side{Red, Black} {
		for kind := Rook; kind <= Pawn; kind++ {
			for sq := range table[0] {
				table[NewPiece(side, kind)][sq] = random.next()
			}
		}
	}
	return table, random.next()
}

// splitmix is Steele, Lea and Flood's generator SplitMix64.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
