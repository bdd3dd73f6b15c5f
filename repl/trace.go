package repl

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"qhsh/pluginclient"
)

// traceCommands returns the commands that show, record and replay conversations.
func traceCommands() []*command {
	return []*command{
		{
			name: ".debug", usage: "[on|off]", most: 1, complete: words("on", "off"),
			summary: "show every line of every conversation as it happens, or stop showing them",
			help: `A line has the seconds since .debug on, the seconds since the engine's previous line, the
engine, and a mark: > sent, < answered, ~ sent by qhsh to find the end of an answer, ! stderr,
# remark.
`,
			run: runDebug,
		},
		{
			name: ".record", usage: "[FILE [-force]|off]",
			summary: "record every conversation in a file, in the format of .debug, or stop recording",
			help: `The file starts with the state of each engine: its level, its board, BAN and BGTHINK. The
engine's memory of earlier searches is not in it; .forget clears that.
` + forceHelp,
			most: 1, force: true, trusted: true, complete: fileNames, run: runRecord,
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
		{
			name: ".trace", usage: "[N]", needs: needsEngine, many: true,
			summary: "show the last N lines of the conversation (default 20)",
			most:    1, run: runTrace,
		},
	}
}

// runDebug implements .debug.
func runDebug(c *call) error {
	s := c.shell
	word := c.operand()
	switch strings.ToLower(word) {
	case "":
		fmt.Fprintln(c.out, map[bool]string{true: "on", false: "off"}[s.debug != nil])
	case "on":
		if s.debug == nil {
			s.debug = pluginclient.NewTraceLog(colored{s.console, s.host.Color})
			s.eachTrace(func(t *pluginclient.Trace) { t.AddLog(s.debug) })
		}
	case "off":
		s.eachTrace(func(t *pluginclient.Trace) { t.RemoveLog(s.debug) })
		s.debug = nil
	default:
		return c.usageError("invalid value %q: use on or off", word)
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

// runRecord implements .record.
func runRecord(c *call) error {
	s := c.shell
	path := c.operand()
	switch {
	case path == "" && c.force:
		return c.usageError("missing file")
	case path == "" && s.record == nil:
		fmt.Fprintln(c.out, "off")
		return nil
	case path == "":
		fmt.Fprintln(c.out, s.record.file.Name())
		return nil
	}
	if path == "off" {
		return s.endRecording()
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
	return nil
}

// endRecording closes the recording, if there is one.
func (s *Shell) endRecording() error {
	if s.record == nil {
		return nil
	}
	r := s.record
	s.record = nil
	s.eachTrace(func(t *pluginclient.Trace) { t.RemoveLog(r.log) })
	if err := errors.Join(r.log.End(), r.file.Close()); err != nil {
		return fmt.Errorf(".record: %w", err)
	}
	return nil
}

// runTrace implements .trace.
func runTrace(c *call) error {
	n, err := c.number("lines", 20)
	if err != nil {
		return err
	}
	fmt.Fprint(c.out, lastTraceLines(c.engine, n))
	return nil
}
