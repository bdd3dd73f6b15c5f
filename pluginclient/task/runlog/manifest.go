package runlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine/printable"
)

// MarshalLine returns a value as a line of JSON, with its line feed. It panics if the value is not encodable.
func MarshalLine(v any) []byte {
	line, err := printable.JSON(v)
	if err != nil {
		panic(err)
	}
	return append(line, '\n')
}

// Differences returns how the manifest of a log differs from ours: one clause for each part, sorted;
// none if they are equal. Another version of the log is the only one.
func (k Kind) Differences(theirs, ours []byte) ([]string, error) {
	var a, b map[string]json.RawMessage
	if err := json.Unmarshal(theirs, &a); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(ours, &b); err != nil {
		return nil, err
	}
	version := strings.Trim(k.Prefix, `{":`)
	if before, now := a[version], b[version]; !bytes.Equal(before, now) {
		return []string{fmt.Sprintf("log version %s, but this program writes version %s", orNothing(before), now)}, nil
	}
	return differentKeys("", a, b), nil
}

func differentKeys(prefix string, a, b map[string]json.RawMessage) (differ []string) {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		differ = append(differ, differentValues(prefix+key, a[key], b[key])...)
	}
	return differ
}

// differentValues returns how the values of a key differ. Objects and lists do so in their parts; of
// a list only the first one is named.
func differentValues(key string, a, b json.RawMessage) []string {
	if bytes.Equal(a, b) {
		return nil
	}
	if before, now, ok := both[map[string]json.RawMessage](a, b, '{'); ok {
		return differentKeys(key+".", before, now)
	}
	if before, now, ok := both[[]json.RawMessage](a, b, '['); ok {
		for i := range max(len(before), len(now)) {
			was, is := element(before, i), element(now, i)
			if !bytes.Equal(was, is) {
				return differentValues(key+"."+label(i, was, is), was, is)
			}
		}
		return nil
	}
	return []string{fmt.Sprintf("%s is %s there and %s here", key, orNothing(a), orNothing(b))}
}

// element returns an element of a list; nil behind its end.
func element(list []json.RawMessage, i int) json.RawMessage {
	if i >= len(list) {
		return nil
	}
	return list[i]
}

// both parses two values that begin with the same bracket.
func both[T any](a, b json.RawMessage, bracket byte) (before, now T, ok bool) {
	ok = len(a) > 0 && len(b) > 0 && a[0] == bracket && b[0] == bracket &&
		json.Unmarshal(a, &before) == nil && json.Unmarshal(b, &now) == nil
	return before, now, ok
}

// label returns what people call element i of a list: its name if it has one that has not changed,
// else its number from 1.
func label(i int, a, b json.RawMessage) string {
	var before, now struct{ Name string }
	if json.Unmarshal(a, &before) == nil && json.Unmarshal(b, &now) == nil && before == now && now.Name != "" {
		return now.Name
	}
	return strconv.Itoa(i + 1)
}

func orNothing(raw json.RawMessage) string {
	if raw == nil {
		return "nothing"
	}
	return string(raw)
}
