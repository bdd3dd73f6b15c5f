package input

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"qhsh/pluginclient/task/batch"
)

// maxOthers is how many bytes are kept of a position's keys or columns that mean nothing here.
const maxOthers = 4000

// others are keys or columns that mean nothing here. They are kept as operations of EPD, whose
// way through every output is known: a text in quotes, a number, true and false as they are,
// any other JSON as a text. Those that would make them larger than maxOthers are left out.
type others struct {
	ops  []batch.Op
	size int
}

func (o *others) add(name, args string) {
	if name = strings.Join(strings.FieldsFunc(name, partsNames), "_"); name == "" {
		return
	}
	if size := len(name) + len(args); o.size+size <= maxOthers {
		o.size += size
		o.ops = append(o.ops, batch.Op{Code: name, Args: args})
	}
}

// partsNames tells what cannot stand in the name of an operation.
func partsNames(r rune) bool {
	return r <= ' ' || strings.ContainsRune("\";\u0085\u00a0\u2028\u2029\u3000", r)
}

// addCell adds a cell of a table.
func (o *others) addCell(name, cell string) {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return
	}
	if _, err := strconv.ParseFloat(cell, 64); err != nil {
		cell = batch.Quoted(cell)
	}
	o.add(name, cell)
}

// addJSON adds the value of a key.
func (o *others) addJSON(name string, value json.RawMessage) {
	var text string
	switch {
	case string(value) == "null":
		return
	case json.Unmarshal(value, &text) == nil:
		o.add(name, batch.Quoted(text))
	case value[0] == '[' || value[0] == '{':
		var compact bytes.Buffer
		_ = json.Compact(&compact, value) // which has been read as JSON
		o.add(name, batch.Quoted(compact.String()))
	default:
		o.add(name, string(value))
	}
}

// answerKeys are those that an answer has beside those of a position. They tell nothing of the
// position when the answer is read as one.
var answerKeys = []string{"file", "line", "engine", "spec", "level", "limits", "hints", "solved", "over", "error", "unscored"}

// othersOfJSON are the keys of an object that mean nothing here.
func othersOfJSON(line string) []batch.Op {
	type pair struct {
		name  string
		value json.RawMessage
	}
	dec := json.NewDecoder(strings.NewReader(line))
	_, _ = dec.Token() // the brace of an object that has been read once
	var pairs []pair
	isAnswer := false
	for dec.More() {
		var p pair
		name, err := dec.Token()
		if err != nil || dec.Decode(&p.value) != nil {
			return nil
		}
		p.name, _ = name.(string)
		if !isOneOf(p.name, readKeys) {
			pairs = append(pairs, p)
		}
		isAnswer = isAnswer || p.name == "hints" || p.name == "error"
	}
	var o others
	for _, p := range pairs {
		if !isAnswer || !isOneOf(p.name, answerKeys) {
			o.addJSON(p.name, p.value)
		}
	}
	return o.ops
}

// isOneOf tells whether a name is one of several, in any case.
func isOneOf(name string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}
