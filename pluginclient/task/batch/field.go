package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine/printable"
)

// A Field is a key or column of the input that qhsh does not use and copies to the answer.
type Field struct {
	Name  string
	Value json.RawMessage // as in the input, without blanks between tokens; a cell of a table is a string
}

// Fields are in input order. Names may repeat.
type Fields []Field

// TextField returns a Field with a string value, such as a cell of a table.
func TextField(name, text string) Field { return Field{name, quoteJSON(text)} }

// NumberField returns a Field with a whole number.
func NumberField(name string, n int) Field { return Field{name, strconv.AppendInt(nil, int64(n), 10)} }

// text returns the string value of a field that TextField could have made.
func (f Field) text() (text string, ok bool) {
	if json.Unmarshal(f.Value, &text) != nil {
		return "", false
	}
	return text, bytes.Equal(quoteJSON(text), f.Value)
}

// quoteJSON returns a string or a list of strings in JSON.
func quoteJSON[T string | []string](text T) json.RawMessage {
	quoted, _ := printable.JSON(text) // which always has a form
	return quoted
}

// MarshalJSON returns an object.
func (f Fields) MarshalJSON() ([]byte, error) {
	return printable.JSONObject(len(f), func(i int) (string, any) { return f[i].Name, f[i].Value })
}

var errNoObject = errors.New("want an object")

// UnmarshalJSON reads an object. Numbers, escapes and repeated names are kept unchanged, but not blanks
// between tokens and bytes that are not UTF-8.
func (f *Fields) UnmarshalJSON(data []byte) error {
	*f = Fields{}
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errNoObject, err)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		var b bytes.Buffer
		_ = json.Compact(&b, value) // which was parsed as JSON before
		*f = append(*f, Field{fmt.Sprint(name), bytes.ToValidUTF8(b.Bytes(), []byte("\ufffd"))})
	}
	return nil
}

// FormatFields returns the Fields as a JSON object, preceded by the ID if a text cell cannot hold
// it; "" if there is neither.
func FormatFields(i Item) string {
	all := i.Fields
	if !i.hasPlainID() || slices.ContainsFunc(all, func(f Field) bool { return f.Name == opID }) {
		all = append(Fields{i.idField()}, all...)
	}
	if len(all) == 0 {
		return ""
	}
	text, _ := all.MarshalJSON() // which never fails
	return string(text)
}

// SetFields parses what FormatFields has written. The ID must have been set from its cell.
func (i *Item) SetFields(text string) error {
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), &i.Fields); err != nil {
		return fmt.Errorf("fields: %w", err)
	}
	if len(i.Fields) > 0 && i.Fields[0].Name == opID {
		var err error
		if i.ID, i.IDNumber, err = ParseID(i.Fields[0].Value); err != nil {
			return err
		}
		i.Fields = i.Fields[1:]
	}
	if len(i.Fields) == 0 {
		i.Fields = nil
	}
	return nil
}

// hasPlainID reports whether a text cell can hold the ID.
func (i *Item) hasPlainID() bool { return !i.IDNumber && printable.Line(i.ID) == i.ID }

func (i *Item) idField() Field {
	if i.IDNumber {
		return Field{opID, json.RawMessage(i.ID)}
	}
	return TextField(opID, i.ID)
}

// ParseID parses a JSON id: a string, or a number, which is kept verbatim; null means none.
func ParseID(value json.RawMessage) (id string, isNumber bool, err error) {
	if isNumeric(string(value)) {
		return string(value), true, nil
	}
	err = json.Unmarshal(value, &id)
	return id, false, err
}

// isNumeric reports whether text is a number of JSON.
func isNumeric(text string) bool {
	return text != "" && strings.Contains("-0123456789", text[:1]) && json.Valid([]byte(text)) && strings.TrimSpace(text) == text
}
