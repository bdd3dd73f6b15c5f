package analyze

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"

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

// An answerWriter writes answers. It is safe for concurrent use.
type answerWriter struct {
	mu   sync.Mutex
	line bytes.Buffer
	enc  *json.Encoder
	w    io.Writer
	fail func(error) // called with the error of a write
}

func newAnswerWriter(w io.Writer, fail func(error)) *answerWriter {
	a := &answerWriter{w: w, fail: fail}
	a.enc = json.NewEncoder(&a.line)
	a.enc.SetEscapeHTML(false)
	return a
}

// write writes a line by one call of Write.
func (a *answerWriter) write(answer Answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.line.Reset()
	err := a.enc.Encode(answer)
	if err == nil {
		_, err = a.w.Write(a.line.Bytes())
	}
	if err != nil {
		a.fail(err)
	}
}

// answer returns an answer to a request, with the hints so far.
func (r *request) answer(hints []batch.Hint, spent time.Duration) Answer {
	return Answer{ID: r.id, Engine: r.lane.Name, Hints: toJSON(hints), Millis: spent.Milliseconds()}
}

// toJSON returns hints for an answer. It is not nil, so that it is an empty list if there are none.
func toJSON(hints []batch.Hint) []batch.HintJSON {
	all := make([]batch.HintJSON, len(hints))
	for i, h := range hints {
		all[i] = h.JSON()
	}
	return all
}
