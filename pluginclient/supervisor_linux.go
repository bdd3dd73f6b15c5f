package pluginclient

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A supervisor is the process between this one and an engine: this program again, under the name
// supervisorName. All that the engine starts is below it and stays there, also what leaves the
// engine's group by setsid and what loses its parent: it is a subreaper, to which the system
// gives the orphans among its descendants. It ends them all when the engine ends, and ends the
// engine when the line to this process ends, so that nothing outlives a qhsh that is killed.
// Nobody else is its child, so that nobody else is ever hit, however many engines there are.

// supervisorName is the name by which this program is a supervisor, and what ps shows of it. The
// engine's program and its arguments follow.
const supervisorName = "qhsh-supervisor"

// The files of a supervisor, beside the engine's own.
const (
	lineFile   = 3 // ends when the engine is to be ended
	reportFile = 4 // takes the number of the error where the engine cannot be started
)

// This is not a call from main, because the programs that start engines are many: those of tests,
// too.
func init() {
	if os.Args[0] == supervisorName && len(os.Args) > 1 {
		supervise(os.Args[1:])
	}
}

// group is an engine's processes, as this process has them.
type group struct {
	supervisor *os.Process
	line       *os.File
}

// startInGroup starts the engine cmd below a supervisor, which cmd is from then on: it ends as
// the engine does.
func startInGroup(cmd *exec.Cmd) (*group, error) {
	var files pipes
	line, report := files.open(), files.open()
	if files.err != nil {
		files.closeOurs()
		return nil, files.err
	}
	defer report.r.Close()
	program := cmd.Path
	cmd.Path, cmd.Args = "/proc/self/exe", append([]string{supervisorName}, cmd.Args...)
	cmd.ExtraFiles = []*os.File{line.r, report.w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // deaf to the terminal
	err := cmd.Start()
	line.r.Close()
	report.w.Close()
	if err == nil {
		if err = readReport(report.r, program); err != nil {
			_ = cmd.Wait()
		}
	}
	if err != nil {
		line.w.Close()
		return nil, err
	}
	return &group{cmd.Process, line.w}, nil
}

// readReport waits until the engine has been started, or has not.
func readReport(r io.Reader, program string) error {
	text, err := io.ReadAll(r)
	if err != nil || len(text) == 0 {
		return err
	}
	number, err := strconv.Atoi(string(text))
	if err != nil {
		return err
	}
	return &fs.PathError{Op: "fork/exec", Path: program, Err: syscall.Errno(number)}
}

// kill has the supervisor end everything. An engine may have stopped it.
func (g *group) kill() {
	g.line.Close()
	_ = g.supervisor.Signal(syscall.SIGCONT)
}

// release is for the time after the supervisor, which leaves nothing behind.
func (g *group) release() { g.line.Close() }

// supervise is the life of a supervisor. It does not return.
func supervise(argv []string) {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	syscall.CloseOnExec(lineFile)
	syscall.CloseOnExec(reportFile)
	// Not ignored, which the engine would inherit.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU)
	engine, err := os.StartProcess(argv[0], argv, &os.ProcAttr{
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}, // this is the main thread
	})
	report := os.NewFile(reportFile, "report")
	if err != nil {
		number := syscall.EINVAL
		errors.As(err, &number)
		_, _ = report.WriteString(strconv.Itoa(int(number)))
		syscall.Exit(1)
	}
	report.Close()
	releaseFiles(os.Stdin, os.Stdout, os.Stderr)
	go func() {
		_, _ = os.NewFile(lineFile, "line").Read(make([]byte, 1))
		_ = engine.Kill()
	}()
	status := reap(engine.Pid)
	endChildren()
	exitLike(status)
}

// releaseFiles gives up files, whose numbers nothing else must get.
func releaseFiles(files ...*os.File) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	for _, f := range files {
		if err != nil || unix.Dup3(int(null.Fd()), int(f.Fd()), unix.O_CLOEXEC) != nil {
			f.Close()
		}
	}
}

// reap buries children until the engine has ended, and returns the status of that. With the engine
// ends its group, whose number is nobody else's before the engine is buried.
func reap(engine int) (status syscall.WaitStatus) {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOWAIT, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return status
		}
		child := pidOf(&info)
		if child == engine {
			_ = syscall.Kill(-engine, syscall.SIGKILL)
		}
		_, _ = syscall.Wait4(child, &status, 0, nil)
		if child == engine {
			return status
		}
	}
}

// pidOf is the child that waitid has found: si_pid is the first field of a union, which is as
// aligned as a pointer.
func pidOf(info *unix.Siginfo) int {
	const union = 8 + unsafe.Sizeof(uintptr(0))
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(info), union)))
}

// endChildren ends all children, and theirs, which become its own as their parents end. What may
// not be killed, such as a program of another user, is left.
func endChildren() {
	for {
		var killed []int
		for _, child := range children() {
			if syscall.Kill(child, syscall.SIGKILL) == nil {
				killed = append(killed, child)
			}
		}
		if len(killed) == 0 {
			return
		}
		for _, child := range killed {
			_, _ = syscall.Wait4(child, nil, 0, nil)
		}
	}
}

// children are the processes whose parent this one is, dead or alive. None of their numbers is
// another's before they are waited for.
func children() []int { return childrenOf(os.Getpid()) }

func childrenOf(parent int) (pids []int) {
	entries, _ := os.ReadDir("/proc") // without it, they cannot be found
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + entry.Name() + "/stat") // "PID (NAME) STATE PARENT ...", any NAME
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// exitLike ends this process as the engine has ended.
func exitLike(status syscall.WaitStatus) {
	if status.Signaled() {
		_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // the core of the engine is enough
		var byDefault [4]uint64                          // a sigaction with SIG_DFL, which Go has no name for
		_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(status.Signal()), uintptr(unsafe.Pointer(&byDefault)), 0, 8, 0, 0)
		_ = syscall.Kill(os.Getpid(), status.Signal())
		select {}
	}
	syscall.Exit(status.ExitStatus())
}
