package input

import (
	"encoding/json"
	"slices"

	"qhsh/pluginclient/task/batch"
)

// answerKeys are the keys of an answer that say nothing about its position.
var answerKeys = []string{"file", "line", "engine", "spec", "level", "limits", "hints", "solved", "over", "error", "unscored"}

// fieldsKey is the key of an answer's fields.
const fieldsKey = "fields"

// splitAnswer splits an answer into the keys of its position and its fields. In any other object
// all keys belong to the position.
func splitAnswer(all batch.Fields) (position, own batch.Fields) {
	if !isAnswer(all) {
		return all, nil
	}
	for _, f := range all {
		switch {
		case f.Name == fieldsKey && own == nil && json.Unmarshal(f.Value, &own) == nil:
		case !slices.Contains(answerKeys, f.Name):
			position = append(position, f)
		}
	}
	return position, own
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
