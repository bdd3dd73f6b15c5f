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
	ID     batch.ID   `json:"id"`
	Action string     `json:"action"`
	IDs    []batch.ID `json:"ids"` // of an action; nil for all

	Engine   string         `json:"engine"`
	FEN      string         `json:"fen"`
	Moves    []string       `json:"moves"`
	Limits   *requestLimits `json:"limits"`
	Lines    *int64         `json:"lines"`
	Ban      []string       `json:"ban"`
	Priority int            `json:"priority"`
	Report   *int64         `json:"report"` // in milliseconds
}

// requestLimits are the limits of a request.
type requestLimits struct {
	Level *int   `json:"level"`
	Nodes *int64 `json:"nodes"`
	Depth *int64 `json:"depth"`
	Time  *int64 `json:"time"` // in milliseconds
}

// A messageParser parses lines. It keeps its decoder from line to line: a new one costs as much as
// what it reads of a short request.
type messageParser struct {
	line bytes.Reader
	dec  *json.Decoder // reads line; nil after an error, which it would not forget
}

// parse parses a line. The id of a message returned with an error is set as far as it could be read.
func (p *messageParser) parse(line []byte) (m message, err error) {
	p.line.Reset(line)
	if p.dec == nil {
		p.dec = json.NewDecoder(&p.line)
		p.dec.DisallowUnknownFields()
	}
	defer func() {
		if err != nil {
			p.dec = nil
		}
	}()
	switch err := p.dec.Decode(&m); {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return m, errors.New("the object does not end on its line")
	case err != nil:
		if key, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return m, fmt.Errorf("unknown key %s", key)
		}
		return m, printable.JSONError(err)
	}
	// Decoder.More does not find everything that follows the object: it takes ] and } for the end of a list
	// or an object, and they would remain for the next line.
	_, end := p.dec.Token()
	switch {
	case end != io.EOF:
		return m, errors.New("want one object on each line")
	case m.ID == batch.ID{}:
		return m, errors.New("missing key id")
	case m.Action == "" && m.IDs != nil:
		return m, errors.New("the key ids is for actions: cancel and terminate")
	}
	return m, nil
}

// check checks the numbers of a request. Zero is no number: a key that is not set is left out.
func (m message) check() error {
	lim := requestLimits{}
	if m.Limits != nil {
		lim = *m.Limits
	}
	for _, n := range []struct {
		key   string
		value *int64
		most  int64
	}{
		{"lines", m.Lines, maxLines},
		{"report", m.Report, maxMillis},
		{"nodes", lim.Nodes, maxNodes},
		{"depth", lim.Depth, maxDepth},
		{"time", lim.Time, maxMillis},
	} {
		if n.value != nil && (*n.value < 1 || *n.value > n.most) {
			return fmt.Errorf("%s is %d: want a number from 1 to %d", n.key, *n.value, n.most)
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
