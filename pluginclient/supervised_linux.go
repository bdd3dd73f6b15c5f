package pluginclient

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"qhsh/engine/supervisor"
)

// group is this process's handle on the processes of an engine.
type group struct {
	supervisor *os.Process
	line       *os.File
}

// startInGroup starts the engine cmd below a [supervisor]. From then on cmd is the supervisor, which
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
	cmd.Path, cmd.Args = "/proc/self/exe", append([]string{supervisor.Name}, cmd.Args...)
	cmd.ExtraFiles = []*os.File{line.r, report.w}         // supervisor.LineFile and ReportFile
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
