// Package check tests engines against the specification of their protocol. It is the framework and
// knows no protocol; the packages beside the protocols, such as protocol/uci/ucicheck, have the checks.
//
// A [Check] tests one sentence of a specification. It has a name, the section of the sentence, and
// the checks that must have passed before. Checks of what a specification leaves open are advice:
// they are reported separately and never make a report fail.
//
// Checks communicate with the raw process ([Talk]), with their own deadlines. After a failure the
// engine is restarted for the next check, and checks that depend on the failed one are skipped. The
// time is limited; checks that are not reached are reported as such.
//
// A new check is a row in the table of such a package, in the order of the specification, and a
// function that makes it fail; the protocols in which a client sees the same fault take the sentence from
// the ruleTable of their client's package: it is added there first.
// Its tests show a faulty engine that only this check finds.
package check

import (
	"fmt"
	"slices"
	"time"

	"qhsh/pluginclient"
)

// A Check tests one sentence of a specification.
type Check struct {
	Name    string   // dot-separated words; the first is the chapter
	Section string   // of the sentence, such as "3 LEVEL"
	Rule    string   // the sentence, or its meaning
	Advice  bool     // not required by the specification
	Needs   []string // earlier checks that must have passed
	Run     func(c *Case) error
}

// A Suite has the checks of one protocol for one engine.
type Suite struct {
	Protocol string
	Checks   []Check
	Talk     *Talk
	// Name returns the engine's own name, if it is known yet.
	Name func() string
	// Quirks returns the options of a SPEC (KEY=VALUE) that work around what was found, and those
	// of given that no check contradicts; nil if the protocol has none.
	Quirks func(r *Report, given []string) []string
}

// A Verdict is the result of a check.
type Verdict string

// The verdicts.
const (
	Passed    Verdict = "passed"
	Failed    Verdict = "failed"
	Advised   Verdict = "advice"  // a check of advice has failed
	Skipped   Verdict = "skipped" // depends on a check that has not passed
	Absent    Verdict = "absent"  // not applicable: the engine does not support it
	Unreached Verdict = "no time" // the time was up
)

// A Result is a check with its verdict.
type Result struct {
	Check
	Verdict  Verdict
	Reason   string        // why it was skipped, absent or not reached
	Expected string        // if it has failed
	Got      string        // if it has failed
	Late     bool          // the only failure is that it was late
	Took     time.Duration // 0 if not run
	// Conversation has the last lines exchanged; empty if the check was not run.
	Conversation []pluginclient.Entry
}

// A Report has the results of all checks.
type Report struct {
	Spec     string // as given by the user
	Protocol string
	Engine   string // the engine's own name; may be empty
	Results  []Result
	Took     time.Duration
	Budget   time.Duration // time limit
	// Interrupted is set if the context was done.
	Interrupted bool
	// Profile is a SPEC that works around what was found; empty if there is nothing to work around.
	Profile string
}

// Count returns the number of results with a verdict, of advice or of binding checks.
func (r *Report) Count(v Verdict, advice bool) int {
	n := 0
	for _, res := range r.Results {
		if res.Verdict == v && res.Advice == advice {
			n++
		}
	}
	return n
}

// OK reports whether no binding check has failed and all were reached.
func (r *Report) OK() bool { return r.Count(Failed, false) == 0 && r.Unfinished() == 0 }

// HasAdvice reports whether a check of advice has failed.
func (r *Report) HasAdvice() bool { return r.Count(Advised, true) > 0 }

// Unfinished returns the number of binding checks that were not reached.
func (r *Report) Unfinished() int { return r.Count(Unreached, false) }

// unfinishedMessage says why checks were not reached and what to do; empty if all were.
func (r *Report) unfinishedMessage() string {
	n := r.Unfinished()
	switch {
	case n == 0:
		return ""
	case r.Interrupted:
		return fmt.Sprintf("UNFINISHED: it was interrupted; %d binding checks were not reached", n)
	case slices.ContainsFunc(r.Results, func(res Result) bool { return res.Verdict == Unreached && res.Reason == errBudget.Error() }):
		more := max(time.Minute, (5 * r.Budget).Round(time.Minute))
		return fmt.Sprintf("UNFINISHED, so not passed: %d binding checks were not reached in %v; give more time, as with -time %dm",
			n, r.Budget, int(more.Minutes()))
	}
	return fmt.Sprintf("UNFINISHED, so not passed: the engine is too slow for %d binding checks", n)
}

// Result returns the result of the named check, or the zero Result.
func (r *Report) Result(name string) Result {
	for _, res := range r.Results {
		if res.Name == name {
			return res
		}
	}
	return Result{}
}

// A Fault is the error of an engine that did not do what was expected.
type Fault struct {
	Expected, Got string
	late          bool
}

func (f *Fault) Error() string { return fmt.Sprintf("expected %s, got %s", f.Expected, f.Got) }

// Faultf returns a Fault whose Got is formatted.
func Faultf(expected, got string, args ...any) error {
	return &Fault{Expected: expected, Got: fmt.Sprintf(got, args...)}
}

// CheckTime returns a Fault if took exceeds the limit. Since the machine may be the cause, a check
// with such a fault is repeated, and fails only if it is late each time. Once that has happened for
// an engine, later checks are not repeated.
func CheckTime(expected string, took, limit time.Duration) error {
	if took <= limit {
		return nil
	}
	return &Fault{
		Expected: fmt.Sprintf("%s within %v, in one of %d trials", expected, limit, trials),
		Got:      fmt.Sprintf("it after %v", took.Round(10*time.Millisecond)),
		late:     true,
	}
}

// trials is how often a late check is run.
const trials = 3

// DependsOn is the error of a check that is skipped, since the check of that name has failed.
type DependsOn string

func (d DependsOn) Error() string { return "it depends on " + string(d) }

// notApplicable is the error of a check that does not apply.
type notApplicable struct{ reason string }

func (a *notApplicable) Error() string { return a.reason }

// NotApplicablef returns the error of a check that does not apply, with the reason.
func NotApplicablef(reason string, args ...any) error {
	return &notApplicable{fmt.Sprintf(reason, args...)}
}
