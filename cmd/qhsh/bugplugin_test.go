package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/qhplugin/qhcheck"
	"qhsh/pluginclient/task/check"
)

// A bug is one thing that a plugin does wrong. Its functions get what a correct plugin would do.
type bug struct {
	name  string
	reply func(p *bugPlugin, line, answer string) string // returns the bytes to send; nil: the answer
	info  func(block string) string                      // returns the bytes of the info block; nil: the block
	start string                                         // what plugin mode prints first
	fails *end                                           // how plugin mode ends immediately; may be nil

	thinks    bool                                           // AI and HINTS last until the next command, as an infinite search does
	interrupt func(p *bugPlugin, line, answer string) string // like reply, for a plugin that is thinking; nil: the answer
}

// bugPlugin is a small plugin with one bug. It plays the first legal move.
type bugPlugin struct {
	bug           bug
	pos, before   *xiangqi.Position // the board now, and before the latest command
	level, lists  int               // lists: remaining lines of a LOAD or BAN
	word          string            // of the latest command
	moves, banned []string
	held          string

	isThinking bool
	found      string            // the result of the search
	after      *xiangqi.Position // the board after the result
}

const bugInfo = "QHPLUGIN V1.3\nBug\nLEVELS 2\n1 easy\n2 hard\nUNDO 1\nHINTS 1\nRULES 1\nBGTHINK 1\nTIMEOUT 1\nENDINFO\n"

// An end is how a plugin fails: it may print something, and then dies or hangs.
type end struct {
	say, words string // on stdout and on stderr
	status     int
	hangs      bool
	floods     string // written repeatedly; empty: nothing
}

// serve runs the plugin in one of its modes.
func (b bug) serve(ctx context.Context, in io.Reader, out, stderr io.Writer, mode string) (err error) {
	defer func() {
		e, ok := recover().(end)
		if !ok {
			return
		}
		_, _ = io.WriteString(out, e.say)
		for err == nil && e.floods != "" {
			_, err = io.WriteString(out, e.floods)
		}
		if e.words != "" {
			fmt.Fprintln(stderr, e.words)
		}
		switch {
		case e.hangs:
			<-ctx.Done()
		case e.status != 0:
			err = fmt.Errorf("exit status %d", e.status)
		}
	}()
	if mode == "-info" {
		block := bugInfo
		if b.info != nil {
			block = b.info(block)
		}
		_, err = io.WriteString(out, block)
		return err
	}
	p := &bugPlugin{bug: b, pos: xiangqi.Start(), level: 1}
	_, _ = io.WriteString(out, b.start)
	if b.fails != nil {
		panic(*b.fails)
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if _, err := io.WriteString(out, p.interrupted(line)+p.answer(line)); err != nil || line == "QUIT" {
			return nil
		}
	}
	return nil
}

// answer returns the plugin's answer to a line, with its bug.
func (p *bugPlugin) answer(line string) string {
	answer := p.handle(line)
	if p.bug.reply != nil && (p.lists == 0 || answer != "") {
		answer = p.bug.reply(p, line, answer)
	}
	if p.bug.thinks && (p.word == "AI" || p.word == "HINTS") {
		p.isThinking, p.found, p.after = true, answer, p.pos
		answer = ""
	}
	return answer
}

// interrupted returns what ends the running search at a line.
func (p *bugPlugin) interrupted(line string) string {
	if !p.isThinking {
		return ""
	}
	p.isThinking = false
	answer := p.found
	if line != "TIMEOUT" {
		p.pos, answer = p.before, "ABORTED\n"
	}
	if p.bug.interrupt != nil {
		answer = p.bug.interrupt(p, line, answer)
	}
	return answer
}

// starter starts the plugin in one of its modes.
func (b bug) starter(mode string) pluginclient.Starter {
	return func(ctx context.Context) (*pluginclient.Streams, error) {
		said, stderr := io.Pipe()
		streams, err := pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
			defer stderr.Close()
			return b.serve(ctx, in, out, stderr, mode)
		})(ctx)
		if err == nil {
			streams.Stderr = said
		}
		return streams, err
	}
}

