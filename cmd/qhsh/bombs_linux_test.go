package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/engine/record"
)

var allBombs = flag.Bool("bombs", false, "run all bombs of TestBombs, not those of the day")

// peakVariable names the file for the peak memory of a process in KiB.
const peakVariable = "QHSH_TEST_PEAK"

// bombMemory limits the memory of a bomb's process in bytes, so that a bad reader harms nothing.
const bombMemory = 2 << 30

func init() {
	if os.Getenv(peakVariable) != "" {
		runProcess = runMeasured
	}
}

// runMeasured runs qhsh in this process, and writes its peak memory to a file, or that of the processes
// that it has started if that is more.
func runMeasured() {
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: bombMemory, Max: bombMemory}); err != nil {
		panic(err)
	}
	status := start(os.Args[1:])
	text, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	peak, _ := strconv.Atoi(strings.Fields(rest + " 0")[0])
	var children syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children); err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Getenv(peakVariable), []byte(strconv.Itoa(max(peak, int(children.Maxrss)))), 0o666); err != nil {
		panic(err)
	}
	os.Exit(status)
}

// A bomb is a small file that a reader turns into a large one.
type bomb struct {
	name  string
	file  string
	limit int    // of the reader, in bytes
	args  string // FILE is the file
	head  string
	unit  string // repeated
	size  int    // of the units, in bytes
	tail  string
	want  string // in what qhsh says
}

// The parts of files.
const (
	inTag  = "[Event \"x\"]\n\n"
	inJSON = `{"fen":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1","moves":["h2e2"`
	inCBF  = `<?xml version="1.0" encoding="utf-8"?><ChineseChessRecord Version="1.0"><Head></Head><MoveList>`
	inDhtm = "[DhtmlXQ][DhtmlXQ_movelist]"

	cycle = "h2e2 h7e7 e2h2 e7h7 "

	// The sizes below the limits.
	gameSize = record.MaxGame - 1<<20
	fileSize = record.MaxFile - 1<<20
	manySize = 200 << 20
)

