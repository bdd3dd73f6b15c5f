package hints

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/runlog"
)

// A Summary has the counts of a whole run, including what was resumed. Time and rate are those of
// the process that finished it.
type Summary struct {
	Positions  int          `json:"positions"`
	Total      int          `json:"total,omitempty"` // positions of the input, if known
	Errors     int          `json:"errors"`
	Scored     int          `json:"scored"` // positions with moves to find or to avoid
	Solved     int          `json:"solved"` // of these
	Cached     int          `json:"from_cache"`
	Equal      int          `json:"equal"` // answered from an earlier equal position
	Restarts   int          `json:"engine_restarts"`
	Resumed    int          `json:"resumed"` // positions answered by earlier processes
	Seconds    float64      `json:"seconds"`
	Rate       float64      `json:"rate"` // positions per second
	Engine     string       `json:"engine"`
	Spec       string       `json:"spec"`
	Level      *int         `json:"level,omitempty"`
	Timeout    string       `json:"timeout,omitempty"`
	Limits     batch.Limits `json:"limits,omitzero"` // of each search
	Hints      int          `json:"hints"`
	Restart    bool         `json:"restart,omitempty"` // the engine was restarted for each position
	Jobs       int          `json:"jobs"`
	IsComplete bool         `json:"complete"`
}

// NewSummary returns a summary with the counts t of the whole run, resumed of them by earlier processes, and the
// duration of this one.
func (e Engine) NewSummary(jobs int, t batch.Tally, resumed int, took time.Duration) Summary {
	f := Summary{
		Positions: t.Done, Errors: t.Failed, Scored: t.Scored, Solved: t.Solved, Cached: t.Cached, Equal: t.Equal,
		Resumed: resumed, Seconds: took.Seconds(),
		Engine: e.Name, Spec: e.Spec, Limits: e.Limits, Hints: e.Lines, Restart: e.Restart, Jobs: jobs, Level: e.Limits.OptionalLevel(),
	}
	if e.Limits.Time > 0 {
		f.Timeout = e.Limits.Time.String()
	}
	if f.Seconds > 0 {
		f.Rate = float64(t.Done-resumed) / f.Seconds
	}
	return f
}

// A Finished is the information about a finished run in its log.
type Finished struct {
	Bytes   int64   `json:"bytes"`             // of the output
	Input   uint32  `json:"input"`             // checksum of the whole input, see batch.Checksum
	Partial bool    `json:"partial,omitempty"` // the output had enough before the end of the input
	Summary Summary `json:"summary"`
}

// parseFinished returns the Finished in a log, or nil if the run is not finished.
func parseFinished(run runlog.Run) (*Finished, error) {
	if run.Summary == nil {
		return nil, nil
	}
	f := new(Finished)
	err := json.Unmarshal(run.Summary, f)
	return f, err
}

// FinishedAt returns the Finished of an output. It is nil if there is no log, the run is not finished, or the output
// has changed since.
func FinishedAt(out string) (*Finished, error) {
	info, err := os.Stat(out)
	if err != nil {
		return nil, err
	}
	path := runlog.Path(out)
	run, err := runlog.Read(path, logKind)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, logKind.ErrForeign):
		return nil, nil
	case err != nil:
		return nil, err
	}
	f, err := parseFinished(run)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case f != nil && f.Bytes != info.Size():
		return nil, nil
	}
	return f, nil
}
