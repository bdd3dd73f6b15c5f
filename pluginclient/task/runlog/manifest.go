package runlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// MarshalLine returns a value as a line of JSON, with its line feed. The value must be encodable.
func MarshalLine(v any) ([]byte, error) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return line.Bytes(), err
}

// Differences returns how a manifest differs from ours: one clause per key, sorted; none if they
// are equal.
func Differences(theirs, ours []byte) ([]string, error) {
	var a, b map[string]json.RawMessage
	if err := json.Unmarshal(theirs, &a); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(ours, &b); err != nil {
		return nil, err
	}
	var differ []string
	for key := range b {
		if !bytes.Equal(a[key], b[key]) {
			differ = append(differ, fmt.Sprintf("%s is %s there and %s here", key, orNothing(a[key]), b[key]))
		}
	}
	for key := range a {
		if _, ok := b[key]; !ok {
			differ = append(differ, fmt.Sprintf("%s is %s there and nothing here", key, a[key]))
		}
	}
	slices.Sort(differ)
	return differ, nil
}

func orNothing(raw json.RawMessage) string {
	if raw == nil {
		return "nothing"
	}
	return string(raw)
}
