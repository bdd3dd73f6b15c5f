package pluginclient

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qhsh/engine/enginetest"
)

// Environment variables that make this program an engine.
const (
	roleVar  = "QHSH_TEST_ROLE"  // the engine
	guestVar = "QHSH_TEST_GUEST" // the engine a host starts
	lifeVar  = "QHSH_TEST_LIFE"  // a socket that is open while the process runs
)

// guard is how long a test waits for an event, even on a very slow machine.
const guard = 30 * time.Second

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		play(role)
		os.Exit(0)
	}
	os.Exit(enginetest.Main(m))
}

// play runs an engine.
func play(role string) {
	if life := os.Getenv(lifeVar); life != "" {
		if _, err := net.Dial("unix", life); err != nil {
			fmt.Println(err)
			os.Exit(9)
		}
	}
	switch role {
	case "folder":
		dir, err := os.Getwd()
		fmt.Println(dir, err)
	case "echo", "slow to quit":
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			fmt.Println("got " + s.Text())
			if s.Text() == "QUIT" {
				if role != "echo" {
					time.Sleep(300 * time.Millisecond)
				}
				fmt.Println("BYE")
				return
			}
		}
	case "stubborn", "parent", "leaver":
		if role != "stubborn" {
			spawn("stubborn")
		}
		fmt.Println("ready")
		if role == "leaver" {
			return
		}
		_, _ = io.Copy(prefixed{}, os.Stdin)
		time.Sleep(time.Hour)
	case "deaf":
		fmt.Println("ready")
		time.Sleep(time.Hour)
	case "host":
		env := append(os.Environ(), roleVar+"="+cmp.Or(os.Getenv(guestVar), "parent"))
		if _, err := (Command{Path: os.Args[0], Env: env}).Start(context.Background()); err != nil {
			fmt.Println(err)
			os.Exit(9)
		}
		time.Sleep(time.Hour)
	case "crash":
		fmt.Print("ready\nhalf a li")
		fmt.Fprint(os.Stderr, "one\ntwo\r\nthree\n")
		os.Exit(7)
	case "noisy":
		fmt.Fprintln(os.Stderr, strings.Repeat("x", 1<<20)+"\n"+strings.Repeat("y\n", 1<<18))
		fmt.Println("ready")
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "flood":
		for out := bufio.NewWriter(os.Stdout); ; {
			if _, err := out.WriteString("all work and no play makes Jack a dull boy\n"); err != nil {
				return
			}
		}
	case "mute":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	default:
		systemRoles[role]()
	}
}

// systemRoles are the engines of some systems only.
var systemRoles = map[string]func(){}

// prefixed prints its input, with "got" before each piece.
type prefixed struct{}

func (prefixed) Write(p []byte) (int, error) {
	fmt.Print("got ", string(p))
	return len(p), nil
}

// spawn starts another engine that shares the pipes.
func spawn(role string) { start(partner(role)) }

// partner is another engine that shares the pipes.
func partner(role string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVar+"="+role)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd
}

func start(cmd *exec.Cmd) {
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		os.Exit(9)
	}
}

// program returns this test as an engine.
func program(t *testing.T, role string) Command {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The race detector would have a process that ends sleep for a second.
	return Command{Path: exe, Env: append(os.Environ(), roleVar+"="+role, "GORACE=atexit_sleep_ms=0")}
}

// A wake has connections to the processes of a test and reports when all of them have exited.
type wake struct {
	t        *testing.T
	listener net.Listener
	lines    []net.Conn
}

// watch makes the processes started by cmd connect to a wake.
func watch(t *testing.T, cmd *Command) *wake {
	t.Helper()
	dir, err := os.MkdirTemp("", "qh") // short, since names of sockets must be
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "life")
	listener, err := net.Listen("unix", name)
	if err != nil {
		t.Skip("no sockets here: ", err)
	}
	t.Cleanup(func() {
		listener.Close()
		os.RemoveAll(dir)
	})
	cmd.Env = append(cmd.Env, lifeVar+"="+name)
	return &wake{t: t, listener: listener}
}

