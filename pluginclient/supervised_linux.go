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
	lineEnd, line, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer lineEnd.Close()
	report, reportEnd, err := os.Pipe()
	if err != nil {
		line.Close()
		return nil, err
	}
	defer report.Close()
	program := cmd.Path
	cmd.Path, cmd.Args = "/proc/self/exe", append([]string{supervisor.Name}, cmd.Args...)
	cmd.ExtraFiles = []*os.File{lineEnd, reportEnd}       // supervisor.LineFile and ReportFile
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // signals of the terminal do not reach it
	err = cmd.Start()
	reportEnd.Close()
	if err == nil {
		if err = readReport(report, program); err != nil {
			_ = cmd.Wait()
		}
	}
	if err != nil {
		line.Close()
		return nil, err
	}
	return &group{cmd.Process, line}, nil
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
