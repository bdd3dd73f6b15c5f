package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"qhsh/pluginclient"
)

// DefaultBudget is the default time limit.
const DefaultBudget = 60 * time.Second

// errBudget is the cause of a context whose time is up.
var errBudget = errors.New("the time of the examination was up")

// Options are options of Run.
type Options struct {
	Spec     string // as given by the user, for the report
	Only     []string
	Budget   time.Duration // 0: DefaultBudget
	Progress func(done, total int, name string)
}

// errInterrupted is the reason of checks not reached because the context was done.
var errInterrupted = errors.New("the examination was interrupted")

// Run runs the checks of an engine. The error wraps pluginclient.ErrStart if the engine cannot be
// executed; protocol violations are no errors. If the context is done, the error is its cause, and
// the report has the results so far. Run ends the engine's process.
func Run(ctx context.Context, s *Suite, o Options) (*Report, error) {
	defer s.Talk.Kill()
	wanted, err := selectChecks(s.Checks, o.Only)
	if err != nil {
		return nil, err
	}
	o.Budget = cmp.Or(o.Budget, DefaultBudget)
	if o.Progress == nil {
		o.Progress = func(int, int, string) {}
	}
	x := &examination{suite: s, parent: ctx, verdicts: map[string]Result{}}
	start := time.Now()
	timed, cancel := context.WithTimeoutCause(ctx, o.Budget, errBudget)
	defer cancel()
	report := &Report{Spec: o.Spec, Protocol: s.Protocol, Budget: o.Budget}
	for i, w := range wanted {
		o.Progress(i, len(wanted), w.Name)
		result, err := x.examine(timed, w.Check)
		if err != nil {
			return nil, err
		}
		x.verdicts[w.Name] = result
		if w.wanted || result.Verdict == Failed {
			report.Results = append(report.Results, result)
		}
	}
	o.Progress(len(wanted), len(wanted), "")
	report.Took, report.Engine = time.Since(start), s.Name()
	report.Interrupted = ctx.Err() != nil
	sortByChapter(report.Results, func(r Result) string { return r.Name })
	return report, context.Cause(ctx)
}

// An examination is a run of a suite.
type examination struct {
	suite    *Suite
	parent   context.Context // without the budget
	verdicts map[string]Result
	late     bool // the engine was late in all trials of a check
}

// examine runs a check, unless it must be skipped.
func (x *examination) examine(ctx context.Context, c Check) (Result, error) {
	r := Result{Check: c}
	if r.Verdict, r.Reason = x.unmetNeed(c); r.Verdict != "" {
		return r, nil
	}
	if ctx.Err() != nil {
		r.Verdict, r.Reason = Unreached, errBudget.Error()
		if x.parent.Err() != nil {
			r.Reason = errInterrupted.Error()
		}
		return r, nil
	}
	talk := x.suite.Talk
	start := time.Now()
	mark := start
	err := c.Run(&Case{ctx, talk})
	var fault *Fault
	for trial := 1; trial < trials && !x.late && errors.As(err, &fault) && fault.late && ctx.Err() == nil; trial++ {
		talk.Kill()
		mark = time.Now()
		err = c.Run(&Case{ctx, talk})
	}
	r.Took = time.Since(start)
	if errors.Is(err, pluginclient.ErrStart) {
		return r, err
	}
	if err != nil && x.parent.Err() != nil { // takes precedence over any fault
		err = errInterrupted
	}
	r.setVerdict(err)
	x.late = x.late || r.Late
	r.Conversation = talk.since(mark)
	if r.Verdict != Passed && r.Verdict != Absent {
		talk.Kill() // its state is unknown
		said := talk.since(mark)
		for _, e := range said[min(len(r.Conversation), len(said)):] {
			if e.Dir == pluginclient.Stderr {
				r.Conversation = append(r.Conversation, e)
			}
		}
	}
	return r, nil
}

// setVerdict sets the verdict for the error of a check.
func (r *Result) setVerdict(err error) {
	var fault *Fault
	var none *notApplicable
	var needed DependsOn
	r.Verdict = Failed
	if r.Advice {
		r.Verdict = Advised
	}
	switch {
	case err == nil:
		r.Verdict = Passed
	case errors.As(err, &none):
		r.Verdict, r.Reason = Absent, none.reason
	case errors.As(err, &needed):
		r.Verdict, r.Reason = Skipped, err.Error()
	case errors.Is(err, ErrTooSlow):
		r.Verdict, r.Reason = Unreached, err.Error()
	case errors.Is(err, errInterrupted):
		r.Verdict, r.Reason = Unreached, errInterrupted.Error()
	case errors.Is(err, errBudget):
		r.Verdict, r.Reason = Unreached, errBudget.Error()
	case errors.As(err, &fault):
		r.Expected, r.Got, r.Late = fault.Expected, fault.Got, fault.late
	default:
		r.Expected, r.Got = "what the sentence says", err.Error()
	}
}

// unmetNeed returns the verdict and the reason if a check that c needs has not passed.
func (x *examination) unmetNeed(c Check) (Verdict, string) {
	for _, name := range c.Needs {
		need, ok := x.verdicts[name]
		switch {
		case !ok:
			return Skipped, fmt.Sprintf("%s is no check", name)
		case need.Verdict == Absent, need.Verdict == Unreached, need.Verdict == Skipped:
			return need.Verdict, need.Reason
		case need.Verdict != Passed:
			return Skipped, DependsOn(name).Error()
		}
	}
	return "", ""
}

// chapter returns the first word of a check's name.
func chapter(name string) string {
	word, _, _ := strings.Cut(name, ".")
	return word
}

// sortByChapter sorts values by the chapters of their names, in the order of first occurrence: the
// order of running differs, since some checks need those of other chapters.
func sortByChapter[T any](all []T, name func(T) string) {
	place := map[string]int{}
	for _, v := range all {
		if c := chapter(name(v)); place[c] == 0 {
			place[c] = len(place) + 1
		}
	}
	slices.SortStableFunc(all, func(a, b T) int { return place[chapter(name(a))] - place[chapter(name(b))] })
}
