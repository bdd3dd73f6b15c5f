package script

import (
	"context"
	"io"
	"sync/atomic"

	"go.starlark.net/starlark"
)

// taskKey is the thread-local key of the task.
const taskKey = "qhsh.task"

// A task is the work of one thread: a run of a script, or an item of pmap.
type task struct {
	ctx    context.Context // ends when the script must end
	env    *Env
	run    *runLimits
	scope  *scope    // whose engines are used
	out    io.Writer // destination of data
	taken  uint64    // steps granted to its thread so far
	nested int       // the number of calls of pmap that it is within
	cause  atomic.Pointer[error]
}

func taskOf(thread *starlark.Thread) *task {
	return thread.Local(taskKey).(*task)
}

// begin returns a new thread for a task. It ends with the task's context and obeys the limits. The
// caller must call end.
func (t *task) begin(name string) (thread *starlark.Thread, end func()) {
	thread = &starlark.Thread{
		Name:       name,
		Print:      t.print,
		OnMaxSteps: t.refill,
	}
	thread.SetLocal(taskKey, t)
	t.taken = t.run.takeSteps()
	thread.SetMaxExecutionSteps(max(t.taken, 1)) // 0 would mean no limit
	unhook := context.AfterFunc(t.ctx, func() { thread.Cancel("the script was stopped") })
	return thread, func() {
		unhook()
		t.run.giveSteps(t.taken, thread.ExecutionSteps())
	}
}

// stop stops a thread of the task at its next step.
func (t *task) stop(thread *starlark.Thread, why error) {
	t.cause.CompareAndSwap(nil, &why)
	thread.Cancel(why.Error())
}

// stopped returns why the task was stopped; nil if it was not.
func (t *task) stopped() error {
	if why := t.cause.Load(); why != nil {
		return *why
	}
	return context.Cause(t.ctx)
}

// print writes a line as data. A script that is being stopped may have incomplete values and must
// not write any more.
func (t *task) print(thread *starlark.Thread, text string) {
	if err := t.writeLine(text); err != nil {
		t.stop(thread, err)
	}
}

// writeLine writes a line in one piece.
func (t *task) writeLine(text string) error {
	if err := t.stopped(); err != nil {
		return err
	}
	_, err := io.WriteString(t.out, text+"\n")
	return err
}
