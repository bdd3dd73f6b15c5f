// Package repl is the shell, in which a user or a script talks to engines.
//
// A line is one of four things. A word of the current engine's Language (language.go), such as that
// of the QHPLUGIN protocol, goes to the engine unchanged, with the further lines of the command
// (send.go). A line that starts with a dot is a command of the shell. A FEN or a list of moves
// changes the board. Anything else is an error, with a suggestion.
//
// The parts, from the outside in:
//
//   - [Host] is the process as the shell sees it: streams, properties of the terminal, and the
//     function that opens an engine. The package does not use os.Stdin or the environment.
//   - [lineEditor] reads lines: with history and completion on a terminal (readline.go, the only file
//     that uses github.com/chzyer/readline), or plainly from a pipe, a file or the text of -c
//     (plain.go).
//   - [Shell] holds the attached engines, of which one is the current one, and the settings. The
//     board of an engine is kept by its Session, which tracks what is sent and answered, so the
//     board commands also work on engines without SCR and UNDO.
//   - The table (table.go) has an entry for each command of the shell: name, aliases, group, usage,
//     summary, help, requirements, completion of arguments, and the function that runs it. Together
//     with the words of a Language it drives dispatch, .help, completion and SHELL.md ([Table]).
//   - Everything specific to a game comes from its row in the table of games ([Host]): how the board
//     is drawn (board.go), how moves are listed (moves.go), and the notations in which moves are
//     read (reader.go) and shown (moves.go). Lines of the protocol are never translated. Package
//     record reads and writes files of games (load.go, games.go).
//   - A game that the user works on is a tree that the shell keeps (keptgame.go). The engine's board
//     alone says where in it the user is; a place (place.go) is that node and the way to it. The commands
//     that step (stepping.go) and write (writing.go), and the keys of .analyze, all use places.
//   - Starlark scripts work on the live conversation (scripting.go, starlark.go): they see the
//     current engine, can run lines, and their functions can become commands. Only the shell's own
//     goroutine touches the shell; while it waits for a script, it executes lines for it. Scripts
//     are not trusted, so they cannot use commands that access files or programs.
//   - Everything that may take long runs under [Shell.await], which draws the live status, or a
//     whole screen that keys control (analyze.go), sends
//     TIMEOUT when the time is up, turns Ctrl-C into ABORT, and a second Ctrl-C into a restart of
//     the engine at the same position. An exchange ends twice: with the answer, and when the engine
//     is idle again. The next command waits for the latter.
//
// Without an interactive user, the error of [Shell.Run] is the worst of what happened. Worst are
// engines, of -engine or .attach, that could not be started, or were lost and not restarted. Then
// come commands that failed, or were answered with ERROR or with an invalid answer, and recordings
// that could not be written. An invalid SPEC in a command of the shell is a failed command.
//
// Data goes to stdout. Messages to the user go to stderr, in lower case.
package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/script"
)

// Options are the settings that the command line makes for a shell.
type Options struct {
	Engine   string                 // SPEC of the first engine; may be empty
	Level    *int                   // of the first engine; nil for its default
	Waits    pluginclient.Deadlines // of every engine, see .limits; zeros mean the defaults
	Timeout  time.Duration          // TIMEOUT is sent to an engine that thinks for this long; 0 means never
	Commands *string                // executed instead of standard input; separated by semicolons or newlines; may be nil
	Bail     bool                   // end at the first command that fails

	// Script is what scripts may use: Allowed, Jobs, Limits and Out. The shell sets the other
	// fields.
	Script script.Options
}

// Errors of a shell without an interactive user. The details have already been reported.
var (
	ErrFailed      = errors.New("some command failed")
	ErrLost        = errors.New("an engine was lost")
	ErrInterrupted = errors.New("interrupted")
)

// A Shell is the conversation of a user or a script with engines.
type Shell struct {
	host    Host
	options Options
	console *console
	editor  lineEditor // nil until Run
	table   *table

	engines []*attached
	current *attached // nil if there is none
	timeout time.Duration
	waits   pluginclient.Deadlines
	look    boardStyle
	style   string                 // the notation in which moves are shown
	debug   *pluginclient.TraceLog // nil if off
	record  *recording             // nil if off
	isNew   bool                   // the history is empty
	depth   int                    // nesting depth of the files being read
	source  source
	script  *scripting
	kept    keptGames

	explored string // the last database of .explore; may be empty

	done <-chan struct{} // closed when the shell is to end, whatever it waits for

	continuing []string // the lines so far of a multi-line command
	typing     string   // the word that is being completed

	failed bool // some command failed
	lost   bool // an engine could not be started, or was lost and then detached
	halted bool // Ctrl-C was pressed while a line was being executed
	over   bool // .quit
}

