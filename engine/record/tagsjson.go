package record

import (
	"bytes"
	"encoding/json"
)

// MarshalJSON writes an object whose keys are in the order of the tags.
func (t Tags) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	text.WriteByte('{')
	for i, tag := range t {
		if i > 0 {
			text.WriteByte(',')
		}
		if err := enc.Encode(tag.Name); err != nil {
			return nil, err
		}
		text.WriteByte(':')
		if err := enc.Encode(tag.Value); err != nil {
			return nil, err
		}
	}
	text.WriteByte('}')
	return text.Bytes(), nil
}

// UnmarshalJSON reads an object with string values.
func (t *Tags) UnmarshalJSON(data []byte) error {
	var values map[string]string
	if err := json.Unmarshal(data, &values); err != nil || values == nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	_, _ = dec.Token() // the brace; the object is valid
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		value, err := dec.Token()
		if err != nil {
			return err
		}
		text, _ := value.(string) // null becomes ""
		*t = append(*t, Tag{name.(string), text})
	}
	return nil
}
