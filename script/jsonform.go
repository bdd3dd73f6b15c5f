package script

import (
	"bytes"
	"encoding/json"

	"qhsh/engine"
)

// What the values are in JSON: emit and json.encode ask their MarshalJSON.

type jsonScore struct {
	CP   *int `json:"cp,omitempty"`
	Mate *int `json:"mate,omitempty"`
}

// jsonHint has the keys of a hint of qhsh hints.
type jsonHint struct {
	Move string `json:"move"`
	jsonScore
	Depth int      `json:"depth,omitempty"`
	Nodes int64    `json:"nodes,omitempty"`
	PV    []string `json:"pv"`
	Text  string   `json:"text,omitempty"`
}

// jsonNode is a node without what is below it.
type jsonNode struct {
	Path []string `json:"path"`
	jsonHint
	Value    jsonScore `json:"value,omitzero"`
	Position string    `json:"position"`
	Kind     string    `json:"kind"`
	Error    string    `json:"error,omitempty"`
}

type jsonOutcome struct {
	Winner *string `json:"winner"`
	Reason string  `json:"reason"`
}

func toJSONScore(s engine.Score) jsonScore {
	if n, ok := s.Centipawns(); ok {
		return jsonScore{CP: &n}
	}
	if n, ok := s.Mate(); ok {
		return jsonScore{Mate: &n}
	}
	return jsonScore{}
}

func toJSONHint(h *hint) jsonHint {
	out := jsonHint{
		Move: h.move, jsonScore: toJSONScore(h.score), Depth: h.depth, Nodes: h.nodes, PV: h.pv, Text: h.text,
	}
	if out.PV == nil {
		out.PV = []string{}
	}
	return out
}

// marshal is JSON that says <, > and & as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
