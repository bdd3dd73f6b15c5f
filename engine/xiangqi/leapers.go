package xiangqi

// Horses and elephants leap over a point that must be empty, the leg or the eye. A horse's four
// legs are its orthogonal neighbours, an elephant's four eyes its diagonal ones; these four bits
// index a table of targets. The horses that attack a point are found from that point in the same
// way, because their legs are its diagonal neighbours. The other pieces have plain tables.

// A leaper has the targets of a piece on a point, by which of four points block it.
type leaper struct {
	mask Bitboard     // the blocking points that are on the board
	to   [16]Bitboard // indexed by gather4
}

const (
	// legs gathers the bits 0, 8, 10 and 18 of a window (south, west, east, north)
	// into the top four bits in the order west 2, east 0, south 1, north 3. No two
	// products meet, so nothing carries.
	legs = 1<<61 | 1<<54 | 1<<50 | 1<<45
	// eyes gathers the bits 0, 2, 18 and 20 (south-west, south-east, north-west,
	// north-east) in the order 2, 0, 3, 1.
	eyes = 1<<62 | 1<<58 | 1<<45 | 1<<41
)

// A step is a displacement in files and ranks.
type step struct{ file, rank int }

var (
	orthogonal = [4]step{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}
	diagonal   = [4]step{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}}
)

// from returns the point a step away, and whether it is on the board.
func (d step) from(sq Square) (Square, bool) {
	file, rank := int(sq)%9+d.file, int(sq)/9+d.rank
	if file < 0 || file > 8 || rank < 0 || rank > 9 {
		return 0, false
	}
	return Square(rank*9 + file), true
}

var (
	// The two steps of a horse over a leg.
	horseLeaps = makeLeaps(orthogonal, legs, 9, func(leg step) [2]step {
		if leg.file == 0 {
			return [2]step{{-1, 2 * leg.rank}, {1, 2 * leg.rank}}
		}
		return [2]step{{2 * leg.file, -1}, {2 * leg.file, 1}}
	})
	// The two steps back from a point to the horses that attack it over a leg.
	horseSources = makeLeaps(diagonal, eyes, 10, func(leg step) [2]step {
		return [2]step{{2 * leg.file, leg.rank}, {leg.file, 2 * leg.rank}}
	})
	// The step of an elephant over an eye, which does not cross the river.
	elephantLeaps = func() *[90]leaper {
		table := makeLeaps(diagonal, eyes, 10, func(eye step) [2]step {
			to := step{2 * eye.file, 2 * eye.rank}
			return [2]step{to, to}
		})
		for sq := range Square(90) {
			for i := range table[sq].to {
				if sq < halfSize {
					table[sq].to[i].hi = 0
				} else {
					table[sq].to[i].lo = 0
				}
			}
		}
		return table
	}()
)

// makeLeaps builds the table of a leaper. The lowest of its blocking points is
// lowest points below its own.
func makeLeaps(blocks [4]step, magic uint64, lowest int8, over func(step) [2]step) *[90]leaper {
	table := new([90]leaper)
	for sq := range Square(90) {
		l := &table[sq]
		for _, block := range blocks {
			if at, ok := block.from(sq); ok {
				l.mask = l.mask.Or(points[at])
			}
		}
		for _, block := range blocks {
			at, ok := block.from(sq)
			if !ok {
				continue
			}
			bit := gather4(points[at], l.mask, int8(sq)-lowest, magic)
			for _, d := range over(block) {
				to, ok := d.from(sq)
				for i := range uint64(16) {
					if ok && i&bit == 0 { // not blocked
						l.to[i] = l.to[i].Or(points[to])
					}
				}
			}
		}
	}
	return table
}

// horseTargets returns the targets of a horse with occupancy occ.
func horseTargets(sq Square, occ Bitboard) Bitboard {
	l := &horseLeaps[sq]
	return l.to[gather4(occ, l.mask, int8(sq)-9, legs)]
}

// horseAttackers returns the points from which a horse would attack a point with occupancy occ.
func horseAttackers(sq Square, occ Bitboard) Bitboard {
	l := &horseSources[sq]
	return l.to[gather4(occ, l.mask, int8(sq)-10, eyes)]
}

// elephantTargets returns the targets of an elephant with occupancy occ. It does not cross the
// river.
func elephantTargets(sq Square, occ Bitboard) Bitboard {
	l := &elephantLeaps[sq]
	return l.to[gather4(occ, l.mask, int8(sq)-10, eyes)]
}

// palaces are the palaces by side.
var palaces = [2]Bitboard{
	Red:   {lo: 7<<3 | 7<<12 | 7<<21},
	Black: {hi: 7<<21 | 7<<30 | 7<<39},
}

// The homes are where a piece of a kind can ever stand, by side.
var (
	advisorHomes  = [2]Bitboard{Red: pointsAt("D0 F0 E1 D2 F2"), Black: pointsAt("D9 F9 E8 D7 F7")}
	elephantHomes = [2]Bitboard{Red: pointsAt("C0 G0 A2 E2 I2 C4 G4"), Black: pointsAt("C9 G9 A7 E7 I7 C5 G5")}
	pawnHomes     = [2]Bitboard{
		Red:   {lo: 0o525<<27 | 0o525<<36, hi: halfMask},
		Black: {lo: halfMask, hi: 0o525 | 0o525<<9},
	}
)

// pointsAt returns the set of points named two bytes each, separated by spaces.
func pointsAt(names string) (set Bitboard) {
	for i := 0; i < len(names); i += 3 {
		set = set.Or(points[Square(names[i]-'A')+9*Square(names[i+1]-'0')])
	}
	return set
}

var (
	kingSteps    = makeSteps(orthogonal, palaces[Red].Or(palaces[Black]))
	advisorSteps = makeSteps(diagonal, palaces[Red].Or(palaces[Black]))

	// The targets of a side's pawns, and where those that attack a point stand.
	pawnSteps, pawnSources = makePawnSteps()
)

// makeSteps returns the steps between points of a region.
func makeSteps(steps [4]step, region Bitboard) (table [90]Bitboard) {
	for sq := range region.All() {
		for _, d := range steps {
			if to, ok := d.from(sq); ok && region.Has(to) {
				table[sq] = table[sq].Or(points[to])
			}
		}
	}
	return table
}

func makePawnSteps() (targets, sources [2][90]Bitboard) {
	for sq := range Square(90) {
		for side, ahead := range [2]int{Red: 1, Black: -1} {
			steps := []step{{0, ahead}}
			if (side == int(Red)) == (sq >= halfSize) {
				steps = append(steps, step{-1, 0}, step{1, 0})
			}
			for _, d := range steps {
				if to, ok := d.from(sq); ok {
					targets[side][sq] = targets[side][sq].Or(points[to])
					sources[side][to] = sources[side][to].Or(points[sq])
				}
			}
		}
	}
	return targets, sources
}

var beyond = [2]Bitboard{Red: {hi: halfMask}, Black: {lo: halfMask}}
