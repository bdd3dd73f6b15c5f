package eval

import "qhsh/engine/xiangqi"

// A palaceAttack counts one side's attacks on the enemy palace.
type palaceAttack struct {
	hits      int // attacked palace points, counted per attacker
	attackers int // number of attacking pieces
}

// terms returns the sum of all features except piece-square values, Red's minus Black's, packed.
func (v *attackMap) terms(trace *[features]int16) int32 {
	sides := [2]featureSum{{trace: trace, sign: 1}, {trace: trace, sign: -1}}
	var sieges [2]palaceAttack
	for s := range sides {
		v.mobility(&sides[s], xiangqi.Side(s), &sieges[s])
		v.unite(xiangqi.Side(s))
	}
	for s := range sides {
		t, s := &sides[s], xiangqi.Side(s)
		v.material(t, s)
		v.guards(t, s)
		v.attack(t, s, &sieges[s])
		v.lines(t, s)
		v.links(t, s)
		v.hanging(t, s)
	}
	sides[v.board.Side()].one(tempo)
	return sides[xiangqi.Red].sum - sides[xiangqi.Black].sum
}

// mobility adds the mobility of a side's rooks, cannons and horses. Points attacked by enemy pawns
// do not count.
func (v *attackMap) mobility(t *featureSum, s xiangqi.Side, g *palaceAttack) {
	b, occ := v.board, v.occ
	palace := xiangqi.Palace(s.Other())
	free := xiangqi.AllSquares().AndNot(b.OccupiedBy(s)).AndNot(v.by[s.Other()][xiangqi.Pawn])
	foes := b.OccupiedBy(s.Other())
	var sq xiangqi.Square
	var hit xiangqi.Bitboard
	for set := b.Pieces(s, xiangqi.Rook); !set.Empty(); {
		sq, set = set.Next()
		to := xiangqi.RookTargets(sq, occ)
		hit = hit.Or(to)
		t.one(rookFreedom + to.And(free).Count())
		g.add(t, 0, to.And(palace).Count())
	}
	v.by[s][xiangqi.Rook], hit = hit, xiangqi.Bitboard{}
	var slides xiangqi.Bitboard
	for set := b.Pieces(s, xiangqi.Cannon); !set.Empty(); {
		sq, set = set.Next()
		to := xiangqi.CannonTargets(sq, occ)
		hit, slides = hit.Or(to.And(occ)), slides.Or(to.AndNot(occ))
		t.one(cannonFreedom + to.AndNot(occ).And(free).Count())
		t.one(cannonAims + to.And(foes).Count())
		g.add(t, 2, to.And(palace).Count())
	}
	v.slides[s] = slides
	v.by[s][xiangqi.Cannon], hit = hit, xiangqi.Bitboard{}
	for set := b.Pieces(s, xiangqi.Horse); !set.Empty(); {
		sq, set = set.Next()
		to := xiangqi.HorseTargets(sq, occ)
		hit = hit.Or(to)
		t.one(horseFreedom + to.And(free).Count())
		g.add(t, 1, to.And(palace).Count())
	}
	v.by[s][xiangqi.Horse] = hit
	if n := v.by[s][xiangqi.Pawn].And(palace).Count(); n > 0 {
		g.add(t, 3, n)
	}
}

// add records a piece that attacks n points of the palace.
func (g *palaceAttack) add(t *featureSum, kind, n int) {
	if n > 0 {
		t.add(palaceHits+kind, n)
		g.hits += n
		g.attackers++
	}
}

// material adds features of piece combinations and of pieces across the river.
func (v *attackMap) material(t *featureSum, s xiangqi.Side) {
	n := &v.counts[s]
	t.add(rookPair, n[xiangqi.Rook]/2)
	t.add(horsePair, n[xiangqi.Horse]/2)
	t.add(cannonPair, n[xiangqi.Cannon]/2)
	t.add(horseCannon, n[xiangqi.Horse]*n[xiangqi.Cannon])
	beyond := xiangqi.EnemyHalf(s)
	b := v.board
	across := b.Pieces(s, xiangqi.Rook).Or(b.Pieces(s, xiangqi.Horse)).Or(b.Pieces(s, xiangqi.Cannon)).And(beyond)
	t.one(piecesAcross + across.Count())
	pawns := b.Pieces(s, xiangqi.Pawn)
	t.one(pawnsAcross + pawns.And(beyond).Count())
	t.add(pawnsAbreast, pawns.And(v.by[s][xiangqi.Pawn]).Count())
	t.add(pawnHeld, pawns.And(beyond).And(v.all[s]).Count())
}

// guards adds a side's guards, and the enemy pieces that can exploit missing ones: without an
// advisor the palace is open to rooks, horses and pawns, without an elephant to cannons and pawns.
func (v *attackMap) guards(t *featureSum, s xiangqi.Side) {
	own, foe := &v.counts[s], &v.counts[s.Other()]
	advisors, elephants := min(2, own[xiangqi.Advisor]), min(2, own[xiangqi.Elephant])
	t.one(guardSet + 3*advisors + elephants)
	crossed := v.board.Pieces(s.Other(), xiangqi.Pawn).And(xiangqi.EnemyHalf(s.Other())).Count()
	for i, n := range [4]int{foe[xiangqi.Rook], foe[xiangqi.Horse], foe[xiangqi.Cannon], crossed} {
		t.add(bareToAttackers+i, n*(2-advisors))
		t.add(bareToAttackers+4+i, n*(2-elephants))
	}
	elephant := v.board.Pieces(s, xiangqi.Elephant)
	t.add(elephantsLinked, elephant.And(v.by[s][xiangqi.Elephant]).Count())
	steps := v.by[s][xiangqi.King].AndNot(v.board.OccupiedBy(s)).AndNot(v.all[s.Other()])
	t.one(kingSteps + steps.Count())
}

