package batch

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"qhsh/engine/printable"
)

// epdLoss counts what EPD could not carry of ids and own fields.
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

// count adds what became of the id and the fields of an answer.
func (l *epdLoss) count(lost int) {
	l.fields += lost
	l.answers += boolToInt(lost > 0)
}

// fieldOps returns the operations that tell the id, unless one of the input's does, and the fields:
// numbers, true, false and null as they are, texts in quotes. Lost counts those that do not read
// back the same, such as a list, which becomes a text, and those that would be taken for a word of
// the answer, which are left out.
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

// isAnswerOp reports whether an operation means something in an answer.
func isAnswerOp(code string) bool {
	_, _, ofHint := hintOp(code)
	return ofHint || slices.Contains([]string{opBest, opAvoid, opID, opSolved, opOver, opError, opHalfmoveClock, opFullmoveNumber, opTime}, code)
}

// op returns a field as an operation; same reports whether that tells all of it.
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

// endsOpName reports whether a character cannot stand in the name of an operation.
func endsOpName(r rune) bool {
	return r == '"' || r == ';' || unicode.IsSpace(r) || printable.Line(string(r)) != string(r)
}

// badLineOps begins the id and the fields of a bad line, behind the line itself.
const badLineOps = " ;"

// splitBadLineOps cuts off what stands behind badOps.
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
