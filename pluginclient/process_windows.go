package pluginclient

import (
	"fmt"
	"os/exec"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a Job object. Windows ends its processes when the last handle is closed, so an engine
// does not outlive a killed qhsh.
type group struct {
	job  windows.Handle
	once sync.Once
}

func startInGroup(cmd *exec.Cmd) (*group, error) {
	job, err := newJob()
	if err != nil {
		return nil, err
	}
	g := &group{job: job}
	if err := cmd.Start(); err != nil {
		g.kill()
		return nil, err
	}
	if err := g.add(cmd.Process.Pid); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		g.kill()
		return nil, err
	}
	return g, nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("create job object: %w", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, fmt.Errorf("set up job object: %w", err)
	}
	return job, nil
}

func (g *group) add(pid int) error {
	const access = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
	process, err := windows.OpenProcess(access, false, uint32(pid))
	if err != nil {
		return fmt.Errorf("open process: %w", err)
	}
	defer windows.CloseHandle(process)
	if err := windows.AssignProcessToJobObject(g.job, process); err != nil {
		return fmt.Errorf("add to job object: %w", err)
	}
	return nil
}

func (g *group) kill() {
	g.once.Do(func() {
		_ = windows.TerminateJobObject(g.job, 1)
		windows.CloseHandle(g.job)
	})
}

// release ends what the first process has left behind.
func (g *group) release() { g.kill() }