// bombs are sorted by reader. Those below a limit are what fills the memory most.
var bombs = []bomb{
	{"PGN, moves", "x.pgn", record.MaxGame, "games FILE", inTag, cycle, gameSize, "", "line of more than 10000 plies"},
	{"PGN, variations", "x.pgn", record.MaxGame, "games FILE", inTag + "h2e2", "(h2d2)", gameSize, "", "game of more than 400000 moves"},
	{"PGN, illegal", "x.pgn", record.MaxGame, "games FILE", inTag + "h2e2", "(h2d2 e7e6)", gameSize, "", "and"},
	{"PGN, kept", "x.pgn", record.MaxGame, "games -lenient FILE", inTag + "h2e2 h2e2 ", cycle, gameSize, "", "kept as a comment"},
	{"PGN, tags", "x.pgn", record.MaxGame, "games FILE", "", "[Ab \"x\"]\n", gameSize, "", "more than 500 tags"},
	{"PGN, comments", "x.pgn", record.MaxGame, "games FILE", inTag + "h2e2", "{a}", gameSize, "", "more than 1000 comments"},
	{"PGN, GB18030", "x.pgn", record.MaxGame, "games FILE", inTag + "h2e2{", "\xba\xec\xb7\xbd", gameSize, "", "unclosed comment"},
	{"PGN, no encoding", "x.pgn", record.MaxGame, "games FILE", inTag + "h2e2{", "\xffA", gameSize, "", "unclosed comment"},
	{"PGN, too large", "x.pgn", record.MaxGame, "games FILE", inTag + "h2e2", "(h2d2)", manySize, "", "game larger than 32 MB"},
	{"PGN, the shell", "x.pgn", record.MaxGame, "-c '.load FILE'", inTag + "h2e2", "(h2d2)", gameSize, "", "the board shows the part"},
	{"PGN, explore", "x.pgn", record.MaxGame, "explore add -db x.db FILE", inTag + "h2e2", "(h2d2)", gameSize, "", "game of more than"},
	{"JSON, moves", "x.jsonl", record.MaxGame, "games FILE", inJSON, `,"h2e2"`, gameSize, "]}\n", "more than 400000 values"},
	{"JSON, variations", "x.jsonl", record.MaxGame, "games FILE", inJSON + `],"variations":[{}`, `,{"ply":1}`, 390_000 * 10, "]}\n", "and 390"},
	{"JSON, notes", "x.jsonl", record.MaxGame, "games FILE", inJSON + `],"notes":[{"ply":1,"text":"`, `\n`, gameSize, `"}]}`, ""},
	{"JSON, too large", "x.jsonl", record.MaxGame, "games FILE", inJSON, `,"h2e2"`, manySize, "]}\n", "game larger than 32 MB"},
	{"moves", "x.txt", record.MaxGame, "games FILE", "startpos moves ", cycle, gameSize, "", "line of more than 10000 plies"},
	{"moves, too large", "x.txt", record.MaxGame, "games FILE", "startpos moves ", cycle, manySize, "", "game larger than 32 MB"},
	{"moves, the shell", "x.txt", record.MaxGame, "-c '.load FILE; .fen'", "", cycle, manySize, "", "the line is longer than 1048576 bytes"},
	{"moves, the game stays", "x.txt", record.MaxGame, "-c 'h2e2; .load FILE; .fen'", "", cycle, manySize, "", "1C2C4/9/RNBAKABNR b"},
	{"moves, many lines", "x.txt", record.MaxGame, "-c '.load FILE'", "", cycle + "\n", 15 << 20, "", "10000"},
	{"DhtmlXQ, moves", "x.dhtmlxq", record.MaxFile, "games FILE", inDhtm, "7747774747774777", fileSize, "", "unclosed tag"},
	{"DhtmlXQ, spaces", "x.dhtmlxq", record.MaxFile, "games FILE", inDhtm, "7 ", fileSize, "", "unclosed tag"},
	{"DhtmlXQ, kept", "x.dhtmlxq", record.MaxFile, "games -lenient FILE", inDhtm, "7777", fileSize, "", "unclosed tag"},
	{"DhtmlXQ, comments", "x.dhtmlxq", record.MaxFile, "games FILE", inDhtm + "7747[/DhtmlXQ_movelist]", "", 1_500_000, "", "game of more than 400000 moves"},
	{"DhtmlXQ, the shell", "x.dhtmlxq", record.MaxFile, "-c '.load FILE'", inDhtm, "7747774747774777", manySize, "", "file larger than 64 MB"},
	{"CBF, comments", "x.cbf", record.MaxFile, "games FILE", inCBF, `<Move value="00-00">a</Move>`, fileSize, "", "more than 1000 comments"},
	{"CBF, moves", "x.cbf", record.MaxFile, "games FILE", inCBF, `<Move value="77-47"/>`, fileSize, "", "no piece on H2"},
	{"CBF, attributes", "x.cbf", record.MaxFile, "games FILE", inCBF + "<Move ", `a="" `, fileSize, "", "element of more than 1 MB"},
	{"WXF", "x.wxf", record.MaxFile, "games FILE", "FORMAT\tWXF\nSTART{\nC2.5", "(C2.4)", fileSize, "", "game of more than 400000 moves"},
	{"XQF", "x.xqf", record.MaxFile, "games FILE", "XQ\x0a" + strings.Repeat("\x00", 0x3fd) + "\x00\x00\xf0\x00\x00\x00\x00\x00", "\x60\x4a\x0f\x00\x00\x00\x00\x00", fileSize, "", "game of more than 400000 moves"},
	{"zip", "x.zip", record.MaxFile, "games FILE", inDhtm, "7747774747774777", manySize, "", "file larger than 64 MB"},
	{"zip, many files", "x.zip", record.MaxFile, "games FILE", "PK\x03\x04", "PK\x01\x02" + strings.Repeat("\x00", 42), fileSize, "", "archive of more than 100000 files"},
	{"positions", "x.fen", record.MaxGame, "-c '.load FILE'", "", "startpos\n", manySize, "", ""},
	{"positions, a line", "x.fen", record.MaxLine, "hints -level 1 FILE", "startpos moves ", cycle, manySize, "", "the line is longer than 1048576 bytes"},
	{"positions, CSV", "x.csv", record.MaxLine, "hints -level 1 FILE", "fen\n", `"`, manySize, "", "the line is longer than 1048576 bytes"},
	{"positions, cells", "x.csv", record.MaxLine, "hints -level 1 FILE", "fen\n", `,`, record.MaxLine - 20, "", "more than 32768 values"},
	{"positions, JSON", "x.jsonl", record.MaxLine, "hints -level 1 FILE", `{"a":0`, `,"":0`, record.MaxLine - 20, "}\n", "more than 32768 values"},
	{"answers, JSON", "x.jsonl", record.MaxLine, "stats FILE", `{"line":1,"fen":"","hints":[{}`, `,{}`, record.MaxLine - 60, "]}\n", "not an output of"},
	{"answers, CSV", "x.csv", record.MaxLine, "stats FILE", "line,fen,move,cp\n", "x,", record.MaxLine - 60, "\n", "not an output of"},
	{"answers, Parquet", "x.parquet", record.MaxFile, "stats FILE", `{"fen":"x","y":"`, "a", record.MaxLine - 60, "\"}\n", "60 positions"},
	{"answers, SQLite", "x.db", record.MaxFile, "stats FILE", `{"fen":"x","y":"`, "a", record.MaxLine - 60, "\"}\n", "60 positions"},
	{"a recording", "x.log", record.MaxFile, "-c '.replay FILE'", "", "0 0 a > x\n", manySize, "", "needs more than 64 MB"},
	{"a recorded line", "x.log", record.MaxLine, "-c '.replay FILE'", "", "0 0 a > x ", manySize, "", "a line of more than"},
	{"commands", "x.cmd", record.MaxLine, "-c '.source FILE'", "", "LEVEL ", manySize, "", "line of more than 131072 bytes"},
	{"an evaluation", "x.net", record.MaxLine, "hints -engine builtin,eval=FILE y.fen", "", "x", manySize, "", "eval="},
	{"an engine", "x.sh", 4 << 20, "-engine uci:FILE -c .engines", "#!/bin/sh\nwhile read l; do case $l in uci) echo uciok;; isready) echo readyok;; quit) exec yes '';; esac; done\n", "", 0, "", "killed"},
}

