package cluster

import (
	"fmt"
	"slices"
	"strings"
)

// missing says why nobody works for the run. The caller holds mu.
func (r *Run) missing() string {
	var why []string
	for _, w := range r.workers {
		why = append(why, w.name()+" "+r.lacks(w.WorkerInfo))
	}
	if len(why) == 0 {
		return "waiting for workers: none answers: start some with 'qhsh work' and the same -cluster"
	}
	slices.Sort(why)
	const shown = 5
	if more := len(why) - shown; more > 0 {
		why = append(why[:shown], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("waiting for workers: none can work for this run of build %s: %s", r.info.Terms.Build, strings.Join(why, "; "))
}

// lacks says why a worker does not work for the run. The caller holds mu.
func (r *Run) lacks(w WorkerInfo) string {
	for _, wanted := range r.info.Terms.Engines {
		i := slices.IndexFunc(w.Engines, func(e Engine) bool { return e.Name == wanted.Name })
		switch {
		case wanted.Name == "" && w.Build != r.info.Terms.Build:
			return "has build " + w.Build
		case wanted.Name != "" && i < 0:
			return "has no engine named " + wanted.Name
		case wanted.Name != "" && w.Engines[i].Identity() != wanted.Identity():
			return "has another SPEC or other files for " + wanted.Name
		}
	}
	if len(w.Runs) >= maxRuns {
		return fmt.Sprintf("works for %d other runs", len(w.Runs))
	}
	if r.wrong[w.name()] >= maxWrong {
		return "gave wrong answers"
	}
	return "does not join: it says why"
}
