package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

// completionFolder returns a folder with files to complete, which is also the home folder.
func completionFolder(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.fen": "", "my file.fen": "", "it's.epd": "", ".hidden.fen": "", "game.pgn": "", "book.xqf.gz": "",
		"out.jsonl": "", "out.db": "", "other.dat": "", "docs/b.fen": "", "empty/": "",
		"count.star":               "n = flag(\"num\", 3)\nif flag(name = \"--deep\", default = False): pass\nx = flag(\"text\")\n",
		"broken.star":              "flag(",
		"config/qhsh/engines.json": `{"eleeye": "ucci:./ELEEYE", "pika": "uci:./pikafish"}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path+"x"), 0o777); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			continue
		}
		write(t, path, text)
	}
	if err := os.WriteFile(filepath.Join(dir, "engine"), nil, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestComplete compares the answers to the command lines of a transcript, which end at the bar.
func TestComplete(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an engine's file has another name there")
	}
	file, err := filepath.Abs("testdata/complete.txt")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := completionFolder(t)
	t.Chdir(dir)
	h := host{
		Games: games.Default, ConfigDir: filepath.Join(dir, "config", "qhsh"),
		Env: func(name string) string { return map[string]string{"HOME": dir}[name] },
	}
	h, closing := h.withNames(t.Context())
	defer closing()
	golden.Compare(t, file, completions(h, string(text)))
}

// completions returns a transcript with the current answers to its command lines.
func completions(h host, transcript string) string {
	var b strings.Builder
	for line := range strings.Lines(transcript) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		if !isCommand && !strings.HasPrefix(line, "#") {
			continue
		}
		b.WriteString(line)
		if isCommand {
			for _, c := range h.complete(parseBashLine(strings.TrimSuffix(command, "|\n"), "").words) {
				b.WriteString(strings.TrimRight(fmt.Sprintf("  %s  %s", c.Text, c.Note), " ") + "\n")
			}
		}
	}
	return b.String()
}

// TestBashLine: bash gets the rest of the word that it replaces, quoted as the word is.
func TestBashLine(t *testing.T) {
	const breaks = " \t\n\"'@><=;|&(:"
	for _, c := range []struct{ line, typed, candidate, reply string }{
		{"qhsh hi", "hi", "hints", "hints "},
		{"qhsh ", "", "hints", "hints "},
		{"qhsh  hints\t-f", "-f", "-format", "-format "},
		{"qhsh hints -format=j", "-format=j", "-format=json", "json "},
		{"qhsh check uci:", "uci:", "uci:./engine", "./engine "},
		{"qhsh check uc", "uc", "uci:", "uci:"},
		{"qhsh check builtin,no", "builtin,no", "builtin,nodes=", "builtin,nodes="},
		{"qhsh hints my", "my", "my file.fen", `my\ file.fen `},
		{`qhsh hints my\ f`, "my f", "my file.fen", `my\ file.fen `},
		{`qhsh hints "my f`, "my f", "my file.fen", `my file.fen`},
		{`qhsh hints "$`, "$", `$5"`, `$5\"`},
		{`qhsh hints "a\$\x`, `a$\x`, `a$\xy`, `a\$\xy`},
		{`qhsh hints 'it`, "it", "it's", `it'\''s`},
		{`qhsh hints 'a b'c`, "a bc", "a bcd", "cd "},
		{`qhsh hints ''`, "", "a", "a "},
		{`qhsh hints ~/d`, "~/d", "~/docs/", "~/docs/"},
		{`qhsh hints 炮`, "炮", "炮二", "炮二 "},
		{`qhsh hints a\`, `a\`, `a\b`, `a\b `},
	} {
		l := parseBashLine(c.line, breaks)
		if typed := l.words[len(l.words)-1]; typed != c.typed {
			t.Errorf("%s: the last word is %q", c.line, typed)
			continue
		}
		if got := l.reply(pluginclient.Completion{Text: c.candidate}); got != c.reply {
			t.Errorf("%s: %q, want %q", c.line, got, c.reply)
		}
	}
}

// TestCompletionScripts runs the script of each shell that is installed: the shell calls qhsh, and
// inserts or lists its answers.
func TestCompletionScripts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths have another form there")
	}
	for _, shell := range []struct {
		name string
		args []string // the shell runs a program that completes each of its arguments
	}{
		{"bash", []string{"--norc", "--noprofile", "-c", `
eval "$(qhsh completion bash)" # which bash 3 can do, too
COMP_WORDBREAKS=$' \t\n"\'@><=;|&(:'
for COMP_LINE; do
	COMP_POINT=${#COMP_LINE}
	_qhsh qhsh
	printf '%s\n' "$COMP_LINE" "${COMPREPLY[@]/#/  }"
done`, "bash"}},
		{"zsh", []string{"-f", "-c", `
compdef() { }
compadd() { print -rl -- "  ${(j:|:)@}" "  ${(Pj:|:)@[-1]}" }
eval "$(qhsh completion zsh)"
typeset -A compstate
for line; do
	print -r -- $line
	words=(${(z)line}) PREFIX=$words[-1]
	[[ $line == *' ' ]] && words+=('') PREFIX=
	CURRENT=$#words
	_qhsh
done`, "zsh"}},
		{"fish", []string{"--no-config", "-c", `
qhsh completion fish | source
for line in $argv
	echo $line
	complete -C $line | string replace -r '^' '  '
end`}},
	} {
		t.Run(shell.name, func(t *testing.T) {
			program, err := exec.LookPath(shell.name)
			if err != nil {
				t.Skip(err)
			}
			dir := completionFolder(t)
			lines := []string{
				"qhsh hi", "qhsh hints -format ", "qhsh hints --format=j", "qhsh hints -engine pi", "qhsh check uci:./e",
				"qhsh check builtin,no", `qhsh hints my\ f`, "qhsh hints ~/doc", "qhsh hints ~/docs/", "qhsh run count.star -",
			}
			cmd := exec.Command(program, append(shell.args, lines...)...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			golden.Compare(t, filepath.Join("testdata", "completion", shell.name+".txt"), string(out))
		})
	}
}
