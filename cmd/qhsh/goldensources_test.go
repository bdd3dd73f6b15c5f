package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"qhsh/engine/enginetest"
)

// The other sources of golden cases besides testdata/golden: documents, examples and script tests.
// Their outputs are in these folders, one file for each document or script.
const (
	goldenDocuments = goldenDir + "/documents"
	goldenScripts   = goldenDir + "/scripts"
)

// TestGoldenDocuments runs the commands of all documents, each document in one folder.
func TestGoldenDocuments(t *testing.T) {
	if enginetest.Race || runtime.GOOS == "windows" {
		t.Skip("see TestGolden")
	}
	t.Parallel()
	sources := documents(t)
	sources["examples"] = "../../examples"
	for name, document := range sources {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			commands := documentCommands(t, document)
			if len(commands) == 0 {
				t.Skip("no commands")
			}
			compareGolden(t, filepath.Join(goldenDocuments, name+".txt"), runSections(t, "documents/"+name, commands))
		})
	}
}

// A section is a chapter of a document with its commands; it sees the files of the sections before
// it.
type section struct {
	name     string
	commands []string
}

// documentCommands returns the commands of a document's console blocks, or those in the first
// comments of the example scripts.
func documentCommands(t *testing.T, document string) (sections []section) {
	t.Helper()
	if filepath.Base(document) == "examples" {
		return exampleCommands(t, document)
	}
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	inBlock := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch command, ok := strings.CutPrefix(line, "$ "); {
		case strings.HasPrefix(line, "#") && !inBlock:
			sections = append(sections, section{name: strings.TrimLeft(line, "# ")})
		case line == "```console":
			inBlock = true
		case strings.HasPrefix(line, "```"):
			inBlock = false
		case inBlock && ok && !isGo(command):
			last := &sections[len(sections)-1]
			last.commands = append(last.commands, command)
		}
	}
	return slices.DeleteFunc(sections, func(s section) bool { return len(s.commands) == 0 })
}

var exampleCommand = regexp.MustCompile(`(?m)^#     (qhsh .*)$`)

func exampleCommands(t *testing.T, dir string) (sections []section) {
	t.Helper()
	scripts, err := filepath.Glob(dir + "/*.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		m := exampleCommand.FindSubmatch(text)
		if m == nil {
			t.Fatalf("%s: no command", script)
		}
		sections = append(sections, section{filepath.Base(script), []string{"cd examples; " + string(m[1])}})
	}
	return sections
}

// runSections runs the commands in order. The text of an error is not recorded, even where a
// document shows it.
func runSections(t *testing.T, source string, sections []section) (got []goldenCase) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("../../examples")); err != nil {
		t.Fatal(err)
	}
	known := map[string]struct{}{}
	for _, s := range sections {
		r := newRecording(t, source, s.name, dir)
		r.before = known
		if len(known) == 0 {
			r.everythingIsKnown()
		}
		for _, command := range s.commands {
			r.command(command, r.shell(strings.ReplaceAll(command, "2>&1", "2>/dev/null")))
		}
		got = append(got, r.end(s.commands))
		r.everythingIsKnown()
	}
	return got
}

// everythingIsKnown excludes the files that exist now from later outputs.
func (r *recording) everythingIsKnown() {
	_ = filepath.WalkDir(r.dir, func(path string, _ os.DirEntry, err error) error {
		name, _ := filepath.Rel(r.dir, path)
		r.before[name] = struct{}{}
		return err
	})
}

// TestGoldenScripts runs the script tests without their comparisons.
func TestGoldenScripts(t *testing.T) {
	if enginetest.Race || runtime.GOOS == "windows" {
		t.Skip("see TestGolden")
	}
	t.Parallel()
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	dir := t.TempDir()
	for _, script := range scripts {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(script)), recordingScript(t, script), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	params := scriptParams(dir)
	setup := params.Setup
	params.Setup = func(env *testscript.Env) error {
		r := newRecording(t, "scripts", "all", env.WorkDir)
		r.everythingIsKnown()
		env.Values[recordingKey{}] = r
		env.Setenv("PATH", r.path())
		return setup(env)
	}
	params.UpdateScripts = false
	params.Cmds["record"] = func(ts *testscript.TestScript, _ bool, args []string) { recordCommand(ts, args) }
	params.Cmds["compare"] = func(ts *testscript.TestScript, _ bool, args []string) {
		r := ts.Value(recordingKey{}).(*recording)
		compareGolden(t, filepath.Join(goldenScripts, args[0]+".txt"), []goldenCase{r.end(nil)})
	}
	testscript.Run(t, params)
}

type recordingKey struct{}

var (
	scriptCommand    = regexp.MustCompile(`^((?:\[[^\]]*\] *)*)(?:[!?] *)?(?:exec|exits +\d+) +(.*)$`)
	scriptComparison = regexp.MustCompile(`^(?:\[[^\]]*\] *)*(?:[!?] *)?(?:cmp|cmpenv|stdout|stderr|grep|exists)\b`)
)

// recordingScript returns a script that records the outputs of its commands and compares nothing.
func recordingScript(t *testing.T, file string) []byte {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(archive.Comment)) {
		if m := scriptCommand.FindStringSubmatch(line[:len(line)-1]); m != nil {
			line = m[1] + "record " + m[2] + "\n"
		}
		if !scriptComparison.MatchString(line) {
			b.WriteString(line)
		}
	}
	b.WriteString("compare " + strings.TrimSuffix(filepath.Base(file), ".txtar") + "\n")
	archive.Comment = []byte(b.String())
	return txtar.Format(archive)
}

// recordCommand runs a command of a script and records its outcome. Help is not recorded.
func recordCommand(ts *testscript.TestScript, args []string) {
	status := 0
	if err := ts.Exec(args[0], args[1:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		status = exit.ExitCode()
	}
	r := ts.Value(recordingKey{}).(*recording)
	r.id, r.name = "scripts/"+ts.Name()+"/"+ts.Name(), ts.Name()
	stdout := []byte(ts.ReadFile("stdout"))
	if slices.ContainsFunc(args, isHelp) {
		stdout = nil
	}
	r.command(strings.Join(args, " "), result{stdout, status})
}

func isHelp(arg string) bool {
	return slices.Contains([]string{"help", "-h", "-help", "--help", "-pyi"}, arg) || strings.Contains(arg, ".help")
}
