package cluster

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
)

// A StatusWriter writes a Status, or its part about runs.
type StatusWriter func(w io.Writer, s Status) error

// Formats returns the formats of a Status, the usual one first.
func Formats() format.Table[StatusWriter] {
	return format.Table[StatusWriter]{{Name: "text", Write: writeStatus}, {
		Name: "json", Write: func(w io.Writer, s Status) error { return json.NewEncoder(w).Encode(s) },
	}}
}

// RunFormats returns the formats of the runs of a Status.
func RunFormats() format.Table[StatusWriter] {
	return format.Table[StatusWriter]{
		{Name: "text", Write: func(w io.Writer, s Status) error {
			_, err := io.WriteString(w, runsTable(s.Runs))
			return err
		}},
		{Name: "json", Write: func(w io.Writer, s Status) error { return json.NewEncoder(w).Encode(append([]RunInfo{}, s.Runs...)) }},
	}
}

// writeStatus writes the workers, the runs and the latest dead units.
func writeStatus(w io.Writer, s Status) error {
	text := fmt.Sprintf("nats-server %s, workers: %d, runs: %d\n\n", printable.Line(s.Server), len(s.Workers), len(s.Runs))
	if len(s.Workers) > 0 {
		text += workersTable(s.Workers)
	}
	if len(s.Runs) > 0 {
		text += "\n" + runsTable(s.Runs)
	}
	if len(s.Dead) > 0 {
		text += fmt.Sprintf("\ngiven up: %d\n", len(s.Dead)) + deadTable(s.Dead[max(0, len(s.Dead)-maxDeadShown):])
	}
	_, err := io.WriteString(w, text)
	return err
}

func workersTable(workers []WorkerInfo) string {
	rows := [][]string{{"worker", "host", "build", "jobs", "busy", "done", "rate", "runs", "engines"}}
	for _, one := range workers {
		var names []string
		for _, e := range one.Engines {
			names = append(names, e.Name)
		}
		rows = append(rows, cells(one.Worker, one.Host, one.Build, one.Jobs, one.Busy, one.Done, perSecond(one.Rate), orDash(one.Runs), orDash(names)))
	}
	return printable.Table(rows, "l")
}

func perSecond(rate float64) string {
	const least = 0.01
	if rate < least {
		return "0/s"
	}
	return fmt.Sprintf("%.3g/s", rate)
}

func runsTable(runs []RunInfo) string {
	rows := [][]string{{"run", "host", "build", "started", "done", "waiting", "dead", "what"}}
	for _, r := range runs {
		started := r.Started.Format(time.RFC3339)
		if !r.Live {
			rows = append(rows, cells(r.Run, r.Host, "-", started, "-", "-", "-", r.Title+" (abandoned)"))
			continue
		}
		rows = append(rows, cells(r.Run, r.Host, r.Terms.Build, started, r.Done, r.Waiting, r.Dead, r.Title))
	}
	return printable.Table(rows, "l")
}

// maxDeadShown is how many dead units are shown as text.
const maxDeadShown = 10

func deadTable(dead []DeadUnit) string {
	rows := [][]string{{"run", "at", "what"}}
	for _, d := range dead {
		rows = append(rows, cells(d.Run, d.At.Format(time.RFC3339), fmt.Sprintf("%q", d.Unit)))
	}
	return printable.Table(rows, "l")
}

func orDash(words []string) string { return cmp.Or(strings.Join(words, ","), "-") }

// cells returns a row of a table, most of which is what a peer says of itself.
func cells(all ...any) (row []string) {
	for _, cell := range all {
		row = append(row, fmt.Sprint(cell))
	}
	return row
}
