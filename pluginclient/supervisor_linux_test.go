package pluginclient

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"qhsh/engine/enginetest"
	"qhsh/engine/supervisor"
)

func init() {
	// A deserter leaves its parent's process group but keeps the pipes.
	desert := func(role string) {
		cmd := partner(role)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		start(cmd)
	}
	stay := func() {
		fmt.Println("ready")
		time.Sleep(time.Hour)
	}
	for role, begin := range map[string]func(){
		"setsid": func() { desert("stubborn") },
		"daemon": func() { desert("midwife") }, // whose child is orphaned
		"clan":   func() { desert("parent"); desert("midwife"); spawn("parent") },
	} {
		systemRoles[role] = func() { begin(); stay() }
		systemRoles[role+", quits"] = begin
		systemRoles[role+", terminated"] = func() { begin(); _ = syscall.Kill(os.Getpid(), syscall.SIGTERM); time.Sleep(time.Hour) }
	}
	systemRoles["midwife"] = func() { desert("stubborn") }
	systemRoles["stopper"] = func() {
		_ = syscall.Kill(os.Getppid(), syscall.SIGSTOP)
		stay()
	}
	// Its children exit in time, but nothing waits for them.
	systemRoles["zombies"] = func() {
		for range 5 {
			desert("orphan")
		}
		stay()
	}
	systemRoles["orphan"] = func() { desert("folder") }
}

// deserters are engines, and the number of their processes, all of which run forever.
var deserters = map[string]int{"setsid": 2, "daemon": 2, "clan": 6}

// watched is an engine that has started all its processes that run forever.
func watched(t *testing.T, role string) (*Streams, *wake) {
	t.Helper()
	cmd := program(t, role)
	w := watch(t, &cmd)
	streams, err := cmd.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAllStreams(streams) })
	return streams, w
}

// midwives returns how many of a role's processes connect and exit by themselves.
func midwives(role string) int {
	if strings.HasPrefix(role, "setsid") {
		return 0
	}
	return 1
}

// released checks that no process holds the engine's output.
func released(t *testing.T, s *Streams) {
	t.Helper()
	if err := s.Stdout.(*os.File).SetReadDeadline(time.Now().Add(guard)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, s.Stdout); err != nil {
		t.Errorf("the pipe is held open: %v", err)
	}
}

// TestDesertersEnd: a process that has left the group of an engine ends with it, however the engine
// ends.
func TestDesertersEnd(t *testing.T) {
	for role, n := range deserters {
		t.Run(role+", killed", func(t *testing.T) {
			t.Parallel()
			streams, w := watched(t, role)
			w.born(n + midwives(role))
			streams.Kill()
			var exit *exec.ExitError
			if err := streams.Wait(); !errors.As(err, &exit) || exit.String() != "signal: killed" {
				t.Errorf("it ended with %v", err)
			}
			released(t, streams)
			w.gone()
		})
		for how, want := range map[string]string{"quits": "<nil>", "terminated": "signal: terminated"} {
			t.Run(role+", "+how, func(t *testing.T) {
				t.Parallel()
				streams, w := watched(t, role+", "+how)
				w.born(1) // the others may be killed before they connect
				if err := streams.Wait(); fmt.Sprint(err) != want {
					t.Errorf("it ended with %v, want %s", err, want)
				}
				released(t, streams)
				w.gone()
			})
		}
		t.Run(role+", host killed", func(t *testing.T) {
			t.Parallel()
			cmd := program(t, "host")
			w := watch(t, &cmd)
			host := exec.Command(cmd.Path)
			host.Env = append(cmd.Env, guestVar+"="+role)
			if err := host.Start(); err != nil {
				t.Fatal(err)
			}
			w.born(1 + n + midwives(role))
			_ = host.Process.Kill()
			_ = host.Wait()
			w.gone()
		})
	}
}

// TestDesertersOfOthers: of many engines, only the processes of the killed one end.
func TestDesertersOfOthers(t *testing.T) {
	const engines = 8
	var all [engines]*Streams
	var wakes [engines]*wake
	for i := range all {
		all[i], wakes[i] = watched(t, "daemon")
	}
	for _, w := range wakes {
		w.born(3)
	}
	for i := range all {
		all[i].Kill()
		_ = all[i].Wait()
		wakes[i].gone()
		for _, w := range wakes[i+1:] {
			w.alive(2)
		}
	}
	if left := supervisor.Children(os.Getpid()); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

// alive checks that n processes are still running.
func (w *wake) alive(n int) {
	w.t.Helper()
	for _, line := range w.lines {
		_ = line.SetDeadline(time.Now().Add(time.Millisecond))
		if _, err := line.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
			n--
		}
	}
	if n > 0 {
		w.t.Errorf("%d processes have ended that are of another engine", n)
	}
}

// TestNoZombies: orphans of an engine that exit before it leave no zombies.
func TestNoZombies(t *testing.T) {
	streams, w := watched(t, "zombies")
	w.born(1 + 5 + 5)
	w.lines = w.lines[1:]
	children := supervisor.Children(os.Getpid())
	if len(children) != 1 {
		t.Fatalf("there are the children %v, want a supervisor", children)
	}
	if !enginetest.Await(func() bool { return len(supervisor.Children(children[0])) == 1 }) { // the engine
		t.Fatalf("the supervisor has the children %v", supervisor.Children(children[0]))
	}
	streams.Kill()
	_ = streams.Wait()
}

// TestStoppedSupervisor: an engine that stops its supervisor can still be killed.
func TestStoppedSupervisor(t *testing.T) {
	streams, w := watched(t, "stopper")
	w.born(1)
	stat := filepath.Join("/proc", fmt.Sprint(supervisor.Children(os.Getpid())[0]), "stat")
	enginetest.Await(func() bool {
		text, _ := os.ReadFile(stat)
		return strings.Contains(string(text), ") T ")
	})
	streams.Kill()
	_ = streams.Wait()
	w.gone()
}