// New returns a shell without an engine.
func New(host Host, options Options) *Shell {
	options.Waits = options.Waits.OrDefault()
	s := &Shell{
		host: host, options: options, timeout: options.Timeout, waits: options.Waits,
		console: newConsole(host), table: newTable(host.Games), style: usualNotation(host.Games),
	}
	s.script = &scripting{shell: s, lines: make(chan *scriptLine)}
	return s
}

// Run attaches the first engine, executes lines until the input ends, and ends the engines. For an
// interactive user, neither an engine that does not start nor a command that fails ends the shell.
// Otherwise Run returns the error of the engine that did not start, ErrFailed, ErrLost,
// ErrInterrupted or the error of standard output.
func (s *Shell) Run(ctx context.Context) (err error) {
	s.done = ctx.Done()
	defer func() {
		if closing := s.close(); err == nil {
			err = closing
		}
	}()
	if err := s.begin(ctx); err != nil {
		return err
	}
	switch err := s.loop(ctx); {
	case err != nil || s.host.Interactive:
		return err
	case s.lost || slices.ContainsFunc(s.engines, (*attached).isLost):
		return ErrLost
	case s.failed:
		return ErrFailed
	}
	return nil
}

// firstSteps are for somebody whose history is empty.
const firstSteps = `new here? try
  .hints 3     the three best moves
  .load FILE   a game, for .next and .prev
  .quit        and 'qhsh serve': a board to click on`

// begin opens the editor and the first engine and, for an interactive user, executes the start
// file.
func (s *Shell) begin(ctx context.Context) error {
	if s.editor == nil {
		if err := s.openEditor(); err != nil {
			return err
		}
	}
	if s.options.Engine != "" {
		if err := s.attach(ctx, &attached{spec: s.options.Engine}, s.options.Level); err != nil {
			if !s.host.Interactive {
				return err
			}
			s.reportError(err)
			s.say("no engine: .attach one, or see .help")
		}
	}
	if s.host.Interactive {
		if s.current != nil {
			info := s.current.session.Info()
			s.say("%s, %s; .help lists the commands, Ctrl-D exits", info.Name, info.Protocol)
			if s.isNew {
				s.say("%s", firstSteps)
			}
		}
		if path := filepath.Join(s.host.ConfigDir, "qhshrc"); s.host.ConfigDir != "" {
			if err := s.readFile(ctx, path); err != nil && !errors.Is(err, os.ErrNotExist) {
				s.reportError(err)
			}
		}
	}
	return nil
}

// beforeLine prepares for reading a line: it flushes the output, and ends the execution of a file
// if Ctrl-C was pressed. Its errors are those of loop.
func (s *Shell) beforeLine() error {
	if s.depth == 0 {
		s.halted = false
	} else if s.isHalted() {
		if s.host.Interactive {
			s.say("%sstopped: the rest is skipped", s.place())
		}
		return ErrInterrupted
	}
	return s.console.flushIf(s.host.Interactive || !s.editor.Ready())
}

// isHalted reports whether Ctrl-C has been pressed since the user's line was started.
func (s *Shell) isHalted() bool {
	select {
	case <-s.host.Interrupt:
		s.halted = true
	default:
	}
	return s.halted
}

// loop reads and executes lines. It returns the error of the output, or ErrInterrupted.
func (s *Shell) loop(ctx context.Context) error {
	for !s.over && ctx.Err() == nil {
		if err := s.beforeLine(); err != nil {
			return err
		}
		line, err := s.readLine(s.prompt())
		switch {
		case errors.Is(err, io.EOF):
			s.kept.entered("\x04") // Ctrl-D stands for the line
			if unsaved := s.warnUnsaved(s.engines...); unsaved != nil {
				s.reportError(unsaved)
				continue
			}
			return nil
		case errors.Is(err, ErrInterrupted):
			if !s.host.Interactive {
				return err
			}
			s.halted = true
			continue
		case err != nil:
			return err
		}
		if s.depth == 0 {
			s.kept.entered(line)
		}
		err = s.executeAndReport(ctx, line)
		switch {
		case err == nil:
		case errors.Is(err, errUnsaved) && s.depth > 0:
			return reportedError{err} // the lines that follow are not meant for this game
		case errors.Is(err, ErrInterrupted) && !s.host.Interactive:
			return err
		default:
			s.failed = true
			if s.options.Bail {
				return nil
			}
		}
	}
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	return nil
}

