package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"

	"qhsh/engine/lab/selfplay"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// terms are all parameters that the games of a file depend on. The file's header has them, so that
// it can only be resumed with the same.
type terms struct {
	Seed     uint64 `json:"seed"`
	Nodes    int64  `json:"nodes"`
	Plies    string `json:"plies"`
	Openings string `json:"openings,omitempty"` // a checksum of the file
	Eval     string `json:"eval"`               // a network's name and checksum
	Endings  int    `json:"endgames"`
	Resign   int    `json:"resign"`
	Draw     int    `json:"draw"`
	Fixed    string `json:"fixed"`
	Program  string `json:"program"` // selfplay.Fingerprint
}

// Parameters that are the same for all games.
const (
	hash        = 2   // MiB; a larger table only makes such short searches slower
	hardLimit   = 20  // times -nodes is the maximum of a search
	fair        = 600 // centipawns
	resignPlies = 6
	drawPlies   = 40
	maxPlies    = 600
)

// maxNodes is the maximum of -nodes. It cannot overflow.
const maxNodes = 1_000_000_000_000

func (t *terms) String() string {
	t.Fixed = fmt.Sprintf("hash %d, hard limit %d, fair %d, resign plies %d, draw plies %d, most plies %d",
		hash, hardLimit, fair, resignPlies, drawPlies, maxPlies)
	text, _ := json.Marshal(t) // no value in it can fail
	return string(text)
}

// plan returns how the games are played. It stores the checksum of the openings in the terms.
func (t *terms) plan(openings string) (p selfplay.Plan, err error) {
	if t.Nodes < 1 || t.Nodes > maxNodes {
		return p, fmt.Errorf("nodes=%d: want 1 to %d", t.Nodes, int64(maxNodes))
	}
	p = selfplay.Plan{
		Seed: t.Seed, Nodes: hardLimit * t.Nodes, Soft: t.Nodes, Hash: hash,
		Judge: selfplay.ByRules(maxPlies), Endings: t.Endings, Fair: fair,
	}
	if n, err := fmt.Sscanf(t.Plies, "%d-%d", &p.MinPlies, &p.MaxPlies); n == 1 {
		p.MaxPlies = p.MinPlies
	} else if err != nil {
		return p, fmt.Errorf("plies=%s: want two numbers, such as 8-10", t.Plies)
	}
	if t.Resign != 0 {
		p.Resign = selfplay.Streak{Score: t.Resign, Plies: resignPlies}
	}
	if t.Draw != 0 {
		p.Draw = selfplay.Streak{Score: t.Draw, Plies: drawPlies}
	}
	if openings != "" {
		if p.Starts, err = t.read(openings); err != nil {
			return p, fmt.Errorf("%s: %w", openings, err)
		}
	}
	return p, p.Check()
}

// embeddedName is a value of -eval. The others are files.
const embeddedName = "net"

// network returns selfplay.Plan.Network for a value of -eval. It stores the network in the terms.
func (t *terms) network(value string) (*net.Weights, error) {
	w := net.Embedded()
	if value != embeddedName {
		var err error
		if w, err = net.ReadFile(value); err != nil {
			return nil, fmt.Errorf("eval=%s: want %s or a file of weights: %w", value, embeddedName, err)
		}
	}
	t.Eval = w.Name + "-" + w.Checksum()
	return w, nil
}

// read reads a file of positions.
func (t *terms) read(name string) (list []*xiangqi.Position, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, errors.Unwrap(err) // the name is said already
	}
	h := fnv.New64a()
	_, _ = h.Write(text) // it never fails
	t.Openings = fmt.Sprintf("%016x", h.Sum64())
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		pos, err := xiangqi.ParseFEN(string(line))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		list = append(list, pos)
	}
	if len(list) == 0 {
		return nil, errors.New("no positions")
	}
	return list, nil
}
