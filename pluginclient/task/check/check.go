// Package check examines engines: whether they do what the specification of their protocol
// binds them to. It is the frame, and knows no protocol; the packages below it hold the
// checks, qh those of QHPLUGIN and uci those of UCI and UCCI.
//
// A [Check] is one sentence of a specification. It has a name, the section that the sentence
// stands in, and says which other checks must have passed for it to mean anything. What a
// specification leaves open is a check too, but as advice: it is told apart and never makes an
// examination fail.
//
// An examiner talks to the raw process ([Talk]), with deadlines of its own, and believes
// nothing. A fault does not end an examination: the engine is started again for the next
// check, and the checks that depend on what failed are listed as skipped. An examination has
// a budget of time; what could not be run in it is listed as such.
//
//   - run.go: the order of things, dependencies, the budget.
//   - talk.go: an engine's process and what is said to it.
//   - case.go: one run of a check, and what the checks of all protocols do.
//   - pick.go: which checks are wanted.
//   - text.go, json.go, junit.go: the report in three forms.
package check

import (
	"fmt"
	"slices"
	"time"

	"qhsh/pluginclient"
)

// A Check is one sentence of a specification that an engine has to obey.
type Check struct {
	Name    string   // of words with dots between them; the first is the chapter
	Section string   // where the sentence stands, such as "3 LEVEL"
	Rule    string   // the sentence, or what it comes to
	Advice  bool     // the specification leaves it open
	Needs   []string // the checks that must have passed; they stand before this one
	Run     func(c *Case) error
}

// A Suite are the checks of one protocol, made ready for one engine.
type Suite struct {
	Protocol string
	Checks   []Check
	Talk     *Talk
	// Name is what the engine calls itself, as far as it is known by then.
	Name func() string
	// Quirks are the KEY=VALUE of a SPEC by which a client works around what was found, and of
	// those that it was given the ones that nothing speaks against; nil: there are none for the
	// protocol.
	Quirks func(r *Report, given []string) []string
}

// A Verdict is what has come of a check.
type Verdict string

// The verdicts.
const (
	Passed    Verdict = "passed"
	Failed    Verdict = "failed"
	Advised   Verdict = "advice"  // the check of an advice has failed
	Skipped   Verdict = "skipped" // it depends on a check that has not passed
	Absent    Verdict = "absent"  // the engine does not claim to do it, or the question does not arise
	Unreached Verdict = "no time" // the budget was spent
)

// A Result is a check and its verdict.
type Result struct {
	Check
	Verdict  Verdict
	Reason   string        // why it was skipped, is absent or was not reached
	Expected string        // of a check that has failed
	Got      string        // likewise
	Late     bool          // it has failed for being late alone
	Took     time.Duration // 0 if it was not run
	// Conversation are the last lines that were exchanged; empty if it was not run.
	Conversation []pluginclient.Entry
}

// chapter returns the first word of the check's name.
func (r Result) chapter() string { return chapter(r.Name) }

// A Report is a whole examination.
type Report struct {
	Spec     string // the engine as it was named
	Protocol string
	Engine   string // the name that it gives itself; may be empty
	Results  []Result
	Took     time.Duration
	Budget   time.Duration // that it was given
	// Interrupted says that a person has ended it.
	Interrupted bool
	// Profile is a SPEC that works around what was found; empty if there is nothing to work
	// around.
	Profile string
}

// Count returns how many results have a verdict. Of binding checks or of advice.
func (r *Report) Count(v Verdict, advice bool) int {
	n := 0
	for _, res := range r.Results {
		if res.Verdict == v && res.Advice == advice {
			n++
		}
	}
	return n
}

// OK reports whether no binding check has failed and none was left out for want of time: an
// examination that was not finished is no pass.
func (r *Report) OK() bool { return r.Count(Failed, false) == 0 && r.Unfinished() == 0 }

// Unfinished returns how many binding checks were not reached.
func (r *Report) Unfinished() int { return r.Count(Unreached, false) }

// needsMoreTime reports whether a larger budget would have reached more checks.
func (r *Report) needsMoreTime() bool {
	return slices.ContainsFunc(r.Results, func(res Result) bool {
		return res.Verdict == Unreached && res.Reason == errBudget.Error()
	})
}

// unfinishedMessage says of an examination that was not finished what there is to do; empty of one
// that was.
func (r *Report) unfinishedMessage() string {
	n := r.Unfinished()
	switch {
	case n == 0:
		return ""
	case r.Interrupted:
		return fmt.Sprintf("UNFINISHED: it was interrupted; %d binding checks were not reached", n)
	case r.needsMoreTime():
		more := max(time.Minute, (5 * r.Budget).Round(time.Minute))
		return fmt.Sprintf("UNFINISHED, so not passed: %d binding checks were not reached in %v; give more time, as with -time %dm",
			n, r.Budget, int(more.Minutes()))
	}
	return fmt.Sprintf("UNFINISHED, so not passed: the engine is too slow for %d binding checks", n)
}

// Result returns that of the named check; the zero Result if it was not wanted.
func (r *Report) Result(name string) Result {
	for _, res := range r.Results {
		if res.Name == name {
			return res
		}
	}
	return Result{}
}

// A Fault is the error of an engine that did something else than was expected.
type Fault struct {
	Expected, Got string
	late          bool
}

func (f *Fault) Error() string { return fmt.Sprintf("expected %s, got %s", f.Expected, f.Got) }

// Faultf returns a Fault whose Got is formatted.
func Faultf(expected, got string, args ...any) error {
	return &Fault{Expected: expected, Got: fmt.Sprintf(got, args...)}
}

// CheckTime is nil if what was expected has come within the limit. If it has come later, the
// error is a Fault that says so; since the machine may be to blame, the check is then run again,
// and has failed only if it is late each of several times. An engine for which that has happened
// once is believed to be late at once from then on.
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

// trials are how often a check is run whose answer comes late.
const trials = 3

// notApplicable is the error of a check that has nothing to look at.
type notApplicable struct{ reason string }

func (a *notApplicable) Error() string { return a.reason }

// NotApplicablef returns the error of a check that has nothing to look at, and why.
func NotApplicablef(reason string, args ...any) error {
	return &notApplicable{fmt.Sprintf(reason, args...)}
}
