package qhplugin

import (
	"errors"
	"fmt"
	"strings"

	"qhsh/engine/xiangqi"
)

// KingInCheck is what ExplainMove says of a move that the piece could make but for its king.
const KingInCheck = "leaves the king in check"

// ExplainMove says what may be meant by a move that is illegal at pos, in words that follow "which";
// empty if it is legal, or nothing is known. Where few moves are legal, it is no chance that one of
// them is the same on a board that is numbered the other way.
func ExplainMove(pos *xiangqi.Position, text string) string {
	_, err := pos.Parse(text)
	bad, isIllegal := errors.AsType[*xiangqi.MoveError](err)
	switch {
	case !isIllegal:
		return ""
	case bad.InCheck:
		return KingInCheck
	case legalForOther(pos, text):
		if what := turned.explain(pos, bad.Move); what != "" && pos.Before() == nil {
			return "is a move of the other side, or " + what
		}
		return "is a move of the other side"
	case len(pos.LegalMoves()) > fewMoves:
		return ""
	}
	for _, v := range []view{turned, mirrored, rotated} {
		if what := v.explain(pos, bad.Move); what != "" {
			return "is " + what
		}
	}
	return ""
}

// fewMoves is how many legal moves are few.
const fewMoves = 4

// A view is a wrong way to number the points of the board.
type view struct {
	of   func(sq xiangqi.Square) xiangqi.Square
	what string
}

var (
	turned   = view{func(sq xiangqi.Square) xiangqi.Square { return (ranks-1-sq/files)*files + sq%files }, "%v with the ranks turned"}
	mirrored = view{func(sq xiangqi.Square) xiangqi.Square { return sq - sq%files + files - 1 - sq%files }, "the mirror image of %v"}
	rotated  = view{func(sq xiangqi.Square) xiangqi.Square { return ranks*files - 1 - sq }, "%v as Black sees the board"}
)

// explain says that a move is the view of a legal one; empty if it is not.
func (v view) explain(pos *xiangqi.Position, m xiangqi.Move) string {
	seen := xiangqi.NewMove(v.of(m.From()), v.of(m.To()))
	if _, err := pos.PlayMove(seen); err != nil {
		return ""
	}
	return fmt.Sprintf(v.what, seen)
}

// legalForOther reports whether a move would be legal if the other side were to move.
func legalForOther(pos *xiangqi.Position, move string) bool {
	board, side, _ := strings.Cut(pos.WireFEN(), " ")
	other := "w"
	if side == other {
		other = "b"
	}
	flipped, err := xiangqi.ParseFEN(board + " " + other)
	if err != nil {
		return false
	}
	_, err = flipped.Parse(move)
	return err == nil
}
