package repl

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

func traceCommands() []*command {
	return []*command{
		{
			name: ".trace", aliases: []string{".debug", ".record"}, usage: "[N|on|off|FILE [-force]]", many: true,
			summary: "show the last N lines of the conversation (default 20) or all as they happen, or record them in FILE",
			help: `A line has the seconds since the first one, the seconds since the engine's previous line, the
engine, and a mark: > sent, < answered, ~ sent by qhsh to find the end of an answer, ! stderr,
# remark.

on shows every line of every conversation as it happens. FILE records them: it starts with the
state of each engine, its level, its board, BAN and BGTHINK. The engine's memory of earlier
searches is not in it; .forget clears that. off ends both.
` + forceHelp,
			most: 1, force: true, run: runTrace,
			complete: func(s *Shell, before []string) []pluginclient.Completion {
				return append(words("on", "off")(s, before), fileNames(s, before)...)
			},
		},
		{
			name: ".replay", usage: "FILE [NAME]", needs: needsEngine,
			summary: "send the lines of a recorded conversation to the engine, and show different answers",
			help: `Lines with - are from the recording, lines with + are the new answer. ABORT and TIMEOUT are
sent as long after AI and HINTS as in the recording. The engine first gets the state with
which the recording starts, if there is one, and at the end the board and the level that it
had before. NAME chooses an engine of the file; the default is the first one. Searches of an
embedded engine that were not lines of the protocol (# search) are skipped.
`,
			most: 2, missing: "file", trusted: true, complete: fileNames, run: runReplay,
		},
	}
}

func runTrace(c *call) error {
	s := c.shell
	word := c.operand()
	if folded := strings.ToLower(word); folded == "on" || folded == "off" {
		word = folded
	}
	_, notNumber := strconv.Atoi(word)
	switch {
	case c.force && (word == "" || word == "on" || word == "off" || notNumber == nil):
		return c.usageError("missing file")
	case word == "on":
		if s.debug == nil {
			s.debug = pluginclient.NewTraceLog(colored{s.console, s.host.Color})
			s.eachTrace(func(t *pluginclient.Trace) { t.AddLog(s.debug) })
		}
	case word == "off":
		s.eachTrace(func(t *pluginclient.Trace) { t.RemoveLog(s.debug) })
		s.debug = nil
		return s.endRecording()
	case word != "" && notNumber != nil:
		return startRecording(c, word)
	case c.engine == nil:
		return errNoEngine
	default:
		n, err := c.number("lines", 20)
		if err != nil {
			return err
		}
		fmt.Fprint(c.out, lastTraceLines(c.engine, n))
	}
	return nil
}

func (s *Shell) eachTrace(do func(*pluginclient.Trace)) {
	for _, e := range s.engines {
		for _, t := range pluginclient.Traces(e.session) {
			do(t)
		}
	}
}

// colored is a writer that says whole lines. If it is on, they are those of a trace, and it colours
// them by direction.
type colored struct {
	*console
	on bool
}

// shades maps directions to colours: sent lines are bold, lines that qhsh added or noted are dim,
// stderr is yellow.
var shades = map[pluginclient.Direction]string{
	pluginclient.Sent: "1", pluginclient.Pinged: "2", pluginclient.Noted: "2", pluginclient.Stderr: "33",
}

func (c colored) Write(p []byte) (int, error) {
	shade := ""
	if line, err := pluginclient.ParseTraceLine(strings.TrimRight(string(p), "\n")); c.on && err == nil {
		shade = shades[line.Dir]
	}
	c.sayColored(string(p), shade)
	return len(p), nil
}

// A recording is a file that conversations are written to.
type recording struct {
	file *os.File
	log  *pluginclient.TraceLog
}

// startRecording implements .trace FILE.
func startRecording(c *call, path string) error {
	s := c.shell
	if err := s.refuseInScript(c.command.name + " FILE"); err != nil {
		return err
	}
	file, err := c.create(path)
	if err != nil {
		return err
	}
	if err := s.endRecording(); err != nil {
		return errors.Join(err, file.Close())
	}
	s.record = &recording{file, pluginclient.NewTraceLog(file)}
	for _, e := range s.engines {
		for _, text := range e.stateRemarks() {
			s.record.log.Note(e.name, text)
		}
	}
	s.eachTrace(func(t *pluginclient.Trace) { t.AddLog(s.record.log) })
	s.say("recording until .trace off: %s", printable.Line(path))
	return nil
}

func (s *Shell) endRecording() error {
	if s.record == nil {
		return nil
	}
	r := s.record
	s.record = nil
	s.eachTrace(func(t *pluginclient.Trace) { t.RemoveLog(r.log) })
	if err := errors.Join(r.log.End(), r.file.Close()); err != nil {
		return fmt.Errorf(".trace: %w", err)
	}
	return nil
}
