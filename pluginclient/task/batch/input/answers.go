package input

import (
	"encoding/json"
	"slices"

	"qhsh/pluginclient/task/batch"
)

// answerKeys are those that an answer has beside those of a position. They tell nothing of the
// position when the answer is read as one.
var answerKeys = []string{"file", "line", "engine", "spec", "level", "limits", "hints", "solved", "over", "error", "unscored"}

// fieldsKey is the key under which an answer has the fields of its position.
const fieldsKey = "fields"

// splitAnswer returns the keys of an answer that tell of its position, and the fields that it has
// kept. Of what is no answer all keys are the position's.
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

// isAnswer reports whether an object is what 'qhsh hints' has written, so that its keys are not those
// of somebody else who has given them the same names: it has a line, and hints or an error.
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
