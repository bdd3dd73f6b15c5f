// Package golden compares whole outputs with files that are checked in. With the flag
// -update, which it adds to the test binary, the files are rewritten instead, to be
// read through before they are committed.
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

// Compare fails the test if got is not what the file holds.
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

// Transcripts runs a subtest for every *.txt of a folder; without any the test fails. A
// transcript holds both sides of a conversation. play holds the conversation again and
// answers the transcript as it is now.
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
