package tune

import (
	"encoding/json"
	"errors"
	"fmt"

	"qhsh/engine/filelock"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/runlog"
)

// logKind describes the files of runs.
var logKind = runlog.Kind{
	Prefix: `{"tune":`, ErrForeign: configf("not a file of 'qhsh tune'"), Framing: runlog.Lines,
	Run: "run", Records: "finished steps", Repair: "remove the line and all after it: their steps are then played again",
}

// A Log keeps a run in a file of JSON lines: the configuration, then a Record for each finished step.
// The zero Log keeps nothing.
type Log struct {
	log     *runlog.Log
	records []Record
}

// logVersion is incremented when the same configuration comes to mean a different run.
const logVersion = 2

// A manifest is the first line of a Log, compared when the run is resumed.
type manifest struct {
	Tune   int             `json:"tune"` // the version
	Engine string          `json:"engine"`
	Params []string        `json:"params"`
	Pairs  int             `json:"pairs"`
	Step   int             `json:"pairs_per_step"`
	Rate   float64         `json:"rate"`
	Match  json.RawMessage `json:"match,omitempty"` // the terms of the games
}

// OpenLog opens or creates a file. With resume set it resumes the run of this configuration in the
// file. Without it, or if the configuration differs, the error wraps ErrConfig, as it does if another
// process has the file open.
func OpenLog(path string, c *Config, resume bool) (*Log, error) {
	log, err := runlog.Open(path, logKind)
	if errors.Is(err, filelock.ErrInUse) {
		return nil, configf("%s: in use by another process", path)
	}
	if err != nil {
		return nil, err
	}
	l := &Log{log: log}
	m := manifest{Tune: logVersion, Engine: c.Spec, Pairs: c.Pairs, Step: c.Step, Rate: c.Rate, Match: c.Match.Manifest()}
	for _, p := range c.Params {
		m.Params = append(m.Params, p.String())
	}
	if _, err := log.Start(runlog.MarshalLine(m), resume, func(_ int64, line []byte) error {
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			return printable.JSONError(err)
		}
		l.records = append(l.records, r)
		return r.check(c, len(l.records)-1)
	}); err != nil {
		_ = log.Close()
		return nil, configf("%s: %w", path, err)
	}
	return l, nil
}

// Len returns the number of finished steps.
func (l *Log) Len() int { return len(l.records) }

// Games returns the number of games of the finished steps.
func (l *Log) Games() (n int) {
	for _, r := range l.records {
		n += r.Wins + r.Draws + r.Losses
	}
	return n
}

func (l *Log) append(r Record) error {
	if l.log == nil {
		return nil
	}
	if _, err := l.log.Append(runlog.MarshalLine(r)); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return nil
}

// Close closes the file. The run can be resumed.
func (l *Log) Close() error {
	if l.log == nil {
		return nil
	}
	return l.log.Close()
}
