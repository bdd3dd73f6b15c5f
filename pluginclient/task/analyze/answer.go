package analyze

import (
	"time"

	"qhsh/pluginclient/protocol/jsonl"
	"qhsh/pluginclient/task/batch"
)

// An Answer is a line of the output. schema.json describes it.
type Answer struct {
	ID    batch.ID `json:"id,omitzero"` // absent if the line has none, or that of another request
	Final bool     `json:"final"`       // nothing follows about this line of the input

	// Of a request:
	Engine    string           `json:"engine,omitempty"` // the name by which requests name it
	Limits    batch.Limits     `json:"limits,omitzero"`
	Millis    int64            `json:"ms,omitempty"`      // since the search began
	Hints     []batch.HintJSON `json:"hints,omitzero"`    // best first
	Over      string           `json:"over,omitempty"`    // how the finished game has ended
	Stopped   bool             `json:"stopped,omitempty"` // by terminate
	Cancelled bool             `json:"cancelled,omitempty"`

	// Of an action:
	Action  string       `json:"action,omitempty"`
	IDs     []batch.ID   `json:"ids,omitzero"` // the requests that it ends
	Version string       `json:"version,omitempty"`
	Engines []EngineInfo `json:"engines,omitempty"`
	State   *jsonl.State `json:"state,omitempty"`

	// Of a failure:
	Error string `json:"error,omitempty"`
	Line  int    `json:"line,omitempty"`  // of the input, from 1
	Input string `json:"input,omitempty"` // its beginning, if it is invalid
}

// EngineInfo is what the answer to an action says about an engine.
type EngineInfo struct {
	Engine string `json:"engine"` // the name by which requests name it
	Jobs   int    `json:"jobs"`

	// Of versions:
	Spec     string      `json:"spec,omitempty"`
	Name     string      `json:"name,omitempty"` // what it calls itself
	Protocol string      `json:"protocol,omitempty"`
	Game     string      `json:"game,omitempty"`
	Levels   []LevelInfo `json:"levels,omitempty"`

	// Of queue, the ids in the order in which requests are or were begun:
	Queued  []batch.ID `json:"queued,omitzero"`
	Running []batch.ID `json:"running,omitzero"`
}

// LevelInfo is a level of an engine.
type LevelInfo struct {
	Level int    `json:"level"`
	Text  string `json:"text"`
}

// answer returns an answer to a request, with the hints so far: an empty list if there are none.
func (r *request) answer(hints []batch.Hint, spent time.Duration) Answer {
	a := Answer{ID: r.id, Engine: r.lane.Name, Hints: make([]batch.HintJSON, len(hints)), Millis: spent.Milliseconds()}
	for i, h := range hints {
		a.Hints[i] = h.JSON()
	}
	return a
}

// cancelled returns the final answer to a request that was cancelled.
func (r *request) cancelled() Answer {
	return Answer{ID: r.id, Engine: r.lane.Name, Cancelled: true}
}
