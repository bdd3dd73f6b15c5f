// Package golden compares whole outputs with files that are checked in. It adds the flag -update to
// the test binary, which rewrites the files instead, to be reviewed before they are committed.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the expected outputs of the tests")

// Updating reports whether the tests were asked to rewrite their files.
func Updating() bool { return *update }

// Compare fails the test if got differs from the file.
func Compare(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		test, _, _ := strings.Cut(t.Name(), "/")
		t.Errorf("%s: go test -run %s -update rewrites it (-want +got):\n%s", file, test, diff)
	}
}

// Transcripts runs a subtest for each *.txt in a folder, and fails without any. A transcript holds
// both sides of a conversation. play runs the conversation again and returns the new transcript.
func Transcripts(t *testing.T, dir string, play func(t *testing.T, transcript string) string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts in %s: %v", dir, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			Compare(t, file, play(t, string(text)))
		})
	}
}
