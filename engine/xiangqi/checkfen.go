package xiangqi

import "fmt"

// checkPieces returns an error if a board cannot occur in a game, whoever is to move: too many or
// too few pieces, or a piece on an impossible point.
func (s *state) checkPieces() error {
	for _, side := range [2]Side{Red, Black} {
		kings := s.pieces[NewPiece(side, King)]
		switch n := kings.Count(); {
		case n == 0:
			return fmt.Errorf("no %v king", side)
		case n == 2:
			return fmt.Errorf("two %v kings", side)
		case n > 2:
			return fmt.Errorf("%d %v kings", n, side)
		case !palaces[side].Intersects(kings):
			return fmt.Errorf("%v king on %v outside its palace", side, kings.First())
		}
		for kind := Rook; kind <= Pawn; kind++ {
			if err := s.checkKind(side, kind); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *state) checkKind(side Side, kind Kind) error {
	set := s.pieces[NewPiece(side, kind)]
	if n := set.Count(); n > Most(kind) {
		return fmt.Errorf("%d %v %vs: at most %d", n, side, kind, Most(kind))
	}
	if lost := set.AndNot(Home(side, kind)); !lost.Empty() {
		return fmt.Errorf("%v %v on %v: it can never stand there", side, kind, lost.First())
	}
	return nil
}

// Most returns how many pieces of a kind a side can have.
func Most(k Kind) int {
	switch k {
	case NoKind:
		return 0
	case King:
		return 1
	case Pawn:
		return 5
	}
	return 2
}

// Home returns the points on which a side's pieces of a kind can ever stand.
func Home(s Side, k Kind) Bitboard {
	switch k {
	case King:
		return palaces[s]
	case Advisor:
		return advisorHomes[s]
	case Elephant:
		return elephantHomes[s]
	case Pawn:
		return pawnHomes[s]
	}
	return allSquares()
}

// checkTurn returns an error if the side not to move is in check.
func (s *state) checkTurn() error {
	red, black := s.king(Red), s.king(Black)
	if places[red].file == places[black].file && !pointsBetween(red, black).Intersects(s.occupied()) {
		return fmt.Errorf("the kings face each other on file %c", 'A'+rune(places[red].file))
	}
	waiting := s.side ^ 1
	if s.attacked(s.king(waiting), waiting, s.occupied()) {
		return fmt.Errorf("%v is in check and %v is to move", waiting, s.side)
	}
	return nil
}
