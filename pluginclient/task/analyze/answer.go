package analyze

import (
	"time"

	"qhsh/engine"
	"qhsh/pluginclient/protocol/jsonl"
	"qhsh/pluginclient/task/batch"
)

// An Answer is a line of the output. schema.json describes it.
type Answer struct {
	ID    batch.ID `json:"id,omitzero"` // absent if the line has none, or that of another request
	Final bool     `json:"final"`       // nothing follows about this line of the input

	// Of a request:
	*Turn
	Engine    string           `json:"engine,omitempty"` // the name by which requests name it
	Limits    batch.Limits     `json:"limits,omitzero"`
	Millis    int64            `json:"ms,omitempty"`      // since the search began
	Hints     []batch.HintJSON `json:"hints,omitzero"`    // best first
	Ending    *engine.Ending   `json:"ending,omitempty"`  // what the position is worth, if that is known
	Over      string           `json:"over,omitempty"`    // how the finished game has ended
	Stopped   bool             `json:"stopped,omitempty"` // by terminate
	Cancelled bool             `json:"cancelled,omitempty"`
	NoResults bool             `json:"noResults,omitempty"` // stopped or cancelled without hints

	// Of an action:
	Action      string       `json:"action,omitempty"`
	TerminateID *batch.ID    `json:"terminateId,omitempty"` // as the action has it, and TurnNumbers
	TurnNumbers []int        `json:"turnNumbers,omitzero"`
	IDs         []batch.ID   `json:"ids,omitzero"` // the requests that it ends
	Version     string       `json:"version,omitempty"`
	Engines     []engineInfo `json:"engines,omitempty"`
	State       *jsonl.State `json:"state,omitempty"`

	// Of a failure:
	Error string `json:"error,omitempty"`
	Field string `json:"field,omitempty"` // the key of the line that has it
	Line  int    `json:"line,omitempty"`  // of the input, from 1
	Input string `json:"input,omitempty"` // its beginning, if it is invalid
}

// A Turn is what KataGo's answers say about themselves.
type Turn struct {
	IsDuringSearch bool `json:"isDuringSearch"` // a partial answer; each turn has one that is not
	TurnNumber     int  `json:"turnNumber"`     // of the position: how many moves led to it
}

// engineInfo is what the answer to an action says about an engine.
type engineInfo struct {
	Engine string `json:"engine"` // the name by which requests name it
	Jobs   int    `json:"jobs"`

	// Of versions:
	Spec     string      `json:"spec,omitempty"`
	Name     string      `json:"name,omitempty"` // what it calls itself
	Protocol string      `json:"protocol,omitempty"`
	Game     string      `json:"game,omitempty"`
	Levels   []levelInfo `json:"levels,omitempty"`

	// Of queue, the ids in the order in which requests are or were begun:
	Queued  []batch.ID `json:"queued,omitzero"`
	Running []batch.ID `json:"running,omitzero"`
}

// levelInfo is a level of an engine.
type levelInfo struct {
	Level int    `json:"level"`
	Text  string `json:"text"`
}

// answer returns an answer to a request, with the hints so far: an empty list if there are none.
func (r *request) answer(hints []batch.Hint, spent time.Duration) Answer {
	a := Answer{
		ID: r.id, Turn: &Turn{TurnNumber: r.turn}, Engine: r.lane.Name, Hints: make([]batch.HintJSON, len(hints)),
		Ending: r.from.Known.Ending(r.pos), Millis: spent.Milliseconds(),
	}
	for i, h := range hints {
		a.Hints[i] = h.JSON()
	}
	return a
}
