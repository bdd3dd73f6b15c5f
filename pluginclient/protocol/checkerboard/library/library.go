// Package library is the process in which the library of a CheckerBoard engine is loaded: this
// program again, which takes lines on its input and calls the library.
//
// Engines crash, loop for ever, keep state in globals and print to stdout. So each has a process of
// its own, whose answers go through a copy of stdout that the engine does not know; what the engine
// prints goes to stderr.
//
// The lines are requests and answers:
//
//	enginecommand TEXT                          RETURN REPLY
//	islegal COLOR FROM TO BOARD                 RETURN CBMOVE
//	getmove COLOR SECONDS INFO MOREINFO BOARD   info STATUS, as it changes, and at last
//	                                            move RETURN PLAYNOW BOARD CBMOVE STATUS
//	playnow                                     nothing: getmove is to return
//	quit                                        nothing
//
// Boards and moves are their numbers (package abi) with commas between them; a CBmove that the
// engine has not touched is "-". The first line is "ready" and the functions that the library
// exports, or "error" and what is wrong.
package library

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// Word is the first argument of a process that loads a library, whose path is the second.
const Word = "checkerboard-library"

// This is not a call from main, because the programs that start engines are many: those of tests,
// too.
func init() {
	if len(os.Args) == 3 && os.Args[1] == Word {
		os.Exit(run(os.Args[2]))
	}
}

func run(path string) int {
	in, out, err := separate()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	p := &process{out: bufio.NewWriter(out), call: make(chan func())}
	lib, err := load(path)
	if err != nil {
		p.say("error " + abi.Sanitize(err.Error()))
		return 1
	}
	p.lib = lib
	ready := "ready getmove enginecommand"
	if lib.islegal != nil {
		ready += " islegal"
	}
	p.say(ready)
	go func() {
		p.read(in)
		os.Exit(0) // whatever the engine is doing
	}()
	for do := range p.call { // engines may care for their thread
		do()
	}
	return 0
}

// The sizes of the buffers that engines are given: old ones write more than they should.
const slack = 8

// A process serves one library.
type process struct {
	lib  *engine
	call chan func() // to the engine, in turn

	mu      sync.Mutex
	out     *bufio.Writer
	playnow atomic.Pointer[int32] // of the getmove under way
}

func (p *process) say(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = p.out.WriteString(line + "\n")
	_ = p.out.Flush() // a host that has gone ends the input, too
}

func (p *process) read(in io.Reader) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "quit":
			return
		case "playnow":
			if flag := p.playnow.Load(); flag != nil {
				atomic.StoreInt32(flag, 1)
			}
		case "enginecommand":
			p.call <- func() { p.command(rest) }
		case "islegal":
			p.call <- func() { p.islegal(rest) }
		case "getmove":
			p.call <- func() { p.getmove(rest) }
		default:
			p.say("error unknown request " + strconv.Quote(word))
		}
	}
}

func (p *process) command(text string) {
	command := buffer(max(abi.CommandSize, len(text)+1))
	copy(command, text)
	reply := buffer(abi.ReplySize)
	ret := p.lib.enginecommand(&command[0], &reply[0])
	p.say(fmt.Sprintf("%d %s", ret, abi.Text(reply)))
}

// buffer is zeroed memory for a text of a size, and more.
func buffer(size int) []byte { return make([]byte, slack*size) }

func (p *process) islegal(rest string) {
	words := strings.Fields(rest)
	if len(words) != 4 || p.lib.islegal == nil {
		p.say("error islegal: want COLOR FROM TO BOARD of an engine that exports it")
		return
	}
	board, err := abi.ParseBoard(words[3])
	n, errs := atoi(words[:3])
	if err != nil || errs != nil {
		p.say("error islegal: want numbers")
		return
	}
	move := pattern()
	ret := p.lib.islegal(&board, n[0], n[1], n[2], move)
	p.say(fmt.Sprintf("%d %s", ret, format(move)))
}

func atoi(words []string) (list []int32, err error) {
	for _, word := range words {
		n, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return nil, err
		}
		list = append(list, int32(n))
	}
	return list, nil
}

// watchEvery is how often the status of a search is looked at, as often as CheckerBoard does.
const watchEvery = 100 * time.Millisecond

func (p *process) getmove(rest string) {
	words := strings.Fields(rest)
	if len(words) != 5 {
		p.say("error getmove: want COLOR SECONDS INFO MOREINFO BOARD")
		return
	}
	n, err := atoi([]string{words[0], words[2], words[3]})
	seconds, err2 := strconv.ParseFloat(words[1], 64)
	board, err3 := abi.ParseBoard(words[4])
	if err != nil || err2 != nil || err3 != nil {
		p.say("error getmove: want numbers")
		return
	}
	status := buffer(abi.StatusSize)
	playnow, move := new(int32), pattern()
	p.playnow.Store(playnow)
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() { // tells of the status as it changes; the engine writes while this reads, so that a text may be of two halves
		defer close(stopped)
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for last := ""; ; {
			select {
			case <-done:
				return
			case <-tick.C:
				if text := abi.Text(status); text != last && text != "" {
					last = text
					p.say("info " + text)
				}
			}
		}
	}()
	ret := p.lib.getmove(&board, n[0], seconds, &status[0], playnow, n[1], n[2], move)
	p.playnow.Store(nil)
	close(done)
	<-stopped
	p.say(fmt.Sprintf("move %d %d %s %s %s", ret, *playnow, board.Wire(), format(move), abi.Text(status)))
}

// untouched is what every number of a CBmove is before a call.
const untouched = -0x5a5a5a5b

func pattern() *abi.Move {
	m := &abi.Move{}
	m.Fill(untouched)
	return m
}

// format is a CBmove as an answer has it.
func format(m *abi.Move) string {
	if *m == *pattern() {
		return "-"
	}
	return m.Wire()
}
