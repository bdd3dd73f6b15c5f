// Package browser loads pages in headless Chromium, to test their scripts. A test is skipped if Chromium is
// not installed or does not start.
package browser

import (
	"context"
	"errors"
	"image"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Dump loads a page and returns its document after all scripts have run. The fragment of its
// address starts with # or is empty.
func Dump(t testing.TB, page, fragment string) string {
	t.Helper()
	document, _ := Visit(t, page, fragment)
	return document
}

// Visit is like Dump, and also returns the [Tab.Console].
func Visit(t testing.TB, page, fragment string) (document string, console []string) {
	t.Helper()
	tab := openFiles(t, map[string]string{"page.html": page}, "page.html"+fragment, 800, 600)
	value, err := tab.evaluate("document.documentElement.outerHTML")
	if err != nil {
		t.Fatal(err)
	}
	return value.String(), tab.Console(t)
}

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

// start starts Chromium until the end of the test and returns the address of its debugger.
func start(t testing.TB) string {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("Chromium is not installed")
	}
	profile := t.TempDir()
	ctx, kill := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program,
		"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--remote-debugging-port=0", "--no-startup-window", "--user-data-dir="+profile)
	cmd.WaitDelay = guard
	var log strings.Builder
	cmd.Stderr = &log // Wait waits until no process of Chromium has it
	err := cmd.Start()
	ended := make(chan struct{})
	go func() {
		if err == nil {
			err = cmd.Wait()
		}
		close(ended)
	}()
	t.Cleanup(func() {
		kill()
		if <-ended; errors.Is(err, exec.ErrWaitDelay) {
			t.Error("Chromium leaves processes behind")
		}
	})
	for began := time.Now(); time.Since(began) < guard; {
		text, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		if port, path, whole := strings.Cut(string(text), "\n"); whole && path != "" {
			return "ws://127.0.0.1:" + port + path
		}
		select {
		case <-ended:
			t.Skipf("Chromium does not start here: %v: %s", err, log.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Skip("Chromium does not start here")
	return ""
}
