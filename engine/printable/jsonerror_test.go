package printable

import (
	"encoding/json"
	"testing"
)

func TestJSONError(t *testing.T) {
	type inner struct {
		Moves []string `json:"moves"`
		Plies int      `json:"plies"`
	}
	var to struct {
		Name string  `json:"name"`
		Over bool    `json:"over"`
		Time float64 `json:"time"`
		inner
		Tags map[string]string `json:"tags"`
	}
	for _, c := range []struct{ text, want string }{
		{`{"name":1}`, "the key name is a JSON number: want a text"},
		{`{"moves":{}}`, "the key moves is a JSON object: want a list"},
		{`{"moves":[{}]}`, "the key moves is a JSON object: want a text"},
		{`{"plies":"x"}`, "the key plies is a JSON string: want a whole number"},
		{`{"plies":1.5}`, "the key plies is a JSON number: want a whole number"},
		{`{"time":"x"}`, "the key time is a JSON string: want a number"},
		{`{"over":[]}`, "the key over is a JSON array: want true or false"},
		{`{"tags":[]}`, "the key tags is a JSON array: want an object"},
		{`[]`, "a JSON array: want an object"},
		{`{`, "unexpected end of JSON input"},
	} {
		if got := JSONError(json.Unmarshal([]byte(c.text), &to)); got == nil || got.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, got, c.want)
		}
	}
	if err := JSONError(nil); err != nil {
		t.Error(err)
	}
}
