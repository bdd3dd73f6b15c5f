package script

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An Error is the error of a script and its location.
type Error struct {
	Pos   string   // FILE:LINE:COLUMN, or FILE if unknown
	Trace []string // the call stack, outermost first, as "FILE:LINE:COLUMN: in FUNCTION"
	Err   error    // the cause
}

// Error returns the error on one line, without the call stack.
func (e *Error) Error() string { return e.Pos + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Traced returns the error joined with the call stack, if it has several calls.
func (e *Error) Traced() error {
	if len(e.Trace) < 2 {
		return e
	}
	all := []error{e}
	for _, call := range e.Trace {
		all = append(all, errors.New("  "+call))
	}
	return errors.Join(all...)
}

// A threadError is the error of a thread of pmap on its way to the waiting thread.
type threadError struct {
	stack starlark.CallStack
	err   error
}

func (f *threadError) Error() string { return f.err.Error() }

func (f *threadError) Unwrap() error { return f.err }

// explain converts the error of a thread of the task to an *Error.
func (t *task) explain(err error) error {
	if err == nil {
		return nil
	}
	f := t.threadError(err)
	trace := frames(f.stack)
	var wrong syntax.Error
	var unresolved resolve.ErrorList
	switch {
	case errors.As(f.err, &wrong):
		return &Error{Pos: wrong.Pos.String(), Trace: trace, Err: withPythonHint(errors.New(wrong.Msg))}
	case errors.As(f.err, &unresolved):
		all := []error{withPythonHint(errors.New(unresolved[0].Msg))}
		for _, e := range unresolved[1:] {
			all = append(all, e)
		}
		return &Error{Pos: unresolved[0].Pos.String(), Trace: trace, Err: errors.Join(all...)}
	case len(trace) == 0:
		return f.err
	}
	pos, _, _ := strings.Cut(trace[len(trace)-1], ": in ")
	return &Error{Pos: pos, Trace: trace, Err: f.err}
}

// threadError returns an error with its call stack.
func (t *task) threadError(err error) *threadError {
	f := &threadError{stack: stackOf(err), err: err}
	var eval *starlark.EvalError
	if errors.As(err, &eval) && eval.Unwrap() != nil {
		f.err = withPythonHint(eval.Unwrap())
	}
	if why := t.stopped(); why != nil {
		f.err = why
	}
	return f
}

// stackOf returns the call stack of an error and the errors that it wraps: a thread of pmap has its
// own stack, while a module is loaded by the thread that needs it.
func stackOf(err error) starlark.CallStack {
	var stack starlark.CallStack
	for ; err != nil; err = errors.Unwrap(err) {
		switch err := err.(type) {
		case *starlark.EvalError:
			if inner := err.CallStack; len(inner) >= len(stack) && slices.Equal(inner[:len(stack)], stack) {
				stack = inner
			} else {
				stack = append(slices.Clone(stack), inner...)
			}
		case *threadError:
			return append(stack, err.stack...)
		}
	}
	return stack
}

// frames returns the calls of Starlark functions. A very deep stack is cut in the middle.
func frames(stack starlark.CallStack) []string {
	const head, tail = 6, 6
	var lines []string
	for _, frame := range stack {
		if frame.Pos.Filename() != "<builtin>" {
			lines = append(lines, fmt.Sprintf("%s: in %s", frame.Pos, frame.Name))
		}
	}
	if len(lines) > head+tail+1 {
		cut := fmt.Sprintf("... %d more calls ...", len(lines)-head-tail)
		lines = slices.Concat(lines[:head], []string{cut}, lines[len(lines)-tail:])
	}
	return lines
}