// bugRow returns an engine kind that runs a bug.
func bugRow(b bug) attach.Row {
	play := b.starter("-plugin")
	return parsedRow(attach.Kind{Name: "bug", Title: "QHPLUGIN", Checked: true}, attach.Parsed{
		Game: xiangqi.Rules,
		Open: func(ctx context.Context, o attach.Options) (pluginclient.Session, error) {
			return qhplugin.Dial(ctx, qhplugin.Started("bug", b.starter("-info"), play), qhplugin.Options{
				ClientOptions: o.ClientOptions,
			})
		},
		Examine: func(_ context.Context, o attach.Options) (*check.Suite, error) {
			return qhcheck.Suite(qhcheck.Plugin{Name: "bug", Log: o.Log, Info: b.starter("-info"), Play: play, Debug: play}), nil
		},
	})
}

// parsedRow returns an engine kind without options.
func parsedRow(k attach.Kind, p attach.Parsed) attach.Row {
	return attach.Row{Kind: k, Parse: func(attach.Spec) (attach.Parsed, error) { return p, nil }}
}

// handle returns the answer of a correct plugin.
func (p *bugPlugin) handle(line string) string {
	if p.lists > 0 {
		p.moves = append(p.moves, line)
		if p.lists--; p.lists > 0 {
			return ""
		}
		if p.word == "BAN" {
			p.banned = p.moves
			return "OK\n"
		}
		return p.play(p.moves...)
	}
	word, arg, _ := strings.Cut(line, " ")
	p.word, p.before = word, p.pos
	switch word {
	case "LEVEL":
		return p.setLevel(arg)
	case "FEN":
		pos, err := xiangqi.ParseFEN(arg)
		if err != nil {
			return "ERROR\n"
		}
		p.pos, p.banned = pos, nil
	case "PLAY":
		return p.play(arg)
	case "LOAD", "BAN":
		p.lists, _ = strconv.Atoi(arg)
		if p.moves = nil; p.lists > 0 {
			return ""
		}
		p.banned = nil
	case "AI", "HINTS":
		return p.think()
	case "UNDO":
		if p.pos.Before() == nil {
			return "ERROR\n"
		}
		p.pos = p.pos.Before()
	case "BGTHINK":
	case "SCR":
		return p.pos.Diagram()
	case "ABORT", "TIMEOUT":
		return ""
	case "QUIT":
		return "BYE\n"
	default:
		return "ERROR\n"
	}
	return "OK\n"
}

func (p *bugPlugin) setLevel(arg string) string {
	switch arg {
	case "":
		return strconv.Itoa(p.level) + "\n"
	case "1", "2":
		p.level, _ = strconv.Atoi(arg)
		return "OK\n"
	}
	return "ERROR\n"
}

func (p *bugPlugin) play(moves ...string) string {
	pos := p.pos
	for i, text := range moves {
		m, err := pos.Parse(text)
		if err != nil {
			return fmt.Sprintf("ERROR line %d\n", i+1)
		}
		next, err := pos.PlayMove(xiangqi.Move(m))
		if err != nil {
			return fmt.Sprintf("ERROR line %d\n", i+1)
		}
		pos = next
	}
	p.pos = pos
	return "OK\n"
}

func (p *bugPlugin) think() string {
	var found []string
	for _, m := range p.pos.LegalMoves() {
		if text := m.ICCS(); !strings.Contains(strings.Join(p.banned, " "), text) && len(found) < 2 {
			found = append(found, text)
		}
	}
	p.banned = nil
	switch {
	case len(found) == 0:
		return "ERROR\n"
	case p.word == "HINTS":
		return strings.Join(found, "\n") + "\nENDHINTS\n"
	}
	_ = p.play(found[0])
	return found[0] + "\n"
}

// other returns a move of the side that is not to move.
func (p *bugPlugin) other() string {
	if strings.HasSuffix(p.before.WireFEN(), "w") {
		return "B9-C7"
	}
	return "B0-C2"
}
