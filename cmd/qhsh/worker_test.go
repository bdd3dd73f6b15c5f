package main

// Most tests run qhsh in a worker: a process of the test binary that runs one command after the
// other, each with the folder and the environment that it asks for. A command there is the same
// function of a host as in main, without the start of a program of 48 MB. What is about a process,
// such as signals, kills, limits and the exit of main, starts one: see startQhsh.

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	shexpand "mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"qhsh/engine/printable"
)

// A call is a command for a worker.
type call struct {
	Line    string   // for a POSIX shell, in which "qhsh" does not start a process; or empty
	Args    []string // of qhsh, without a shell
	Dir     string
	Env     []string // the whole environment
	Stdin   []byte   // for Args; arrives by a pipe
	Process bool     // start the program qhsh in PATH, which may be another build
}

var keep = flag.String("keep", "", "keep the folders of golden cases, documents and scripts below this `folder`")

// caseFolder returns a new folder for a case of a test.
func caseFolder(t *testing.T, name string) string {
	t.Helper()
	if *keep == "" {
		return t.TempDir()
	}
	dir, err := filepath.Abs(filepath.Join(*keep, t.Name(), name))
	if err = errors.Join(err, os.RemoveAll(dir), os.MkdirAll(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sayHowToKeep makes a test that fails say how to run it alone and keep its folders.
func sayHowToKeep(t *testing.T) {
	t.Cleanup(func() {
		if t.Failed() && *keep == "" {
			t.Logf("this case alone, with its files: go test ./cmd/qhsh -run '^%s$' -keep /tmp/kept", strings.ReplaceAll(t.Name(), "/", "$/^"))
		}
	})
}

// A result is the outcome of a command.
type result struct {
	Stdout, Stderr []byte
	Both           []byte // as on a terminal
	Status         int
}

// run runs the call in one of the workers, of which there is one for each processor.
func (c call) run(t testing.TB) result {
	t.Helper()
	w := <-workers
	defer func() { workers <- w }()
	if w == nil {
		w = startWorker(t)
	}
	var r result
	if err := errors.Join(w.calls.Encode(c), w.results.Decode(&r)); err != nil {
		_ = w.stdin.Close()
		err = errors.Join(err, w.cmd.Wait())
		w = nil
		t.Fatalf("%s%s: the worker died: %v", c.Line, strings.Join(c.Args, " "), err)
	}
	return r
}

// workers are those without a call; nil is one that has not been started.
var workers = func() chan *worker {
	all := make(chan *worker, runtime.GOMAXPROCS(0))
	for range cap(all) {
		all <- nil
	}
	return all
}()

type worker struct {
	cmd     *exec.Cmd
	stdin   io.Closer
	calls   *gob.Encoder
	results *gob.Decoder
}

// workerName is the name by which the test binary is a worker.
const workerName = "qhsh-worker"

func startWorker(t testing.TB) *worker {
	t.Helper()
	cmd := exec.Command(workerName)
	cmd.Stderr = os.Stderr // of a panic
	in, out := startPiped(t, cmd)
	return &worker{cmd, in, gob.NewEncoder(in), gob.NewDecoder(out)}
}

// stopWorkers waits for the workers to exit.
func stopWorkers() error {
	var errs []error
	for range cap(workers) {
		if w := <-workers; w != nil {
			errs = append(errs, w.stdin.Close(), w.cmd.Wait())
		}
	}
	return errors.Join(errs...)
}

// work is the main function of a worker. It exits when its input is closed, even during a call.
func work() {
	calls := make(chan call)
	go func() {
		requests := gob.NewDecoder(os.Stdin)
		for {
			var c call
			if requests.Decode(&c) != nil {
				os.Exit(0)
			}
			calls <- c
		}
	}()
	results := gob.NewEncoder(os.Stdout)
	for c := range calls {
		r, err := c.here()
		if err == nil {
			err = results.Encode(r)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s%s: %v\n", c.Line, strings.Join(c.Args, " "), err)
			os.Exit(1)
		}
	}
}

// here runs the call in this process.
func (c call) here() (r result, err error) {
	os.Clearenv()
	for _, variable := range c.Env {
		key, value, _ := strings.Cut(variable, "=")
		err = errors.Join(err, os.Setenv(key, value))
	}
	stdin, err2 := c.stdin()
	if err = errors.Join(err, err2, os.Chdir(c.Dir)); err != nil {
		return r, err
	}
	defer stdin.Close()
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer debug.SetMaxStack(debug.SetMaxStack(1_000_000_000))
	var out, errs, both lockedBuffer
	stdout, stderr := io.MultiWriter(&out, &both), io.MultiWriter(&errs, &both)
	switch {
	case c.Line != "":
		r.Status, err = c.shell(stdin, stdout, stderr)
	case c.Process:
		r.Status, err = startProgram(stdin, stdout, stderr, c.Args)
	default:
		r.Status = qhshHere(context.Background(), stdin, stdout, stderr, c.Args)
	}
	r.Stdout, r.Stderr, r.Both = out.Bytes(), errs.Bytes(), both.Bytes()
	return r, err
}

// stdin opens the standard input, which is the null device for a shell.
func (c call) stdin() (*os.File, error) {
	if c.Line != "" {
		return os.Open(os.DevNull)
	}
	r, w, err := os.Pipe()
	if err == nil {
		go func() {
			_, _ = w.Write(c.Stdin) // fails if the command does not read it all
			w.Close()
		}()
	}
	return r, err
}

// shell interprets the line.
func (c call) shell(stdin *os.File, stdout, stderr io.Writer) (status int, err error) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(c.Line), "")
	if err != nil {
		return 0, err
	}
	sh, err := interp.New(interp.Dir(c.Dir), interp.Env(shexpand.ListEnviron(c.Env...)), interp.StdIO(stdin, stdout, stderr), interp.ExecHandlers(c.program))
	if err != nil {
		return 0, err
	}
	var exit interp.ExitStatus
	if err := sh.Run(context.Background(), file); err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return int(exit), nil
}

// program runs qhsh in this process, and every other program in one of its own; qhsh, too, if its
// environment differs from that of this process. All commands of a pipeline have the same folder.
func (c call) program(start interp.ExecHandlerFunc) interp.ExecHandlerFunc {
	return func(ctx context.Context, args []string) error {
		hc := interp.HandlerCtx(ctx)
		if args[0] != "qhsh" || c.Process || !isEnvironment(hc.Env) {
			return start(ctx, args)
		}
		if err := os.Chdir(hc.Dir); err != nil {
			return err
		}
		if status := qhshHere(ctx, hc.Stdin, hc.Stdout, hc.Stderr, args[1:]); status != exitOK {
			return interp.ExitStatus(status)
		}
		return nil
	}
}

// startProgram runs a process of qhsh.
func startProgram(stdin io.Reader, stdout, stderr io.Writer, args []string) (status int, err error) {
	cmd := exec.Command("qhsh", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), nil
}

// isEnvironment reports whether env is the environment of this process.
func isEnvironment(env shexpand.Environ) bool {
	same := true
	for name, v := range env.Each {
		value, set := os.LookupEnv(name)
		if v.Exported && name != "PWD" && name != "OLDPWD" && (!set || value != v.String()) {
			same = false
		}
	}
	return same
}

// qhshHere runs qhsh as main does, without signals.
func qhshHere(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	h := hostOfProcess()
	h.Stdin, h.Stdout, h.Stderr, h.Processors = stdin, stdout, printable.NewWriter(stderr), nil
	defer flush(h.Stderr)
	return run(ctx, h, args)
}

// A lockedBuffer is a buffer for several writers.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}
