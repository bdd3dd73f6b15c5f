package batch

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"qhsh/engine/printable"
)

// epdLoss counts the ids and fields that EPD could not hold.
type epdLoss struct{ fields, answers int }

func (l epdLoss) String() string {
	if l.fields == 0 {
		return ""
	}
	answers := "1 answer"
	if l.answers > 1 {
		answers = fmt.Sprintf("%d answers", l.answers)
	}
	return fmt.Sprintf("EPD cannot hold %d ids and own fields of %s as they were: it has no quotes within a text, no lists and objects, "+
		"and no blanks or quotes in a name; json, csv and sqlite have them all", l.fields, answers)
}

// count adds one answer's losses.
func (l *epdLoss) count(lost int) {
	l.fields += lost
	l.answers += boolToInt(lost > 0)
}

// fieldOps returns operations for the ID, unless the input had an id operation, and for the fields:
// numbers, true, false and null verbatim, strings in quotes. lost counts the values that do not
// read back the same, such as lists, which become strings, and those whose name clashes with an
// answer's operation, which are omitted.
func fieldOps(i Item) (ops []Op, lost int) {
	add := func(op Op, same bool) {
		ops = append(ops, op)
		lost += boolToInt(!same)
	}
	if _, ok := findOp(i.Ops, opID); !ok && i.ID != "" {
		add(i.idField().op())
	}
	for _, f := range i.Fields {
		if op, same := f.op(); op.Code == "" || isAnswerOp(op.Code) {
			lost++
		} else {
			add(op, same)
		}
	}
	return ops, lost
}

// isAnswerOp reports whether an answer uses the opcode.
func isAnswerOp(code string) bool {
	_, _, ofHint := hintOp(code)
	return ofHint || slices.Contains([]string{opBest, opAvoid, opID, opSolved, opOver, opError, opHalfmoveClock, opFullmoveNumber, opTime}, code)
}

// op returns a field as an operation; same reports whether it holds the whole value.
func (f Field) op() (op Op, same bool) {
	op.Code = strings.Join(strings.FieldsFunc(f.Name, endsOpName), "_")
	same = op.Code == f.Name
	var text string
	switch f.Value[0] {
	case '"':
		_ = json.Unmarshal(f.Value, &text) // which has been read as JSON
		op.Args = Quoted(text)
		return op, same && op.text() == text && printable.Line(text) == text && !strings.ContainsFunc(text, isBreak)
	case '[', '{':
		op.Args = Quoted(string(f.Value))
		return op, false
	}
	op.Args = string(f.Value)
	return op, same
}

// endsOpName reports whether r cannot be part of an opcode.
func endsOpName(r rune) bool {
	return r == '"' || r == ';' || unicode.IsSpace(r) || printable.Line(string(r)) != string(r)
}

// badLineOps separates a bad line from the id and fields that follow it.
const badLineOps = " ;"

// splitBadLineOps splits a bad line from the operations that follow badLineOps.
func splitBadLineOps(text string) (line string, ops []Op) {
	for at := range len(text) {
		rest, ok := strings.CutPrefix(text[at:], badLineOps)
		if !ok {
			continue
		}
		if ops = ParseOps(rest); len(ops) > 0 && FormatOps(ops) == rest {
			return text[:at], ops
		}
	}
	return text, nil
}
