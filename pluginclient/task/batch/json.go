package batch

import (
	"encoding/json"
	"errors"
	"io"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/protocol/jsonl"
)

// jsonSink is a Sink that writes JSON lines: one object for each input position. Its keys are those of jsonAnswer, in
// that order; the help page formats says what they mean. Keys are omitted where they do not apply. [DecodeJSON] reads it
// back.
type jsonSink struct{ w io.Writer }

type jsonAnswer struct {
	File     string         `json:"file,omitempty"`
	Line     int            `json:"line"`
	ID       ID             `json:"id,omitzero"`
	Input    *string        `json:"input,omitempty"`
	FEN      string         `json:"fen,omitempty"`
	Moves    []string       `json:"moves,omitempty"`
	BM       []string       `json:"bm,omitempty"`
	AM       []string       `json:"am,omitempty"`
	Ops      string         `json:"ops,omitempty"`
	Fields   Fields         `json:"fields,omitempty"`
	Engine   string         `json:"engine,omitempty"`
	Spec     string         `json:"spec,omitempty"`
	Level    *int           `json:"level,omitempty"`
	Limits   Limits         `json:"limits,omitzero"`
	Hints    []HintJSON     `json:"hints,omitzero"`
	Found    Limits         `json:"found,omitzero"`
	Ending   *engine.Ending `json:"ending,omitempty"`
	Solved   *bool          `json:"solved,omitempty"`
	Over     string         `json:"over,omitempty"`
	Error    string         `json:"error,omitempty"`
	Unscored string         `json:"unscored,omitempty"`
}

// HintJSON is a Hint in JSON, as programs that speak JSON answer.
type HintJSON = jsonl.Hint

// An ID is the name that a line of JSON gives to its position: a string, or a number, which is kept
// verbatim.
type ID struct {
	Text     string
	IsNumber bool
}

// MarshalJSON returns what UnmarshalJSON has read.
func (id ID) MarshalJSON() ([]byte, error) {
	return (&Item{ID: id.Text, IDNumber: id.IsNumber}).idField().Value, nil
}

// UnmarshalJSON reads a string or a number; null is no name.
func (id *ID) UnmarshalJSON(data []byte) (err error) {
	id.Text, id.IsNumber, err = ParseID(data)
	return err
}

func (j *jsonSink) Write(a Answer) error { return format.JSONLine(j.w, toJSON(a)) }

func toJSON(a Answer) jsonAnswer {
	out := jsonAnswer{
		File: a.File, Line: a.Line, ID: ID{a.ID, a.IDNumber}, FEN: a.Text, Moves: a.Moves,
		BM: a.BM, AM: a.AM, Ops: FormatOps(a.OtherOps()), Fields: a.Fields, Engine: a.Engine, Spec: a.Spec, Limits: a.Limits, Found: a.Found, Over: a.Over, Ending: a.Ending,
		Unscored: message(a.Unscored), Error: message(a.Err), Level: a.Limits.OptionalLevel(),
	}
	if solved, scored := a.Solved(); scored {
		out.Solved = &solved
	}
	if a.Err == nil {
		out.Hints = make([]HintJSON, len(a.Hints))
	}
	if a.IsBad() {
		out.Input = &a.Input
	}
	for i := range out.Hints {
		out.Hints[i] = a.Hints[i].JSON()
	}
	return out
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// JSON returns the hint for JSON.
func (h Hint) JSON() HintJSON {
	return HintJSON{Move: h.Move, ScoreJSON: h.Score.JSON(), Depth: h.Depth, Nodes: h.Nodes, Details: h.Details, PV: h.PV, Text: h.Text}
}

// DecodeJSON parses an answer that [jsonSink] has written. It has no Pos, and its errors are plain
// strings.
func DecodeJSON(line []byte) (Answer, error) {
	var in jsonAnswer
	if err := json.Unmarshal(line, &in); err != nil {
		return Answer{}, printable.JSONError(err)
	}
	if in.Hints == nil && in.Error == "" {
		return Answer{}, errors.New("missing key hints or error")
	}
	return in.answer(), nil
}

func (in *jsonAnswer) answer() Answer {
	a := Answer{
		Item: Item{
			File: in.File, Line: in.Line, ID: in.ID.Text, IDNumber: in.ID.IsNumber, Text: in.FEN, Moves: in.Moves,
			BM: in.BM, AM: in.AM, Ops: ParseOps(in.Ops), Fields: in.Fields, Unscored: toError(in.Unscored),
		},
		Engine: in.Engine, Spec: in.Spec, Limits: in.Limits, Found: in.Found, Over: in.Over, Ending: in.Ending, Err: toError(in.Error),
	}
	if in.Input != nil {
		a.Input, a.Item.Err = *in.Input, a.Err
	}
	if in.Level != nil {
		a.Limits.Level, a.Limits.HasLevel = *in.Level, true
	}
	for _, h := range in.Hints {
		a.Hints = append(a.Hints, Hint{
			Move: h.Move, Score: h.ScoreJSON.Score(), Depth: h.Depth, Nodes: h.Nodes, Details: h.Details, PV: h.PV, Text: h.Text,
		})
	}
	return a
}

func toError(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}
