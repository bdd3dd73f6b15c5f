package engine

import "fmt"

// ScoreJSON is a score in JSON: {"cp":35} or {"mate":-3}, or no key if there is no score. It is
// meant to be embedded.
type ScoreJSON struct {
	CP   *int `json:"cp,omitempty"`   // hundredths of a pawn
	Mate *int `json:"mate,omitempty"` // as Score.Mate
}

// JSON returns the score for JSON.
func (s Score) JSON() ScoreJSON {
	if n, ok := s.Centipawns(); ok {
		return ScoreJSON{CP: &n}
	}
	if n, ok := s.Mate(); ok {
		return ScoreJSON{Mate: &n}
	}
	return ScoreJSON{}
}

// Score returns the score. If both keys are set, it is the mate.
func (j ScoreJSON) Score() Score {
	switch {
	case j.Mate != nil:
		return MateIn(*j.Mate)
	case j.CP != nil:
		return Centipawns(*j.CP)
	}
	return Score{}
}

// Remark returns the score as in comments of games, in pawns or moves to mate, followed by the
// depth in plies unless it is 0: "+0.35/8", "-M3/20".
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
