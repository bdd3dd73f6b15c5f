// Fakeplugin is a QHPLUGIN plugin for the tests of the command line, which build it. Its answers
// never change: the first legal moves, in the order in which the rules generate them. Its flags
// make it misbehave. Under the name hostileplugin its output is full of text that a terminal would
// execute.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest/first"
	"qhsh/pluginclient/protocol/qhplugin"
)

func main() {
	if strings.HasPrefix(filepath.Base(os.Args[0]), "hostileplugin") {
		hostilePlugin()
		return
	}
	f := fake{searches: new(int)}
	flag.StringVar(&f.at, "at", "", "misbehave only where the FEN begins with this")
	flag.StringVar(&f.once, "once", "", "misbehave only if this file is not there, and create it")
	flag.BoolVar(&f.die, "die", false, "exit when asked")
	flag.BoolVar(&f.hang, "hang", false, "do not answer when asked")
	flag.BoolVar(&f.refuse, "refuse", false, "answer ERROR when asked")
	flag.BoolVar(&f.nonsense, "nonsense", false, "answer an illegal move when asked")
	flag.BoolVar(&f.flood, "flood", false, "write without end when asked")
	flag.IntVar(&f.every, "every", 1, "misbehave only at every so manieth search of a process")
	flag.StringVar(&f.tomb, "tomb", "", "create this file when dying, and exit at the start if it is there")
	flag.StringVar(&f.company, "company", "", "die only when two plugins have been started, which leave their names in this folder")
	flag.BoolVar(&f.scoreless, "scoreless", false, "give no scores")
	yes := flag.Bool("yes", false, "say OK to every PLAY")
	wrongAI := flag.Bool("wrong-ai", false, "answer AI with an illegal move, and HINTS with legal ones")
	still := flag.Bool("no-bgthink", false, "announce no BGTHINK")
	flag.StringVar(&f.until, "until", "", "answer when this file is there")
	flag.DurationVar(&f.slow, "slow", 0, "answer after this time")
	info := flag.Bool("info", false, "info mode")
	_ = flag.Bool("plugin", false, "plugin mode")
	flag.Parse()
	if flag.NArg() > 0 { // a file
		_ = flag.CommandLine.Parse(flag.Args()[1:]) // exits with an error
	}
	server := &qhplugin.Server{Searcher: f, Name: "Fake 1.0", Text: []string{"plays the first legal move"}}
	if *info {
		about := server.Info()
		about.BGThink = !*still
		fmt.Print(about)
		return
	}
	if _, err := os.Stat(f.tomb); err == nil {
		fmt.Fprintln(os.Stderr, "out of paper")
		os.Exit(7)
	}
	if *yes {
		sayYes()
		return
	}
	if f.company != "" {
		_ = os.WriteFile(filepath.Join(f.company, strconv.Itoa(os.Getpid())), nil, 0o666)
	}
	out := io.Writer(os.Stdout)
	if *wrongAI {
		out = wrongMoves{out}
	}
	if err := server.Serve(context.Background(), os.Stdin, out); err != nil {
		os.Exit(1)
	}
}

// wrongMoves replaces the answers to AI by moves alone, without a score.
type wrongMoves struct{ io.Writer }

func (w wrongMoves) Write(b []byte) (int, error) {
	if len(b) == len("A0-A1\n") && b[2] == '-' {
		b = []byte("A0-A9\n")
	}
	return w.Writer.Write(b)
}

// sayYes answers LEVEL and QUIT correctly, and everything else with OK.
func sayYes() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch lines.Text() {
		case "LEVEL":
			fmt.Println("1")
		case "QUIT":
			fmt.Println("BYE")
			return
		default:
			fmt.Println("OK")
		}
	}
}

type fake struct {
	first.Searcher
	at, once, tomb, until, company string
	die, hang, flood, scoreless    bool
	refuse, nonsense               bool
	every                          int
	searches                       *int // so far
	slow                           time.Duration
	words                          string // printed on stderr when it dies; empty: the words of a crash
}

func (f fake) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		time.Sleep(f.slow)
		for f.until != "" && ctx.Err() == nil {
			if _, err := os.Stat(f.until); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		switch astray := f.die || f.hang || f.flood || f.refuse || f.nonsense; {
		case !astray || !f.misbehaves(pos.String()):
		case f.refuse:
			yield(nil, errors.New("no"))
			return
		case f.nonsense:
			fmt.Print("A0-A9\nENDHINTS\n")
		default:
			f.fail()
		}
		for lines := range f.Searcher.Search(ctx, pos, lim) {
			for i := range lines {
				if f.scoreless {
					lines[i].Score = engine.Score{}
				}
			}
			yield(lines, nil)
		}
	}
}

func (f fake) fail() {
	for f.company != "" {
		if started, err := os.ReadDir(f.company); err != nil || len(started) > 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if f.die {
		if f.tomb != "" {
			_ = os.WriteFile(f.tomb, nil, 0o666)
		}
		fmt.Fprintln(os.Stderr, cmp.Or(f.words, "segmentation fault, or so"))
		os.Exit(7)
	}
	for f.flood {
		fmt.Println("and so on")
	}
	time.Sleep(time.Hour)
}

func (f fake) misbehaves(fen string) bool {
	if *f.searches++; !strings.HasPrefix(fen, f.at) || *f.searches%f.every != 0 {
		return false
	}
	if f.once == "" {
		return true
	}
	if _, err := os.Stat(f.once); err == nil {
		return false
	}
	return os.WriteFile(f.once, nil, 0o666) == nil
}
