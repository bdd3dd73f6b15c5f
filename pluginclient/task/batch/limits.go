package batch

import (
	"encoding/json"
	"errors"
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

func (l *Limits) set(v Limit) error {
	switch v.Name {
	case "level":
		l.Level, l.HasLevel = int(v.Value), true
	case "nodes":
		l.Nodes = v.Value
	case "depth":
		l.Depth = int(v.Value)
	case "time":
		l.Time = time.Duration(v.Value) * time.Millisecond
	default:
		return fmt.Errorf("unknown limit %q: want level, nodes, depth or time", v.Name)
	}
	return nil
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
			return Limits{}, errors.New("not a number: " + strconv.Quote(Excerpt(word)))
		}
		if err := l.set(Limit{name, n}); err != nil {
			return Limits{}, err
		}
	}
	return l, nil
}

// MarshalJSON returns an object with the limits that are set; the time is in milliseconds.
func (l Limits) MarshalJSON() ([]byte, error) {
	var set Fields
	for _, v := range l.Values() {
		set = append(set, Field{v.Name, strconv.AppendInt(nil, v.Value, 10)})
	}
	return set.MarshalJSON()
}

// UnmarshalJSON reads what MarshalJSON writes. Other keys are ignored.
func (l *Limits) UnmarshalJSON(text []byte) error {
	var set map[string]json.RawMessage
	if err := json.Unmarshal(text, &set); err != nil {
		return err
	}
	*l = Limits{}
	for name, value := range set {
		var n *int64
		if err := json.Unmarshal(value, &n); err != nil {
			return err
		}
		if n != nil {
			_ = l.set(Limit{name, *n})
		}
	}
	return nil
}
