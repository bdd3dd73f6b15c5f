package analyze

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"qhsh/engine/printable"
	"qhsh/pluginclient/task/batch"
)

// Upper bounds of numbers in a request: larger ones are errors of the client.
const (
	maxLines  = 1000
	maxNodes  = 1 << 40
	maxDepth  = 1000
	maxMillis = int64(365 * 24 * time.Hour / time.Millisecond)
)

// A message is a line of the input: a request, or an action.
type message struct {
	ID          batch.ID   `json:"id"`
	Action      string     `json:"action"`
	IDs         []batch.ID `json:"ids"`         // of an action; nil for all
	TerminateID *batch.ID  `json:"terminateId"` // the same for one, as KataGo has it
	TurnNumbers []int      `json:"turnNumbers"` // of an action; nil for all

	Engine       string         `json:"engine"`
	FEN          string         `json:"fen"`
	Moves        []string       `json:"moves"`
	AnalyzeTurns []int          `json:"analyzeTurns"` // the positions after so many moves; nil for the last
	Limits       *requestLimits `json:"limits"`
	Lines        *int64         `json:"lines"`
	Ban          []string       `json:"ban"`
	AllowMoves   []moveRule     `json:"allowMoves"`
	AvoidMoves   []moveRule     `json:"avoidMoves"`
	Priority     int            `json:"priority"`
	Report       *int64         `json:"report"` // in milliseconds
}

// A moveRule restricts the moves that are searched, as KataGo has it.
type moveRule struct {
	Player     string   `json:"player"` // a side's name, or how it begins; "" for the side to move
	Moves      []string `json:"moves"`
	UntilDepth *int     `json:"untilDepth"` // in plies
}

// requestLimits are the limits of a request.
type requestLimits struct {
	Level *int   `json:"level"`
	Nodes *int64 `json:"nodes"`
	Depth *int64 `json:"depth"`
	Time  *int64 `json:"time"` // in milliseconds
	Clock *clock `json:"clock"`
}

// A clock is that of the side to move, in milliseconds.
type clock struct {
	Left      int64 `json:"left"`
	Increment int64 `json:"increment"`
}

// parse parses a line. The id of a message returned with an error is set as far as it could be read.
func parse(line []byte) (m message, err error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	var kind *json.UnmarshalTypeError
	switch err := dec.Decode(&m); {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return m, errors.New("the object does not end on its line")
	case errors.As(err, &kind):
		return m, inField(kind.Field, printable.JSONError(err))
	case err != nil:
		if key, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return m, inField(strings.Trim(key, `"`), fmt.Errorf("unknown key %s", key))
		}
		return m, err
	}
	// Decoder.More would take ] and } for the end of a list or an object.
	_, end := dec.Token()
	switch {
	case end != io.EOF:
		return m, errors.New("want one object on each line")
	case m.ID == batch.ID{}:
		return m, inField("id", errors.New("missing key id"))
	}
	for _, k := range []struct {
		key   string
		given bool
	}{{"turnNumbers", m.TurnNumbers != nil}, {"terminateId", m.TerminateID != nil}, {"ids", m.IDs != nil}} {
		switch {
		case k.given && m.Action == "":
			return m, inField(k.key, fmt.Errorf("the key %s is for actions: cancel and terminate", k.key))
		case k.given && m.Action == actTerminateAll && k.key != "turnNumbers":
			return m, inField(k.key, fmt.Errorf("%s ends all requests: leave the key %s out", m.Action, k.key))
		}
	}
	if m.TerminateID != nil {
		m.IDs = append(m.IDs, *m.TerminateID)
	}
	return m, nil
}

// check checks the numbers of a request. Zero is no number: a key that is not set is left out.
func (m message) check() error {
	lim := requestLimits{}
	if m.Limits != nil {
		lim = *m.Limits
	}
	var left *int64
	if lim.Clock != nil {
		left, lim.Clock.Increment = &lim.Clock.Left, min(max(lim.Clock.Increment, 0), maxMillis)
	}
	for _, n := range []struct {
		key   string
		value *int64
		most  int64
	}{
		{"lines", m.Lines, maxLines},
		{"report", m.Report, maxMillis},
		{"limits.nodes", lim.Nodes, maxNodes},
		{"limits.depth", lim.Depth, maxDepth},
		{"limits.time", lim.Time, maxMillis},
		{"limits.clock.left", left, maxMillis},
	} {
		if n.value != nil && (*n.value < 1 || *n.value > n.most) {
			return inField(n.key, fmt.Errorf("%s is %d: want a number from 1 to %d", strings.TrimPrefix(n.key, "limits."), *n.value, n.most))
		}
	}
	return nil
}

// valueOf returns the number of a key, or 0 if it is not set.
func valueOf(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// A fieldError is an error of a message with the name of the key that has it.
type fieldError struct {
	field string
	error
}

// inField returns err as the error of a key; nil if it is nil.
func inField(field string, err error) error {
	if err == nil {
		return nil
	}
	return fieldError{field, err}
}
