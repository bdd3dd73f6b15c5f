package input

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient/task/batch"
)

var (
	errNoObject = errors.New(`want an object on each line, such as {"fen": "..."}`)
	errList     = fmt.Errorf("%w: convert a list with jq -c '.[]' FILE", errNoObject)
	errOpen     = errors.New("object is not on a single line: convert it with jq -c . FILE, or a list with jq -c '.[]' FILE")
	errNoFEN    = errors.New("missing key fen")
)

// readJSON parses a line. An answer of 'qhsh hints' is a position too, and its bad lines stay bad. Keys
// of neither are the position's fields, see [batch.Fields]. A Record returned with an error has the id
// and the fields as far as they could be read.
func readJSON(line string) (r batch.Record, err error) {
	if strings.HasPrefix(line, "[") {
		return r, errList
	}
	if !strings.HasPrefix(line, "{") {
		return r, errNoObject
	}
	var all batch.Fields
	if err := json.Unmarshal([]byte(line), &all); err != nil {
		return r, explainJSON(err)
	}
	var fen, input *string
	var ops string
	var id batch.ID
	readers := map[string]any{
		"fen": &fen, "moves": (*jsonMoves)(&r.Moves), "id": &id, "bm": (*jsonMoves)(&r.BM), "am": (*jsonMoves)(&r.AM), "ops": &ops, "input": &input,
	}
	answer, own, pv := splitAnswer(all)
	known := knownKeys(answer, readers)
	for i, key := range answer {
		name, ok := known[i]
		if !ok {
			own = append(own, key)
			continue
		}
		if readErr := json.Unmarshal(key.Value, readers[name]); readErr != nil && err == nil {
			if wrong := (*json.UnmarshalTypeError)(nil); errors.As(readErr, &wrong) && wrong.Field == "" {
				wrong.Field = name
			}
			err = explainJSON(readErr)
		}
	}
	r.ID, r.IDNumber, r.Ops, r.Fields, r.PV = id.Text, id.IsNumber, batch.ParseOps(ops), own, pv
	fen = cmp.Or(fen, input)
	switch {
	case err != nil:
		return r, err
	case fen == nil:
		return r, errNoFEN
	}
	r.Text = *fen
	return r, nil
}

// knownKeys maps indexes in all to the names of a position's keys: an exact match, or else one in
// any case.
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

// explainJSON adds advice to the error of a bad line.
func explainJSON(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input" {
		return errOpen
	}
	return printable.JSONError(err)
}

// jsonMoves is a list of strings, or one string with several moves separated by spaces or commas.
type jsonMoves []string

func (t *jsonMoves) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*t = batch.SplitMoves(text)
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// answerKeys are the keys of an answer that say nothing about its position.
var answerKeys = []string{"file", "line", "engine", "spec", "level", "limits", "hints", "solved", "over", "error", "unscored"}

const fieldsKey = "fields"

// splitAnswer splits an answer into the keys of its position, its fields, and its first line. In any other
// object all keys belong to the position.
func splitAnswer(all batch.Fields) (position, own batch.Fields, pv []string) {
	if !isAnswer(all) {
		return all, nil, nil
	}
	for _, f := range all {
		var hints []batch.HintJSON
		switch {
		case f.Name == "hints" && json.Unmarshal(f.Value, &hints) == nil && len(hints) > 0:
			pv = hints[0].PV
		case f.Name == fieldsKey && own == nil && json.Unmarshal(f.Value, &own) == nil:
		case !slices.Contains(answerKeys, f.Name):
			position = append(position, f)
		}
	}
	return position, own, pv
}

// isAnswer reports whether an object was written by 'qhsh hints' rather than by a program that uses
// some of the same keys: it has a line, and hints or an error.
func isAnswer(all batch.Fields) bool {
	var line int
	var hints []struct{}
	var message, who string
	has := func(name string, value any) bool {
		i := slices.IndexFunc(all, func(f batch.Field) bool { return f.Name == name })
		return i >= 0 && string(all[i].Value) != "null" && json.Unmarshal(all[i].Value, value) == nil
	}
	if !has("line", &line) {
		return false
	}
	return has("hints", &hints) || has("error", &message) && (has("engine", &who) || has("input", &who))
}