// attack adds a side's attack on the enemy palace. Danger grows faster than the number of
// attackers, so its value is a table.
func (v *attackMap) attack(t *featureSum, s xiangqi.Side, g *palaceAttack) {
	foe := s.Other()
	king := v.board.King(foe)
	safe := xiangqi.AllSquares().AndNot(v.board.OccupiedBy(s)).AndNot(v.all[foe])
	rook := xiangqi.RookTargets(king, v.occ)
	beyond := xiangqi.RookTargets(king, v.occ.AndNot(rook)).AndNot(rook)
	checks := [3]int{
		rook.And(v.by[s][xiangqi.Rook]).And(safe).Count(),
		xiangqi.HorseSources(king, v.occ).And(v.by[s][xiangqi.Horse]).And(safe).Count(),
		beyond.And(v.slides[s]).And(safe).Count(),
	}
	danger := g.hits + 2*g.attackers
	for i, n := range checks {
		t.add(safeChecks+i, n)
		danger += 2 * min(n, 2)
	}
	n := &v.counts[foe]
	danger += 4 - min(4, n[xiangqi.Advisor]+n[xiangqi.Elephant])
	t.one(palaceCrew + min(7, g.attackers))
	t.one(palaceDanger + min(dangerSteps-1, danger))
}

// lines adds a side's rooks and cannons on a line with the enemy king. With no piece between, a
// cannon forbids interposing; with two, neither may leave.
func (v *attackMap) lines(t *featureSum, s xiangqi.Side) {
	b, n := v.board, &v.counts[s]
	king := b.King(s.Other())
	cross := xiangqi.RookTargets(king, xiangqi.Bitboard{})
	var sq xiangqi.Square
	for set := b.Pieces(s, xiangqi.Cannon).And(cross); !set.Empty(); {
		sq, set = set.Next()
		line := onRank(sq, king)
		switch xiangqi.Between(king, sq).And(v.occ).Count() {
		case 0:
			t.one(cannonOnKing + line*3)
			t.add(hollowWith, n[xiangqi.Rook])
			t.add(hollowWith+1, n[xiangqi.Horse])
			t.add(hollowWith+2, n[xiangqi.Cannon]-1)
		case 2:
			t.one(cannonOnKing + line*3 + 1)
		case 3:
			t.one(cannonOnKing + line*3 + 2)
		}
	}
	for set := b.Pieces(s, xiangqi.Rook).And(cross); !set.Empty(); {
		sq, set = set.Next()
		line := onRank(sq, king)
		switch xiangqi.Between(king, sq).And(v.occ).Count() {
		case 1:
			t.one(rookOnKing + line*2)
		case 2:
			t.one(rookOnKing + line*2 + 1)
		}
	}
}

// onRank returns 1 for two points on one rank, 0 for two on one file.
func onRank(a, b xiangqi.Square) int {
	if a/9 == b/9 {
		return 1
	}
	return 0
}

// links adds pieces that protect each other.
func (v *attackMap) links(t *featureSum, s xiangqi.Side) {
	b, by := v.board, &v.by[s]
	if b.Pieces(s, xiangqi.Rook).Intersects(by[xiangqi.Rook]) {
		t.one(rooksLinked)
	}
	horses := b.Pieces(s, xiangqi.Horse)
	t.add(horsesLinked, horses.And(by[xiangqi.Horse]).Count())
	t.add(horseHeld, horses.And(v.all[s]).Count())
	t.add(cannonHeld, b.Pieces(s, xiangqi.Cannon).And(v.all[s]).Count())
}

// hanging adds a side's pieces that are attacked by lesser ones, or attacked and not protected.
func (v *attackMap) hanging(t *featureSum, s xiangqi.Side) {
	b, foe := v.board, &v.by[s.Other()]
	if loose := b.OccupiedBy(s).And(v.all[s.Other()]).AndNot(v.all[s]); !loose.Empty() {
		for k := xiangqi.Rook; k <= xiangqi.Pawn; k++ {
			if k != xiangqi.King {
				t.add(weak+int(k), b.Pieces(s, k).And(loose).Count())
			}
		}
	}
	small := foe[xiangqi.Pawn].Or(foe[xiangqi.Advisor]).Or(foe[xiangqi.Elephant])
	minor := small.Or(foe[xiangqi.Horse]).Or(foe[xiangqi.Cannon])
	t.add(rookHunted, b.Pieces(s, xiangqi.Rook).And(minor).Count())
	t.add(minorHunted, b.Pieces(s, xiangqi.Horse).Or(b.Pieces(s, xiangqi.Cannon)).And(small).Count())
}