// born waits for n more processes.
func (w *wake) born(n int) {
	w.t.Helper()
	for range n {
		_ = w.listener.(*net.UnixListener).SetDeadline(time.Now().Add(guard))
		line, err := w.listener.Accept()
		if err != nil {
			w.t.Fatal(err)
		}
		w.lines = append(w.lines, line)
	}
}

// gone waits for the end of all processes.
func (w *wake) gone() {
	w.t.Helper()
	for i, line := range w.lines {
		_ = line.SetDeadline(time.Now().Add(guard))
		if _, err := line.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
			w.t.Errorf("process %d of %d is still there", i+1, len(w.lines))
		}
		line.Close()
	}
}

// readLine returns the engine's first line.
func readLine(t *testing.T, s *Streams) string {
	t.Helper()
	line, err := bufio.NewReader(s.Stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	return strings.TrimSpace(line)
}

func closeAllStreams(s *Streams) {
	s.Kill()
	_ = s.Wait()
	s.Stdin.Close()
	s.Stdout.Close()
	s.Stderr.Close()
}

// TestOwnFolder: an engine runs in its own folder, however its path is given, unless another folder
// is given.
func TestOwnFolder(t *testing.T) {
	cmd := program(t, "folder")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(cmd.Path)
	if folder == here {
		t.Fatalf("the test runs in its own folder %s", here)
	}
	other := t.TempDir()
	absolute, relative, elsewhere := cmd, cmd, cmd
	elsewhere.Dir = other
	if relative.Path, err = filepath.Rel(here, cmd.Path); err != nil {
		relative.Path = cmd.Path // on another drive
	}
	for _, c := range []struct {
		cmd  Command
		want string
	}{{absolute, folder}, {relative, folder}, {elsewhere, other}} {
		streams, err := c.cmd.Start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want, err := filepath.EvalSymlinks(c.want)
		if err != nil {
			t.Fatal(err)
		}
		if got := readLine(t, streams); got != want+" <nil>" {
			t.Errorf("%s, folder %q: it runs in %s, want %s", c.cmd.Path, c.cmd.Dir, got, want)
		}
		closeAllStreams(streams)
	}
}

// TestFoundInPath: a name without a slash is looked up in PATH, and the program runs in the
// current folder, in which its arguments are.
func TestFoundInPath(t *testing.T) {
	cmd := program(t, "folder")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(cmd.Path))
	cmd.Path = filepath.Base(cmd.Path)
	streams, err := cmd.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer closeAllStreams(streams)
	if got := readLine(t, streams); got != here+" <nil>" {
		t.Errorf("it runs in %s, want %s", got, here)
	}
}

// TestCannotStart: the error for something that is not a program names it.
func TestCannotStart(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"no-such-engine", "./no-such-engine", text, t.TempDir()} {
		streams, err := (Command{Path: path}).Start(t.Context())
		if err == nil {
			closeAllStreams(streams)
		}
		if !errors.Is(err, ErrStart) || !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("%s: error %v", path, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := program(t, "echo").Start(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a start that was given up: %v", err)
	}
}

// TestKillEndsTheGroup: Kill ends an engine and its child processes at once.
func TestKillEndsTheGroup(t *testing.T) {
	cmd := program(t, "parent")
	w := watch(t, &cmd)
	streams, err := cmd.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.born(2)
	streams.Kill()
	if err := streams.Wait(); err == nil {
		t.Error("it ended with status 0")
	}
	w.gone()
	closeAllStreams(streams)
}

// TestNothingIsLeftBehind: the child processes of an engine end with it.
func TestNothingIsLeftBehind(t *testing.T) {
	cmd := program(t, "leaver")
	w := watch(t, &cmd)
	streams, err := cmd.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.born(1) // the other may be killed before it connects
	if err := streams.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	w.gone()
	if rest, err := io.ReadAll(streams.Stdout); err != nil {
		t.Errorf("the pipe is held open: %q, %v", rest, err)
	}
	closeAllStreams(streams)
}
