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
	set, most := s.pieces[NewPiece(side, kind)], 2
	home, where := allSquares(), ""
	switch kind {
	case Pawn:
		most, home, where = 5, pawnHomes[side], "it can never stand there"
	case Elephant:
		home, where = elephantHomes[side], "it can never stand there"
	case Advisor:
		home, where = advisorHomes[side], "it can never stand there"
	}
	if n := set.Count(); n > most {
		return fmt.Errorf("%d %v %vs: at most %d", n, side, kind, most)
	}
	if lost := set.AndNot(home); !lost.Empty() {
		return fmt.Errorf("%v %v on %v: %s", side, kind, lost.First(), where)
	}
	return nil
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
