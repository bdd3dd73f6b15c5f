package engine

import (
	"encoding/json"
	"testing"
)

// TestScoreJSON embeds scores as the outputs do: their keys stand among the others, or are
// not there.
func TestScoreJSON(t *testing.T) {
	for _, c := range []struct {
		score Score
		want  string
	}{
		{Score{}, `{"move":"m"}`},
		{Centipawns(0), `{"move":"m","cp":0,"value":{"cp":0}}`},
		{Centipawns(-35), `{"move":"m","cp":-35,"value":{"cp":-35}}`},
		{MateIn(3), `{"move":"m","mate":3,"value":{"mate":3}}`},
		{MateIn(0), `{"move":"m","mate":0,"value":{"mate":0}}`},
	} {
		got, err := json.Marshal(struct {
			Move string `json:"move"`
			ScoreJSON
			Value ScoreJSON `json:"value,omitzero"`
		}{"m", c.score.JSON(), c.score.JSON()})
		if err != nil || string(got) != c.want {
			t.Errorf("%v: %s, %v; want %s", c.score, got, err, c.want)
		}
		var back struct{ ScoreJSON }
		if err := json.Unmarshal(got, &back); err != nil || back.Score() != c.score {
			t.Errorf("%s comes back as %v, %v", got, back.Score(), err)
		}
	}
}
