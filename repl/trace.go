package repl

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"qhsh/pluginclient"
)

// traceCommands are those that show, write down and repeat conversations.
func traceCommands() []*command {
	commands := []*command{
		{
			name: ".debug", usage: "[on|off]", complete: words("on", "off"),
			summary: "show every line of every conversation as it goes by, or no longer",
			help: `A line has the seconds since .debug on, the seconds since the engine's line before, the
engine, and > for what was sent, < for what was answered, ~ for what qhsh has added
to find the end of an answer, ! for what came on stderr, # for a remark.
`,
			run: runDebug,
		},
		{
			name: ".record", usage: "[FILE [-force]|off]",
			summary: "write every conversation to a file from now on, as .debug shows it, or no longer",
			help: `The file begins with the state of each engine: its level, its board, BAN and BGTHINK. What
an engine has searched before is not in it; .forget makes it forget that.
` + forceHelp,
			complete: fileNames, run: runRecord,
		},
		{
			name: ".replay", usage: "FILE [NAME]", needs: needsEngine,
			summary: "send the lines of a recorded conversation to the engine, and show where it answers otherwise",
			help: `A line with - in front was recorded, and one with + was answered now. ABORT and TIMEOUT
are sent as long after AI and HINTS as they were then. The engine is first brought to the
state that the recording begins with, if it tells one. NAME is the engine in the file whose
lines are meant; without it, the first one. Searches that an engine within qhsh was asked for
directly (# search) are skipped.
`,
			complete: fileNames, run: runReplay,
		},
		{
			name: ".trace", usage: "[N]", needs: needsEngine, many: true,
			summary: "show the last N lines of the conversation, or twenty",
			run:     runTrace,
		},
	}
	for _, c := range commands {
		c.group = groupTrace
	}
	return commands
}

// addLogs writes the conversation with an engine to where all are written.
func (s *Shell) addLogs(e *attached) {
	for _, t := range pluginclient.Traces(e.session) {
		if s.debug != nil {
			t.AddLog(s.debug)
		}
		if s.record != nil {
			t.AddLog(s.record.log)
		}
	}
}

// runDebug is .debug.
func runDebug(c *call) error {
	s := c.shell
	word, err := c.optionalArg()
	if err != nil {
		return err
	}
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
		return c.usageError("%q is neither on nor off", word)
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

// colored is a writer of trace lines that gives each direction its colour.
type colored struct {
	*console
	on bool
}

// shades are the colours: what was sent in bold, what qhsh has added and remarked dim,
// what came on stderr yellow.
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

// recording is a file that conversations are written to.
type recording struct {
	file *os.File
	log  *pluginclient.TraceLog
}

// runRecord is .record.
func runRecord(c *call) error {
	s := c.shell
	force := false
	words, err := c.flags(func(fs *flag.FlagSet) { fs.BoolVar(&force, "force", false, "") }, 1)
	path := append(words, "")[0]
	if err == nil {
		err = s.refuseInScript(c.command.name)
	}
	switch {
	case err != nil:
		return err
	case path == "" && force:
		return c.usageError("the file is missing")
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
	file, err := c.create(path, force)
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

// endRecording closes the file, if there is one.
func (s *Shell) endRecording() error {
	if s.record == nil {
		return nil
	}
	r := s.record
	s.record = nil
	s.eachTrace(func(t *pluginclient.Trace) { t.RemoveLog(r.log) })
	if err := errors.Join(r.log.Err(), r.file.Close()); err != nil {
		return fmt.Errorf(".record: %w", err)
	}
	return nil
}

// runTrace is .trace.
func runTrace(c *call) error {
	text, err := c.optionalArg()
	if err != nil {
		return err
	}
	n := 20
	if text != "" {
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			return c.usageError("%q is not a number of lines", text)
		}
	}
	fmt.Fprint(c.out, lastTraceLines(c.engine, n))
	return nil
}
