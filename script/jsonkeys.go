package script

import (
	"bytes"
	"encoding/json"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// The JSON of values: emit and json.encode call their MarshalJSON.

// jsonNode is a tree node without its children.
type jsonNode struct {
	Path []string `json:"path"`
	batch.HintJSON
	Value    engine.ScoreJSON `json:"value,omitzero"`
	Position string           `json:"position"`
	Kind     string           `json:"kind"`
	Error    string           `json:"error,omitempty"`
}

// jsonGameNode has the keys of a note in a game's JSON, and the position.
type jsonGameNode struct {
	Ply      int    `json:"ply"`
	Move     string `json:"move,omitempty"`
	Position string `json:"position"`
	Before   string `json:"before,omitempty"`
	Text     string `json:"text,omitempty"`
	Glyphs   []int  `json:"glyphs,omitempty"`
}

type jsonPuzzle struct {
	FEN    string           `json:"fen"`
	Ply    int              `json:"ply"`
	Played string           `json:"played,omitempty"`
	Kind   string           `json:"kind"`
	End    string           `json:"end,omitempty"`
	Length int              `json:"length"`
	Found  int              `json:"found"`
	Grade  int              `json:"grade"`
	Hints  []batch.HintJSON `json:"hints"`
}

type jsonOutcome struct {
	Winner *string `json:"winner"`
	Reason string  `json:"reason"`
}

type jsonRuling struct {
	Rules   string          `json:"rules"`
	Verdict string          `json:"verdict"`
	Reason  string          `json:"reason,omitempty"`
	Times   int             `json:"times"`
	Cycle   []jsonCycleMove `json:"cycle,omitempty"`
	Red     string          `json:"red,omitempty"`
	Black   string          `json:"black,omitempty"`
}

type jsonCycleMove struct {
	Move string `json:"move"`
	Does string `json:"does,omitempty"`
}

// marshal returns JSON without HTML escapes.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
