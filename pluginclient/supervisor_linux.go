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

// A supervisor is a process between this one and an engine: this program, started under the name
// supervisorName. It is a subreaper, so the kernel makes it the parent of orphaned descendants. All
// processes that the engine starts therefore stay below it, even if they call setsid or lose their
// parent. It kills them all when the engine exits, and kills the engine when the pipe to this
// process is closed, so that nothing outlives a killed qhsh. Each engine has its own supervisor, so
// it never kills processes of another engine.

// supervisorName is argv[0] of a supervisor, which ps shows. The engine's command line follows.
const supervisorName = "qhsh-supervisor"

// The files of a supervisor, beside the engine's own.
const (
	lineFile   = 3 // closed to make the supervisor end the engine
	reportFile = 4 // receives the errno if the engine cannot be started
)

// The supervisor runs from init instead of main, because test binaries start engines too.
func init() {
	if os.Args[0] == supervisorName && len(os.Args) > 1 {
		supervise(os.Args[1:])
	}
}

// group is this process's handle on the processes of an engine.
type group struct {
	supervisor *os.Process
	line       *os.File
}

// startInGroup starts the engine cmd below a supervisor. From then on cmd is the supervisor, which
// exits with the engine's status.
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
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // signals of the terminal do not reach it
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

// readReport waits until the engine is started, and returns an error if it cannot be.
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

// kill makes the supervisor end all processes. SIGCONT is needed if an engine has stopped it.
func (g *group) kill() {
	g.line.Close()
	_ = g.supervisor.Signal(syscall.SIGCONT)
}

// release closes the pipe after the supervisor has exited.
func (g *group) release() { g.line.Close() }

// supervise is the main function of a supervisor. It does not return.
func supervise(argv []string) {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	syscall.CloseOnExec(lineFile)
	syscall.CloseOnExec(reportFile)
	// Catch these signals instead of ignoring them: the engine would inherit ignored ones.
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

// releaseFiles replaces files by /dev/null, so that their descriptors are not reused.
func releaseFiles(files ...*os.File) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	for _, f := range files {
		if err != nil || unix.Dup3(int(null.Fd()), int(f.Fd()), unix.O_CLOEXEC) != nil {
			f.Close()
		}
	}
}

// reap waits for children until the engine has exited, and returns the engine's status. It kills the
// engine's group before it reaps the engine, since the group ID cannot be reused until then.
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

// pidOf returns the child that waitid has found: si_pid is the first field of a union that is
// aligned like a pointer.
func pidOf(info *unix.Siginfo) int {
	const union = 8 + unsafe.Sizeof(uintptr(0))
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(info), union)))
}

// endChildren kills all descendants: grandchildren become children when their parents exit. Processes
// that may not be killed, such as those of another user, are left running.
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

// children returns the child processes of this one, including exited ones that have not been waited
// for. Their process IDs cannot be reused until then.
func children() []int { return childrenOf(os.Getpid()) }

func childrenOf(parent int) (pids []int) {
	entries, _ := os.ReadDir("/proc") // without /proc no children are found
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

// exitLike exits with the engine's exit status or signal.
func exitLike(status syscall.WaitStatus) {
	if status.Signaled() {
		_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // only the engine should dump core
		var byDefault [4]uint64                          // a struct sigaction with SIG_DFL
		_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(status.Signal()), uintptr(unsafe.Pointer(&byDefault)), 0, 8, 0, 0)
		_ = syscall.Kill(os.Getpid(), status.Signal())
		select {}
	}
	syscall.Exit(status.ExitStatus())
}
