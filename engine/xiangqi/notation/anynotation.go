package notation

import (
	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// Rules is Xiangqi with moves in any notation: it has the method ReadMove. Its positions are those
// of xiangqi.Rules, which parse only ICCS and UCI.
var Rules engine.Game = rules{xiangqi.Rules}

type rules struct{ engine.Game }

// ReadMove parses a legal move in any notation, like Read. Positions of other games parse their own
// notation.
func (rules) ReadMove(pos engine.Position, text string) (engine.Move, error) {
	p, ok := pos.(*xiangqi.Position)
	if !ok {
		return pos.Parse(text)
	}
	m, err := Read(p, text)
	return engine.Move(m), err
}

// PlayMove parses a move like ReadMove and plays it. It checks the legality of coordinates only
// once.
func (r rules) PlayMove(pos engine.Position, text string) (engine.Position, error) {
	if _, ours := pos.(*xiangqi.Position); ours {
		if m, plain := parseCoordinates(text); plain {
			return pos.Play(engine.Move(m))
		}
	}
	read, err := r.ReadMove(pos, text)
	if err != nil {
		return nil, err
	}
	return pos.Play(read)
}
