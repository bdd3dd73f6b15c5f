package cluster_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// serversVariable is the variable of the environment with the programs of TestVersions, separated as
// in PATH.
const serversVariable = "QHSH_NATS_SERVERS"

// TestVersions has every command done with installed nats-servers, which find out what
// cluster.LeastServer has to be. Each is restarted, and loses a worker, during a run.
func TestVersions(t *testing.T) {
	servers := filepath.SplitList(os.Getenv(serversVariable))
	if len(servers) == 0 {
		t.Skipf("set %s to the paths of some versions of nats-server", serversVariable)
	}
	program := buildProgram(t)
	match := []string{"match", "-games", "4", "-level", "1", "-maxmoves", "10", "one=builtin", "two=builtin,off=probcut"}
	for _, path := range servers {
		t.Run(filepath.Base(path), func(t *testing.T) {
			s := startInstalled(t, path)
			c := connect(t, s.url(), testTiming)
			status, err := c.Status(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("nats-server %s", status.Server)
			mortal := startProgram(t, program, s.url())
			startProgram(t, program, s.url())
			r := startFed(t, program, s.url())
			r.write()
			s.stop()
			r.write()
			s.start()
			r.write()
			_ = mortal.Process.Kill() // it may have ended
			startProgram(t, program, s.url())
			r.write()
			r.finish()
			run(t, program, append([]string{match[0], "-cluster", s.url()}, match[1:]...)...)
			waitForIdle(t, c)
		})
	}
}

// An installedServer is a process of nats-server.
type installedServer struct {
	t    *testing.T
	path string
	dir  string
	port int
	*exec.Cmd
}

func startInstalled(t *testing.T, path string) *installedServer {
	t.Helper()
	s := &installedServer{t: t, path: path, dir: t.TempDir(), port: freePort(t)}
	s.start()
	t.Cleanup(s.stop)
	return s
}

func (s *installedServer) url() string { return fmt.Sprintf("nats://qhsh:secret@127.0.0.1:%d", s.port) }

// start starts the server as the help of qhsh work says.
func (s *installedServer) start() {
	s.t.Helper()
	s.Cmd = exec.Command(s.path, "-a", "127.0.0.1", "-p", fmt.Sprint(s.port), "-js", "-sd", s.dir, "--user", "qhsh", "--pass", "secret")
	if err := s.Start(); err != nil {
		s.t.Fatal(err)
	}
	await(s.t, func() bool {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.port))
		if err != nil {
			return false
		}
		_, err = conn.Read(make([]byte, 1)) // its greeting
		conn.Close()
		if err != nil && !errors.Is(err, io.EOF) {
			s.t.Fatal(err)
		}
		return err == nil
	})
}

func (s *installedServer) stop() {
	_ = s.Process.Signal(os.Interrupt) // it may have ended
	_ = s.Wait()
}
