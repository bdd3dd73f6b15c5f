// Package browser loads pages in headless Chromium, to test their scripts. A test is skipped if Chromium is
// not installed or does not start. All pages of a test binary share one Chromium, which TestMain must [Stop];
// each has cookies, storage and a cache of its own.
package browser

import (
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Visit loads a page and returns its document after all scripts have run, and the [Tab.Console]. The fragment
// of its address starts with # or is empty.
func Visit(t testing.TB, page, fragment string) (document string, console []string) {
	t.Helper()
	tab := openFiles(t, map[string]string{"page.html": page}, "page.html"+fragment, 800, 600)
	return tab.text(t, wholeDocument), tab.Console(t)
}

// Seen loads a page whose script adds an element with the id seen when it has ended, and returns the text of that with
// the document. Messages on the console are errors: of a script, or of something that the page must not load.
func Seen(t testing.TB, page, fragment string) (seen, document string) {
	t.Helper()
	tab := openFiles(t, map[string]string{"page.html": page}, "page.html"+fragment, 800, 600)
	tab.Wait(t, "document.getElementById('seen')")
	for _, line := range tab.Console(t) {
		t.Errorf("console: %s", line)
	}
	return tab.text(t, "document.getElementById('seen').textContent"), tab.text(t, wholeDocument)
}

const wholeDocument = "document.documentElement.outerHTML"

// text returns the value of an expression as text.
func (tab *Tab) text(t testing.TB, expression string) string {
	t.Helper()
	value, err := tab.evaluate(expression)
	if err != nil {
		t.Fatal(err)
	}
	return value.String()
}

// Painted defines a function for the script of a page that waits until what has changed is on the screen, and what the
// page does then is done.
const Painted = "const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))));"

// Frames loads files of any type, by their names, in frames of one page, and returns the
// [Tab.Console].
func Frames(t testing.TB, files map[string]string) (console []string) {
	t.Helper()
	var frames strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		frames.WriteString(`<iframe src="` + name + `"></iframe>`)
	}
	files = maps.Clone(files)
	files["frames.html"] = frames.String()
	return openFiles(t, files, "frames.html", 800, 600).Console(t)
}

// Screenshot returns a picture of a file, whose extension gives its type, in a window of a given
// size.
func Screenshot(t testing.TB, name, text string, width, height int) image.Image {
	t.Helper()
	tab := openFiles(t, map[string]string{name: text}, name, width, height)
	tab.do(t, "Emulation.setScrollbarsHidden", params{"hidden": true})
	return tab.Screenshot(t)
}

// openFiles opens the file of an address, beside the others.
func openFiles(t testing.TB, files map[string]string, address string, width, height int) *Tab {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return Open(t, "file://"+filepath.Join(dir, address), width, height)
}

// A process is the Chromium of this test binary. It starts with the first page, since that takes longer
// than most tests.
type process struct {
	debugger string // its address, unless why says why there is none
	why      string
	profile  string // the folder of its files
	kill     func()
	ended    chan struct{}
	err      error // of cmd.Wait, after ended
}

var running struct {
	sync.Mutex
	*process
}

// debugger returns the address of Chromium's debugger.
func debugger(t testing.TB) string {
	t.Helper()
	running.Lock()
	defer running.Unlock()
	if running.process == nil {
		running.process = start()
	}
	if running.why != "" {
		t.Skip(running.why)
	}
	return running.debugger
}

// Stop ends Chromium, if a test has started it. It is for TestMain, after the last test.
func Stop() error {
	running.Lock()
	defer running.Unlock()
	p := running.process
	running.process = nil
	if p == nil || p.kill == nil {
		return nil
	}
	p.kill()
	<-p.ended
	err := os.RemoveAll(p.profile)
	if errors.Is(p.err, exec.ErrWaitDelay) {
		err = errors.Join(err, errors.New("chromium leaves processes behind"))
	}
	return err
}

// start starts Chromium.
func start() *process {
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		return &process{why: "Chromium is not installed"}
	}
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		return &process{why: err.Error()}
	}
	ctx, kill := context.WithCancel(context.Background())
	p := &process{profile: profile, kill: kill, ended: make(chan struct{})}
	cmd := exec.CommandContext(ctx, program,
		"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--remote-debugging-port=0", "--no-startup-window", "--user-data-dir="+profile)
	cmd.WaitDelay = guard
	var log strings.Builder
	cmd.Stderr = &log // Wait waits until no process of Chromium has it
	p.err = cmd.Start()
	go func() {
		if p.err == nil {
			p.err = cmd.Wait()
		}
		close(p.ended)
	}()
	for began := time.Now(); time.Since(began) < guard; {
		text, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		if port, path, whole := strings.Cut(string(text), "\n"); whole && path != "" {
			p.debugger = "ws://127.0.0.1:" + port + path
			return p
		}
		select {
		case <-p.ended:
			p.why = fmt.Sprintf("Chromium does not start here: %v: %s", p.err, log.String())
			return p
		case <-time.After(10 * time.Millisecond):
		}
	}
	p.why = "Chromium does not start here"
	return p
}
