// Package supervisor is the process between qhsh and an engine: this program, started under the name
// [Name]. It is a subreaper, so the kernel makes it the parent of orphaned descendants. All processes
// that the engine starts therefore stay below it, even if they call setsid or lose their parent. It
// kills them all when the engine exits, and kills the engine when the pipe to qhsh is closed, so that
// nothing outlives a killed qhsh. Each engine has its own supervisor, so it never kills processes of
// another engine.
//
// The package imports little, because it must be initialised before the rest of the program, which
// takes longer than all that a supervisor does: Go initialises packages in the order of their import
// paths, each as soon as its imports are. A test holds this.
package supervisor

import (
	"errors"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"unsafe"
)

// Name is argv[0] of a supervisor, which ps shows. The engine's command line follows.
const Name = "qhsh-supervisor"

// The files of a supervisor, beside the engine's own.
const (
	LineFile   = 3 // closed to make the supervisor end the engine
	ReportFile = 4 // receives the errno if the engine cannot be started
)

// The supervisor runs from init instead of main, because test binaries start engines too.
func init() {
	if os.Args[0] == Name && len(os.Args) > 1 {
		supervise(os.Args[1:])
	}
}

// limitsVariable has the soft limits that engines start with, if this process has lower ones.
const limitsVariable = "QHSH_ENGINE_LIMITS"

// LimitMemory limits this process to so many bytes of data, and of addresses. Engines start with the
// limits from before.
func LimitMemory(data, addresses uint64) error {
	dataBefore, err := setLimit(syscall.RLIMIT_DATA, data)
	if err != nil {
		return err
	}
	addressesBefore, err := setLimit(syscall.RLIMIT_AS, addresses)
	if err != nil {
		return err
	}
	return os.Setenv(limitsVariable, strconv.FormatUint(dataBefore, 10)+" "+strconv.FormatUint(addressesBefore, 10))
}

// setLimit sets a soft limit, if the hard one is not lower, and returns the one before.
func setLimit(which int, soft uint64) (before uint64, err error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(which, &limit); err != nil {
		return 0, err
	}
	before, limit.Cur = limit.Cur, min(soft, limit.Max)
	return before, syscall.Setrlimit(which, &limit)
}

// restoreLimits ends the effect of LimitMemory on a supervisor.
func restoreLimits() {
	text := os.Getenv(limitsVariable)
	for i := range len(text) {
		if text[i] != ' ' {
			continue
		}
		data, _ := strconv.ParseUint(text[:i], 10, 64)
		addresses, _ := strconv.ParseUint(text[i+1:], 10, 64)
		_, _ = setLimit(syscall.RLIMIT_DATA, data)
		_, _ = setLimit(syscall.RLIMIT_AS, addresses)
		_ = os.Unsetenv(limitsVariable)
	}
}

// supervise is the main function of a supervisor. It does not return.
func supervise(argv []string) {
	restoreLimits()
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER
	prctl(setChildSubreaper, 1)
	syscall.CloseOnExec(LineFile)
	syscall.CloseOnExec(ReportFile)
	// Catch these signals instead of ignoring them: the engine would inherit ignored ones.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU)
	engine, err := os.StartProcess(argv[0], argv, &os.ProcAttr{
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}, // this is the main thread
	})
	report := os.NewFile(ReportFile, "report")
	if err != nil {
		number := syscall.EINVAL
		errors.As(err, &number)
		_, _ = report.WriteString(strconv.Itoa(int(number)))
		syscall.Exit(1)
	}
	report.Close()
	releaseFiles(os.Stdin, os.Stdout, os.Stderr)
	go func() {
		_, _ = os.NewFile(LineFile, "line").Read(make([]byte, 1))
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
		if err != nil || syscall.Dup3(int(null.Fd()), int(f.Fd()), syscall.O_CLOEXEC) != nil {
			f.Close()
		}
	}
}

// reap waits for children until the engine has exited, and returns the engine's status. It kills the
// engine's group before it reaps the engine, since the group ID cannot be reused until then.
func reap(engine int) (status syscall.WaitStatus) {
	for {
		child, err := exited(0)
		if err == syscall.EINTR {
			continue
		}
		if err != 0 {
			return status
		}
		if child == engine {
			_ = syscall.Kill(-engine, syscall.SIGKILL)
		}
		_, _ = syscall.Wait4(child, &status, 0, nil)
		if child == engine {
			return status
		}
	}
}

// exited waits until a child has exited, and returns it without reaping it. The error is ECHILD if
// there are no children.
func exited(options uintptr) (child int, _ syscall.Errno) {
	const (
		anyChild = 0                             // P_ALL
		pid      = 8 + unsafe.Sizeof(uintptr(0)) // si_pid, the first field of a union that is aligned like a pointer
	)
	var info [16]uint64 // a siginfo_t
	_, _, err := syscall.Syscall6(syscall.SYS_WAITID, anyChild, 0, uintptr(unsafe.Pointer(&info)), syscall.WEXITED|syscall.WNOWAIT|options, 0, 0)
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(&info), pid))), err
}

func prctl(option, value uintptr) {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, option, value, 0, 0, 0, 0)
}

// endChildren kills all descendants: grandchildren become children when their parents exit. Processes
// that may not be killed, such as those of another user, are left running.
func endChildren() {
	for {
		if _, err := exited(syscall.WNOHANG); err == syscall.ECHILD {
			return // a scan of /proc costs as much as the rest of this process
		}
		var killed []int
		for _, child := range Children(os.Getpid()) {
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

// Children returns the child processes of a process, including exited ones that have not been waited
// for. The process IDs of those of this process cannot be reused until then.
func Children(parent int) (pids []int) {
	entries, _ := os.ReadDir("/proc") // without /proc no children are found
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if parentIn(stat) == parent {
			pids = append(pids, pid)
		}
	}
	return pids
}

// parentIn returns the parent in the stat of a process, "PID (NAME) STATE PARENT ...", any NAME; 0 if
// there is none.
func parentIn(stat []byte) (parent int) {
	i := len(stat)
	for i > 0 && stat[i-1] != ')' {
		i--
	}
	for i += len(" S "); i < len(stat) && '0' <= stat[i] && stat[i] <= '9'; i++ {
		parent = 10*parent + int(stat[i]-'0')
	}
	return parent
}

// exitLike exits with the engine's exit status or signal.
func exitLike(status syscall.WaitStatus) {
	if status.Signaled() {
		prctl(syscall.PR_SET_DUMPABLE, 0) // only the engine should dump core
		var byDefault [4]uint64           // a struct sigaction with SIG_DFL
		_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(status.Signal()), uintptr(unsafe.Pointer(&byDefault)), 0, 8, 0, 0)
		_ = syscall.Kill(os.Getpid(), status.Signal())
		select {}
	}
	syscall.Exit(status.ExitStatus())
}
