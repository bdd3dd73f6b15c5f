package engine

import "fmt"

// ScoreJSON is a score as JSON has it: {"cp":35} or {"mate":-3}, and neither key where
// there is no score. Embedded, its keys stand among the others.
type ScoreJSON struct {
	CP   *int `json:"cp,omitempty"`   // hundredths of a pawn
	Mate *int `json:"mate,omitempty"` // as Score.Mate
}

// JSON returns the score as JSON has it.
func (s Score) JSON() ScoreJSON {
	if n, ok := s.Centipawns(); ok {
		return ScoreJSON{CP: &n}
	}
	if n, ok := s.Mate(); ok {
		return ScoreJSON{Mate: &n}
	}
	return ScoreJSON{}
}

// Score returns the score that JSON has. Where both keys are there it is the mate.
func (j ScoreJSON) Score() Score {
	switch {
	case j.Mate != nil:
		return MateIn(*j.Mate)
	case j.CP != nil:
		return Centipawns(*j.CP)
	}
	return Score{}
}

// Remark returns the score as comments of games have it, in pawns or in moves to mate, and behind it
// the depth in plies, unless that is 0: "+0.35/8", "-M3/20".
func (j ScoreJSON) Remark(depth int) (text string) {
	switch {
	case j.CP != nil:
		text = fmt.Sprintf("%+.2f", float64(*j.CP)/100)
	case j.Mate != nil && *j.Mate > 0:
		text = fmt.Sprintf("+M%d", *j.Mate)
	case j.Mate != nil:
		text = fmt.Sprintf("-M%d", -*j.Mate)
	}
	if depth > 0 {
		text += fmt.Sprintf("/%d", depth)
	}
	return text
}
