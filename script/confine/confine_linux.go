package confine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"qhsh/engine/supervisor"
)

const (
	childVariable = "QHSH_CONFINED" // is set for the child when it starts
	stderrFile    = 3               // the parent's standard error

	// arenasVariable keeps the C library, where it is used, from reserving 64 MiB of addresses for each thread.
	arenasVariable = "MALLOC_ARENA_MAX"
)

// inside reports whether this process is the child.
var inside bool

// Begin must be called before os.Stderr is used. In the child it replaces that by the parent's. It reports
// whether this process is the child.
func Begin() bool {
	if os.Getenv(childVariable) == "" {
		return false
	}
	if os.Getenv(childVariable) == arenasVariable {
		_ = os.Unsetenv(arenasVariable)
	}
	_ = os.Unsetenv(childVariable)
	syscall.CloseOnExec(stderrFile)
	os.Stderr = os.NewFile(stderrFile, "/dev/stderr")
	inside = true
	return true
}

func run(ctx context.Context, limit int64, engines int) (*End, error) {
	if inside {
		return nil, limitSelf(limit, engines)
	}
	dumps, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer dumps.Close()
	runtime.LockOSThread() // the child is killed when the thread that has started it exits
	defer runtime.UnlockOSThread()
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Args[0], cmd.Env = os.Args[0], append(os.Environ(), childVariable+"=1")
	if os.Getenv(arenasVariable) == "" { // else it is for the engines, too
		cmd.Env = append(cmd.Env, childVariable+"="+arenasVariable, arenasVariable+"=1") // the last values apply
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = os.Stdin, os.Stdout, theirs, []*os.File{os.Stderr}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = cmd.Process.Signal(syscall.SIGTERM) })()
	dump := passOn(dumps, os.Stderr)
	_ = cmd.Wait() // its error is that of the exit status
	if !cmd.ProcessState.Success() && saysNoMemory(dump) {
		return &End{OutOfMemory: true}, nil
	}
	_, _ = os.Stderr.Write(dump)
	status := cmd.ProcessState.ExitCode()
	if status < 0 {
		return nil, fmt.Errorf("the script's process: %v", cmd.ProcessState)
	}
	return &End{Status: status}, nil
}

// passOn copies what a process writes to its standard error, such as a trace to /dev/stderr, up to the
// dump of a crash, which it returns.
func passOn(from io.Reader, to io.Writer) (dump []byte) {
	const most = 1 << 20
	text := make([]byte, 32<<10)
	for {
		n, err := from.Read(text)
		said := text[:n]
		if len(dump) == 0 {
			at := len(said)
			for _, begin := range []string{"fatal error: ", "runtime: ", "runtime/cgo: ", "SIGSEGV: "} {
				if i := bytes.Index(said, []byte(begin)); i >= 0 {
					at = min(at, i)
				}
			}
			_, _ = to.Write(said[:at])
			said = said[at:]
		}
		dump = append(dump, said[:min(len(said), most-len(dump))]...)
		if err != nil {
			return dump
		}
	}
}

// saysNoMemory reports whether a dump is that of a process that got no memory. Not everywhere does the
// runtime check that: its collector then reads from address 0, which no Go code does without a panic.
func saysNoMemory(dump []byte) bool {
	return slices.ContainsFunc([]string{
		"out of memory", "cannot allocate memory", "pthread_create failed", "SIGSEGV: segmentation violation", "unexpected signal during runtime execution",
	}, func(reason string) bool { return bytes.Contains(dump, []byte(reason)) })
}

// limitSelf limits this process to the memory that it has, and limit with its room.
func limitSelf(limit int64, engines int) error {
	startThreads(runtime.GOMAXPROCS(0) + engines + 4)
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	fields := strings.Fields(string(text)) // in pages
	size, sizeErr := strconv.ParseInt(fields[0], 10, 64)
	data, dataErr := strconv.ParseInt(fields[5], 10, 64)
	if err := errors.Join(sizeErr, dataErr); err != nil {
		return err
	}
	// The limit of data does not count a mapping that replaces reserved addresses, as those of Go's heap do,
	// before it is there: it stops the next one. How large one can be, the limit of addresses says. Go
	// reserves them in arenas, of which the first has about this much left; threads need some, too.
	const arena, left, other = 64 << 20, 48 << 20, 64 << 20
	more := limit + Room(limit)
	arenas := max(more-left+arena-1, 0) / arena
	page := int64(os.Getpagesize())
	return supervisor.LimitMemory(uint64(data*page+more), uint64(size*page+arenas*arena+other))
}

// startThreads makes the runtime start n threads, which it keeps. Each has a stack that counts as data,
// with cgo megabytes of it, and a thread that cannot be started is the end of the process.
func startThreads(n int) {
	var all sync.WaitGroup
	all.Add(n)
	for range n {
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			all.Done()
			all.Wait()
		}()
	}
	all.Wait()
}
