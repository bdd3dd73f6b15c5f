package engine

// ScoreJSON is a score as JSON has it: {"cp":35} or {"mate":-3}, and neither key where
// there is no score. Embedded, its keys stand among the others.
type ScoreJSON struct {
	CP   *int `json:"cp,omitempty"`   // hundredths of a pawn
	Mate *int `json:"mate,omitempty"` // as Score.Mate
}

// JSON is the score as JSON has it.
func (s Score) JSON() ScoreJSON {
	if n, ok := s.Centipawns(); ok {
		return ScoreJSON{CP: &n}
	}
	if n, ok := s.Mate(); ok {
		return ScoreJSON{Mate: &n}
	}
	return ScoreJSON{}
}

// Score is the score that JSON has. Where both keys are there it is the mate.
func (j ScoreJSON) Score() Score {
	switch {
	case j.Mate != nil:
		return MateIn(*j.Mate)
	case j.CP != nil:
		return Centipawns(*j.CP)
	}
	return Score{}
}