// write writes the text of the bomb.
func (b bomb) write(w io.Writer) error {
	parts := []io.Reader{strings.NewReader(b.head)}
	if b.name == "DhtmlXQ, comments" {
		var text bytes.Buffer
		for i := range b.size {
			fmt.Fprintf(&text, "[DhtmlXQ_comment%d]a[/DhtmlXQ_comment]", i)
		}
		parts = append(parts, &text)
	} else if b.unit != "" {
		block := strings.Repeat(b.unit, 1+1<<16/len(b.unit))
		for left := b.size; left > 0; left -= len(block) {
			parts = append(parts, strings.NewReader(block[:min(left/len(b.unit)*len(b.unit), len(block))]))
		}
	}
	_, err := io.Copy(w, io.MultiReader(append(parts, strings.NewReader(b.tail))...))
	return err
}

// create writes the bomb's file, as small as it comes to a user, and returns its name in the folder.
func (b bomb) create(t *testing.T, dir string) string {
	t.Helper()
	var text bytes.Buffer
	if err := b.write(&text); err != nil {
		t.Fatal(err)
	}
	name := b.file
	save := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	switch filepath.Ext(name) {
	case ".parquet", ".db":
		save("in.jsonl", bytes.Repeat(text.Bytes(), 60))
		cmd := exec.Command("qhsh", "hints", "-level", "1", "-o", name, "in.jsonl")
		cmd.Dir = dir
		_ = cmd.Run() // no line is a position
	case ".zip":
		if b.name == "zip" {
			var packed bytes.Buffer
			z := zip.NewWriter(&packed)
			member, _ := z.Create("x.dhtmlxq")
			_, err := member.Write(text.Bytes())
			if err = errors.Join(err, z.Close()); err != nil {
				t.Fatal(err)
			}
			text = packed
		}
		save(name, text.Bytes())
	case ".log", ".cmd", ".net", ".sh":
		save(name, text.Bytes())
	default:
		var packed bytes.Buffer
		z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
		if _, err := z.Write(text.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		name += ".gz"
		save(name, packed.Bytes())
	}
	return name
}

// peakOf runs qhsh in a folder and returns its peak memory in bytes, and what it said.
func peakOf(t *testing.T, dir string, args []string) (peak int, said string) {
	t.Helper()
	cmd := exec.Command("qhsh", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), peakVariable+"="+filepath.Join(dir, "peak"), "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir)
	out, err := cmd.CombinedOutput()
	text, readErr := os.ReadFile(filepath.Join(dir, "peak"))
	if readErr != nil {
		t.Fatalf("%v: %.2000s", err, out)
	}
	kib, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10, string(out)
}

// TestBombs: whatever a file holds, a reader needs at most four times its own limit of memory beyond
// what the command needs for a small file, and says what it did not read.
func TestBombs(t *testing.T) {
	enginetest.SkipUnderRace(t)
	some := bombs
	if !*allBombs {
		some = enginetest.Daily(20, bombs)
	}
	const least = 32 << 20 // the collector's own way
	for _, b := range some {
		t.Run(b.name, func(t *testing.T) {
			dir := t.TempDir()
			words := func(name string) (args []string) {
				for i, part := range strings.Split(b.args, "'") {
					if i%2 == 1 {
						args = append(args, part)
						continue
					}
					args = append(args, strings.Fields(part)...)
				}
				for i := range args {
					args[i] = strings.ReplaceAll(args[i], "FILE", name)
				}
				return args
			}
			write(t, filepath.Join(dir, "y.fen"), "startpos\n")
			base, _ := peakOf(t, dir, words("y.fen"))
			args := words(filepath.Join(dir, b.create(t, dir)))
			allowed := base + max(4*b.limit, least)
			peak, said := 0, ""
			for range 3 { // the collector may have got a processor late
				if peak, said = peakOf(t, dir, args); peak <= allowed {
					break
				}
			}
			t.Logf("limit %d MiB, peak %d MiB beyond %d MiB: %.200s", b.limit>>20, (peak-base)>>20, base>>20, said)
			if peak > allowed {
				t.Errorf("the peak is %d MiB, %d MiB beyond that of a small file", peak>>20, (peak-base)>>20)
			}
			if !strings.Contains(said, b.want) {
				t.Errorf("want %q in %.1000s", b.want, said)
			}
		})
	}
}

// TestLimitsAreDocumented: the help has the limits of package record.
func TestLimitsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("help/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		record.Megabytes(record.MaxLine), record.Megabytes(record.MaxGame), record.Megabytes(record.MaxFile),
		strconv.Itoa(record.MaxMoves), strconv.Itoa(record.MaxPlies), strconv.Itoa(record.MaxTags),
		strconv.Itoa(record.MaxJoined), strconv.Itoa(record.MaxValues),
	} {
		if !regexp.MustCompile(`(^|[ |;])` + want + `[ ;|,]`).Match(text) {
			t.Errorf("%s is not in formats.md", want)
		}
	}
}
