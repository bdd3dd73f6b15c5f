package batch

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
)

// Limits are the limits of a search as an answer reports them. The first one reached ended the
// search.
type Limits struct {
	Level    int
	HasLevel bool // a level was a limit
	Nodes    int64
	Depth    int
	Time     time.Duration // in whole milliseconds
}

// LimitsOf converts lim. leveled reports whether the level is one of the limits.
func LimitsOf(lim engine.Limits, leveled bool) Limits {
	l := Limits{HasLevel: leveled, Nodes: lim.Nodes, Depth: lim.Depth, Time: lim.Time.Truncate(time.Millisecond)}
	if leveled {
		l.Level = lim.Level
	}
	return l
}

// OptionalLevel returns the level; nil if it is not a limit.
func (l Limits) OptionalLevel() *int {
	if !l.HasLevel {
		return nil
	}
	return &l.Level
}

// A Limit is one of Limits.
type Limit struct {
	Name  string // level, nodes, depth or time
	Value int64  // of time in milliseconds
}

// Values returns the limits that are set.
func (l Limits) Values() (set []Limit) {
	for _, v := range []struct {
		is bool
		Limit
	}{
		{l.HasLevel, Limit{"level", int64(l.Level)}},
		{l.Nodes != 0, Limit{"nodes", l.Nodes}},
		{l.Depth != 0, Limit{"depth", int64(l.Depth)}},
		{l.Time != 0, Limit{"time", l.Time.Milliseconds()}},
	} {
		if v.is {
			set = append(set, v.Limit)
		}
	}
	return set
}

// String returns the limits for display, such as "level 5, time 500ms".
func (l Limits) String() string {
	var parts []string
	for _, v := range l.Values() {
		text := strconv.FormatInt(v.Value, 10)
		if v.Name == "time" {
			text = l.Time.String()
		}
		parts = append(parts, v.Name+" "+text)
	}
	return strings.Join(parts, ", ")
}

// format returns the limits as an EPD operand, such as "level=5 time=500".
func (l Limits) format() string {
	var parts []string
	for _, v := range l.Values() {
		parts = append(parts, fmt.Sprintf("%s=%d", v.Name, v.Value))
	}
	return strings.Join(parts, " ")
}

// parseLimits parses what format returns.
func parseLimits(text string) (l Limits, err error) {
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, "=")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return Limits{}, fmt.Errorf("not a number: %q", Excerpt(word))
		}
		switch name {
		case "level":
			l.Level, l.HasLevel = int(n), true
		case "nodes":
			l.Nodes = n
		case "depth":
			l.Depth = int(n)
		case "time":
			l.Time = time.Duration(n) * time.Millisecond
		default:
			return Limits{}, fmt.Errorf("unknown limit %q: want level, nodes, depth or time", name)
		}
	}
	return l, nil
}

type jsonLimits struct {
	Level *int  `json:"level,omitempty"`
	Nodes int64 `json:"nodes,omitempty"`
	Depth int   `json:"depth,omitempty"`
	Time  int64 `json:"time,omitempty"` // milliseconds
}

// MarshalJSON returns an object with the limits that are set; the time is in milliseconds.
func (l Limits) MarshalJSON() ([]byte, error) {
	return json.Marshal(jsonLimits{l.OptionalLevel(), l.Nodes, l.Depth, l.Time.Milliseconds()})
}

// UnmarshalJSON reads what MarshalJSON writes. Other keys are ignored.
func (l *Limits) UnmarshalJSON(text []byte) error {
	var in jsonLimits
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*l = Limits{Nodes: in.Nodes, Depth: in.Depth, Time: time.Duration(in.Time) * time.Millisecond}
	if in.Level != nil {
		l.Level, l.HasLevel = *in.Level, true
	}
	return nil
}
