// Package browser loads pages in headless Chromium, to test their scripts.
package browser

import (
	"context"
	"fmt"
	"image"
	"image/png"
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
// address starts with # or is empty. The test is skipped if Chromium is not installed or does not
// run.
func Dump(t testing.TB, page, fragment string) string {
	t.Helper()
	document, _ := Visit(t, page, fragment)
	return document
}

// Visit is like Dump, and also returns the console output of Chromium: the errors of scripts, and
// what the page was not allowed to load.
func Visit(t testing.TB, page, fragment string) (document string, console []string) {
	t.Helper()
	return visit(t, map[string]string{"page.html": page}, "page.html"+fragment)
}

// Frames loads files of any type, by their names, in frames of one page, and returns the console
// output.
func Frames(t testing.TB, files map[string]string) (console []string) {
	t.Helper()
	var frames strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		frames.WriteString(`<iframe src="` + name + `"></iframe>`)
	}
	files = maps.Clone(files)
	files["frames.html"] = frames.String()
	_, console = visit(t, files, "frames.html")
	return console
}

func visit(t testing.TB, files map[string]string, address string) (document string, console []string) {
	t.Helper()
	document, log := load(t, files, address, "--dump-dom", "--enable-logging=stderr")
	for line := range strings.Lines(log) {
		if strings.Contains(line, ":CONSOLE") {
			console = append(console, strings.TrimSpace(line))
		}
	}
	return document, console
}

// Screenshot returns a picture of a file, whose extension gives its type, in a window of a given
// size.
func Screenshot(t testing.TB, name, text string, width, height int) image.Image {
	t.Helper()
	file := filepath.Join(t.TempDir(), "screenshot.png")
	load(t, map[string]string{name: text}, name, "--screenshot="+file, "--hide-scrollbars", "--force-device-scale-factor=1",
		fmt.Sprintf("--window-size=%d,%d", width, height))
	picture, err := os.Open(file)
	if err != nil {
		t.Skipf("Chromium makes no screenshots here: %v", err)
	}
	defer picture.Close()
	shot, err := png.Decode(picture)
	if err != nil {
		t.Fatal(err)
	}
	return shot
}

// load loads the file of an address, beside the others, and returns what Chromium writes to its
// outputs.
func load(t testing.TB, files map[string]string, address string, flags ...string) (stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--user-data-dir=" + filepath.Join(dir, "profile"),
	}, flags...)
	cmd := exec.CommandContext(ctx, chromium(t), append(args, "file://"+filepath.Join(dir, address))...)
	cmd.WaitDelay = 5 * time.Second
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("Chromium does not run here: %v", err)
	}
	return string(out), log.String()
}

func chromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("Chromium is not installed")
	return ""
}
