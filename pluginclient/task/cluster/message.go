package cluster

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
)

// errMessage is the error of a message that is in JSON and cannot be true.
var errMessage = errors.New("invalid message of a cluster")

// decode parses a message of a peer, which may have sent anything. Text in it is escaped where it is
// shown.
func decode(data []byte, message any) error {
	if err := json.Unmarshal(data, message); err != nil {
		return err
	}
	if m, ok := message.(interface{ isValid() bool }); ok && !m.isValid() {
		return errMessage
	}
	return nil
}

// isID reports whether a text can be one that newID returns. It is then safe in a subject.
func isID(text string) bool {
	return text != "" && len(text) <= 2*idBytes && strings.Trim(text, "0123456789abcdef") == ""
}

// Terms are what a worker must know, and have, to answer the units of a run.
type Terms struct {
	Kind    string          `json:"kind"`           // of the units: the name of a worker's Handler
	Game    string          `json:"game"`           // for people
	Engines []Engine        `json:"engines"`        // that a worker must have
	Build   string          `json:"build"`          // of the coordinator, which embedded engines must have
	Data    json.RawMessage `json:"data,omitempty"` // for the Handler
}

// An Engine is an engine of a worker.
type Engine struct {
	Name string `json:"name,omitempty"` // that the worker has given it; empty: it is embedded
	Spec string `json:"spec"`           // of an embedded engine, or for comparison
	// Evaluation, Book and Files identify an engine that has the same SPEC on several machines.
	Evaluation string   `json:"evaluation,omitempty"`
	Book       string   `json:"book,omitempty"`
	Files      []string `json:"files,omitempty"`
	Game       string   `json:"game,omitempty"`    // that it plays, for people
	Version    string   `json:"version,omitempty"` // that it says it has, for people
}

// Identity returns everything of an engine that its answers depend on.
func (e Engine) Identity() string {
	e.Game, e.Version = "", ""
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // cannot happen: strings
	}
	return string(text)
}

// A chunkMessage is a chunk in its stream.
type chunkMessage struct {
	Chunk int      `json:"chunk"`
	Units [][]byte `json:"units"`
}

// A beginRequest asks the coordinator to begin a chunk.
type beginRequest struct {
	Chunk   int    `json:"chunk"`
	Attempt string `json:"attempt"` // the same if the request is repeated
	Worker  string `json:"worker"`
	Alone   bool   `json:"alone,omitempty"` // the worker does nothing else meanwhile
}

// A beginReply has the units of the chunk that are still wanted.
type beginReply struct {
	Wanted []int `json:"wanted,omitempty"`
	// Suspect reports that the chunk may be why workers were lost. It is begun by a worker that does
	// nothing else, which sends each answer before it begins the next unit.
	Suspect bool `json:"suspect,omitempty"`
	Refused bool `json:"refused,omitempty"` // the worker is not asked any more: its answers were wrong
}

// An answersRequest asks the coordinator to accept answers.
type answersRequest struct {
	Chunk    int      `json:"chunk"`
	Attempt  string   `json:"attempt"`
	Worker   string   `json:"worker"`
	Answers  []answer `json:"answers,omitempty"`
	Seconds  float64  `json:"seconds"`            // that they took
	Returned bool     `json:"returned,omitempty"` // the rest of the chunk is handed back
	Problem  string   `json:"problem,omitempty"`  // why
}

type answer struct {
	Unit int    `json:"unit"`
	Data []byte `json:"data"`
}

// An answersReply says that the answers are accepted.
type answersReply struct {
	Ended   bool `json:"ended,omitempty"`   // the run is
	Refused bool `json:"refused,omitempty"` // as in a beginReply, instead
}

// A RunInfo describes a run.
type RunInfo struct {
	Run     string    `json:"run"`
	Title   string    `json:"title"` // for people
	Host    string    `json:"host"`
	Started time.Time `json:"started"`
	// Live reports whether its coordinator answers. The other fields are known only then.
	Live    bool  `json:"live"`
	Terms   Terms `json:"terms,omitzero"` // without their Data in a Status
	Done    int   `json:"done"`           // units
	Waiting int   `json:"waiting"`        // units that have been asked for and are not done
	Chunks  int   `json:"chunks"`         // that are sent and not done
	Dead    int   `json:"dead"`           // units
	Ended   bool  `json:"ended,omitempty"`
}

func (r RunInfo) isValid() bool { return isID(r.Run) && min(r.Done, r.Waiting, r.Chunks, r.Dead) >= 0 }

// A WorkerInfo describes a worker.
type WorkerInfo struct {
	Worker  string   `json:"worker"`
	Host    string   `json:"host"`
	Build   string   `json:"build"`
	Jobs    int      `json:"jobs"`
	Busy    int      `json:"busy"` // jobs that have a chunk
	Engines []Engine `json:"engines"`
	Runs    []string `json:"runs,omitempty"` // that it works for
	Done    int      `json:"done"`           // units
	Rate    float64  `json:"rate"`           // units a second, in the last minute or so
	Leaving bool     `json:"leaving,omitempty"`
}

func (w WorkerInfo) isValid() bool {
	return isID(w.Worker) && 0 < w.Jobs && w.Jobs <= MaxJobs && 0 <= w.Busy && w.Busy <= w.Jobs && w.Done >= 0 && w.Rate >= 0
}

func (w WorkerInfo) worksFor(run string) bool { return slices.Contains(w.Runs, run) }

// name returns the worker's name for people.
func (w WorkerInfo) name() string { return w.Host + "/" + w.Worker }

// A DeadUnit is a unit that no worker survived.
type DeadUnit struct {
	Run     string    `json:"run"`
	Title   string    `json:"title"`
	Unit    string    `json:"unit"` // as text
	Workers []string  `json:"workers"`
	At      time.Time `json:"at"`
}

// present is the reply of a coordinator or a worker to a request for all.
type present struct {
	Run    *RunInfo    `json:"run,omitempty"`
	Worker *WorkerInfo `json:"worker,omitempty"`
}

func (p present) isValid() bool {
	return (p.Run == nil || p.Run.isValid()) && (p.Worker == nil || p.Worker.isValid())
}
