package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// jsonPosition is a position in a line of JSON. An answer of 'qhsh hints' is a position too;
// its bad lines are as bad as before. Keys that are neither of a position nor of an answer are
// the position's own, see [batch.Fields].
type jsonPosition struct {
	fen, input    *string
	moves, bm, am jsonMoves
	ops           string
	id            jsonID
	fields        batch.Fields
}

// readers returns how the keys of a position are read.
func (p *jsonPosition) readers() map[string]any {
	return map[string]any{
		"fen": &p.fen, "moves": &p.moves, "id": &p.id, "bm": &p.bm, "am": &p.am, "ops": &p.ops, "input": &p.input,
	}
}

var (
	errNoObject = errors.New(`want an object on each line, such as {"fen": "..."}`)
	errList     = fmt.Errorf("%w: jq -c '.[]' FILE makes that of a list", errNoObject)
	errOpen     = errors.New("the object does not end on its line: jq -c . FILE puts each on one, jq -c '.[]' FILE those of a list")
	errNoFEN    = errors.New("the key fen is missing")
)

func parseJSON(game engine.Game, line string) batch.Item {
	record, err := readJSON(line)
	if err != nil {
		return batch.Item{Input: batch.Excerpt(line), Err: err, ID: record.ID, IDNumber: record.IDNumber, Fields: record.Fields}
	}
	return record.Item(game)
}

// readJSON reads a line. A Record that comes with an error has what could be read of the id and
// the fields.
func readJSON(line string) (batch.Record, error) {
	if strings.HasPrefix(line, "[") {
		return batch.Record{}, errList
	}
	if !strings.HasPrefix(line, "{") {
		return batch.Record{}, errNoObject
	}
	var all batch.Fields
	if err := json.Unmarshal([]byte(line), &all); err != nil {
		return batch.Record{}, explainJSON(err)
	}
	var p jsonPosition
	err := p.read(all)
	if p.fen == nil {
		p.fen = p.input
	}
	r := batch.Record{
		Moves: p.moves, ID: p.id.text, IDNumber: p.id.isNumber, BM: p.bm, AM: p.am,
		Ops: batch.ParseOps(p.ops), Fields: p.fields,
	}
	switch {
	case err != nil:
		return r, err
	case p.fen == nil:
		return r, errNoFEN
	}
	r.Text = *p.fen
	return r, nil
}

// read reads the keys that are known; the others are fields. The error is that of the first
// wrong one.
func (p *jsonPosition) read(all batch.Fields) (err error) {
	answer, own := splitAnswer(all)
	readers := p.readers()
	known := knownKeys(answer, readers)
	for i, key := range answer {
		name, ok := known[i]
		if !ok {
			own = append(own, key)
			continue
		}
		if readErr := json.Unmarshal(key.Value, readers[name]); readErr != nil && err == nil {
			err = wrongKey(name, readErr)
		}
	}
	p.fields = own
	return err
}

// wrongKey returns the error of the value of a key.
func wrongKey(name string, err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field == "" {
		wrong.Field = name
	}
	return explainJSON(err)
}

// knownKeys returns the names of the keys that a position has, by their index: those in lower case,
// or else in any case.
func knownKeys(all batch.Fields, readers map[string]any) map[int]string {
	known := map[int]string{}
	for name := range readers {
		at := slices.IndexFunc(all, func(f batch.Field) bool { return f.Name == name })
		if at < 0 {
			at = slices.IndexFunc(all, func(f batch.Field) bool { return strings.EqualFold(f.Name, name) })
		}
		if at >= 0 {
			known[at] = name
		}
	}
	return known
}

// explainJSON says what to do about an object that is no line.
func explainJSON(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input" {
		return errOpen
	}
	return engine.ExplainJSON(err)
}

// jsonMoves is a list of texts, or a text with several separated by blanks or commas.
type jsonMoves []string

func (t *jsonMoves) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*t = batch.SplitMoves(text)
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// jsonID is a text or a number.
type jsonID struct {
	text     string
	isNumber bool
}

func (id *jsonID) UnmarshalJSON(data []byte) (err error) {
	id.text, id.isNumber, err = batch.ParseID(data)
	return err
}