// A source is where the current line comes from.
type source struct {
	name string // of a file; empty for standard input or -c
	line int    // lines read so far
}

// readLine reads a line and adds it to the history.
func (s *Shell) readLine(prompt string) (string, error) {
	line, err := s.readPart(prompt)
	if err == nil {
		s.editor.Remember(line)
	}
	return line, err
}

// readPart reads a line. If the shell's context ends meanwhile, by SIGTERM or SIGHUP, it returns
// ErrInterrupted at once; closing the editor later ends the pending read.
func (s *Shell) readPart(prompt string) (string, error) {
	defer s.listen()()
	s.source.line++
	read := make(chan typedLine, 1)
	go func(editor lineEditor) {
		line, err := editor.ReadLine(prompt)
		read <- typedLine{line, err}
	}(s.editor)
	select {
	case t := <-read:
		return t.text, t.err
	case <-s.done:
		return "", ErrInterrupted
	}
}

// close ends all engines, including those of scripts, in parallel, and closes the editor.
func (s *Shell) close() error {
	var all sync.WaitGroup
	if env := s.script.env; env != nil {
		all.Go(func() { env.Close(context.Background()) })
	}
	for _, e := range s.engines {
		all.Go(func() { e.session.Close() })
	}
	all.Wait()
	s.tellAllJudged()
	recording := s.endRecording()
	if recording != nil {
		s.say("%s", printable.Error(recording))
	}
	if s.editor != nil {
		s.editor.Close()
	}
	err := s.console.flushIf(true)
	if err == nil && recording != nil && !s.host.Interactive {
		err = ErrFailed
	}
	return err
}

// rules returns the game of an engine's board, or the default game if e is nil.
func (s *Shell) rules(e *attached) engine.Game {
	if e == nil {
		return s.host.Games.DefaultGame()
	}
	return e.session.Position().Game()
}

// prompt returns a short prompt, so that what is typed after it fits the row.
func (s *Shell) prompt() string {
	const most, cut = 16, "..."
	if s.current == nil {
		return "qhsh> "
	}
	name := []rune(s.current.name)
	if len(name) > most {
		name = append(name[:most-len(cut):most-len(cut)], []rune(cut)...)
	}
	return string(name) + "> "
}

// executeAndReport executes one line and reports its error.
func (s *Shell) executeAndReport(ctx context.Context, line string) error {
	err := s.execute(ctx, line, s.console)
	s.tellAllJudged()
	if err != nil {
		s.reportError(err)
	}
	for _, e := range s.engines {
		if !e.compare {
			continue
		}
		e.compare = false
		if board, ok := pluginclient.As[pluginclient.BoardComparer](e.session); ok && s.byPerson() && e.checkRunning() == nil {
			s.compareBoard(ctx, e, board)
		}
	}
	if s.record != nil && s.record.log.Err() != nil {
		broken := s.endRecording()
		s.reportError(broken)
		err = errors.Join(err, broken)
	}
	return err
}

// execute executes one line. Data goes to out.
func (s *Shell) execute(ctx context.Context, line string, out io.Writer) error {
	word, args := cutWord(line)
	if isComment(word) {
		return nil
	}
	c := &call{ctx: ctx, shell: s, engine: s.current, line: line, args: args, out: out}
	if c.command = s.command(line); c.command == nil {
		return s.setBoardFromLine(c, word)
	}
	return c.run()
}

func isComment(word string) bool { return word == "" || strings.HasPrefix(word, "#") }

// cutWord returns the first word of a line and the rest, without surrounding blanks.
func cutWord(line string) (word, rest string) {
	line = strings.TrimSpace(line)
	end := strings.IndexFunc(line, unicode.IsSpace)
	if end < 0 {
		return line, ""
	}
	return line[:end], strings.TrimSpace(line[end:])
}

func (s *Shell) say(format string, args ...any) {
	s.console.say(fmt.Sprintf(format, args...))
}

// notify tells an interactive user that something has been done. It does nothing while a script
// runs.
func (s *Shell) notify(format string, args ...any) {
	if s.host.Interactive && !s.script.running {
		s.say(format, args...)
	}
}
