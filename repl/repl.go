// Package repl is the shell: a person, or a script, talks to engines by hand.
//
// A line is one of four things. A word of the current engine's Language (language.go), such as
// that of the QHPLUGIN protocol, goes to the engine byte for byte, together with the lines that
// belong to it (send.go). A line that begins with a dot is a command of the shell's own. A bare
// FEN or list of moves is for the board. Anything else is an error that says what was probably
// meant.
//
// The parts, from the outside in:
//
//   - [Host] is the process as the shell sees it: streams, what the terminal can do, and
//     the function that opens an engine. Nothing here touches os.Stdin or the
//     environment.
//   - [Editor] is where lines come from: an editor with history and completion
//     (readline.go, the only file that knows github.com/chzyer/readline), or plain lines
//     from a pipe, a file or the text of -c (plain.go).
//   - [Shell] holds the attached engines, of which one is the current one, and the few
//     settings that there are. Every engine's board is its Session's, which follows what
//     was sent and answered, so the board commands work on engines that have no SCR and
//     no UNDO.
//   - The table (table.go) has an entry for every command of the shell's own: name, aliases,
//     group, usage, summary, help, what it needs of the engine, how its arguments are completed,
//     and what it does. With the words of a Language it feeds the dispatch, .help, completion
//     and the README ([Table]).
//   - What is particular to a game is asked of its row in the table of games ([Host]): how its
//     board is drawn (board.go), how moves are listed (moves.go), in which notations they are
//     read (reader.go) and shown (notation.go). The protocol's own lines stay as they are. Files
//     of games are read and written by package record (load.go, games.go).
//   - Starlark works on the live conversation (scripting.go, starlark.go): scripts see the
//     current engine and can have lines run, and functions of theirs become commands.
//     Only the shell's own goroutine touches the shell; it serves a script that it
//     waits for. What a script may reach is bounded, so commands that reach files and
//     programs are not for scripts.
//   - Whatever may take long runs under [Shell.await], which draws the live status,
//     sends TIMEOUT when the time is up, and turns Ctrl-C into ABORT, and a second
//     one into a restart of the engine at the same position. Every exchange has two
//     ends, the answer and the engine's being idle again; the next command waits for
//     the second.
//
// How it went is told by the error of [Shell.Run] where no person sits, worst first: an
// engine could not be started, whether the first one or one of .attach, or was lost and
// not started again; some command has failed, was answered with ERROR or with what cannot
// be right, or a recording could not be written. A SPEC, as any other argument, that
// makes no sense in a command of the shell is a command that has failed.
//
// Data goes to stdout; whatever is said to a person goes to stderr, in lower case.
package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient"
	"qhsh/script"
)

// Options are what the command line says about a shell.
type Options struct {
	Engine   string        // SPEC of the first engine; empty: none
	Level    *int          // of the first engine; nil: its own
	Timeout  time.Duration // TIMEOUT is sent to an engine that thinks for this long; 0: never
	Commands *string       // carried out instead of the standard input; lines, or parted by semicolons; nil: none
	Bail     bool          // end at the first command that fails

	// Script tells what scripts may use: Allowed, Jobs, Limits and Out. The rest is the
	// shell's affair.
	Script script.Options
}

// The ways in which a shell that no person sits at ends other than well. All has been
// said about them already.
var (
	ErrFailed      = errors.New("some command has failed")
	ErrLost        = errors.New("an engine was lost")
	ErrInterrupted = errors.New("interrupted")
)

// A Shell is a person's or a script's conversation with engines.
type Shell struct {
	host    Host
	options Options
	console *console
	editor  Editor // nil until Run
	table   *table

	engines []*attached
	current *attached // nil: there is none
	timeout time.Duration
	look    boardStyle
	style   string                 // the notation of the moves that are shown
	debug   *pluginclient.TraceLog // nil: off
	record  *recording             // nil: off
	depth   int                    // how many files are being read within each other
	source  source
	script  *scripting
	loaded  []*record.Game // in which a board may stand; see loadedgame.go

	done <-chan struct{} // closed when the shell is to end, whatever it waits for

	continuing []string // a command that takes several lines, and what has been typed of them
	typing     string   // the word that is being completed

	failed bool // some command has failed
	lost   bool // an engine could not be started, or was lost and has been detached
	halted bool // Ctrl-C was pressed while a line was being carried out
	over   bool // .quit
}

// New is a shell that has no engine yet.
func New(host Host, options Options) *Shell {
	s := &Shell{
		host: host, options: options, timeout: options.Timeout,
		console: newConsole(host), table: newTable(host.Games), style: usualNotation(host.Games),
	}
	s.script = newScripting(s)
	return s
}

// Run attaches the first engine, reads lines until they end, and ends the engines. To a
// person at a terminal an engine that does not start is no reason to end, and neither is
// a command that fails. Otherwise the error tells how it went: the one of the engine
// that could not be started, ErrFailed, ErrLost, ErrInterrupted or the one of the
// standard output.
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
	return s.outcome(s.loop(ctx))
}

// begin opens the editor and the first engine and, for a person, reads the start file.
func (s *Shell) begin(ctx context.Context) error {
	if s.editor == nil {
		if err := s.openEditor(); err != nil {
			return err
		}
	}
	if s.options.Engine != "" {
		if err := s.attach(ctx, s.options.Engine, "", s.options.Level); err != nil {
			if !s.host.Interactive {
				return err
			}
			s.reportError(err)
			s.say("there is no engine: .attach one, or see .help")
		}
	}
	if s.host.Interactive {
		s.greet()
		s.readStartFile(ctx)
	}
	return nil
}

func (s *Shell) greet() {
	if s.current == nil {
		return
	}
	info := s.current.session.Info()
	s.say("%s, %s; .help lists the commands, Ctrl-D leaves", info.Name, info.Protocol)
}

// betweenLines comes before each line that is read. A Ctrl-C during the last one ends what
// a command carries out, and nothing else. What is held back is written out. The errors
// are those of loop.
func (s *Shell) beforeLine() error {
	if s.depth == 0 {
		s.halted = false
	} else if s.isHalted() {
		return ErrInterrupted
	}
	return s.console.flushIf(s.host.Interactive || !s.editor.Ready())
}

// loop reads and carries out lines. Its error is the end of the output, or
// ErrInterrupted.
func (s *Shell) loop(ctx context.Context) error {
	for !s.over && ctx.Err() == nil {
		if err := s.beforeLine(); err != nil {
			return err
		}
		line, err := s.readLine(s.prompt())
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, ErrInterrupted):
			if !s.host.Interactive {
				return err
			}
			continue
		case err != nil:
			return err
		}
		err = s.executeAndReport(ctx, line)
		switch {
		case err == nil:
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

// isHalted reports whether Ctrl-C has been pressed since a person's line began to be carried
// out. It ends the reading of a file, which says so.
func (s *Shell) isHalted() bool {
	select {
	case <-s.host.Interrupt:
		s.halted = true
	default:
	}
	if s.halted && s.host.Interactive {
		s.say("%sstopped: what follows is left out", s.place())
	}
	return s.halted
}

// source is where the lines come from.
type source struct {
	name string // of a file; empty: the standard input or -c
	line int    // lines read so far
}

// readLine reads a line. The end of the shell's context, by SIGTERM or SIGHUP, does not wait
// for one: it is ErrInterrupted, and closing the editor ends what still reads.
func (s *Shell) readLine(prompt string) (string, error) {
	s.source.line++
	read := make(chan Typed, 1)
	go func(editor Editor) {
		line, err := editor.ReadLine(prompt)
		read <- Typed{line, err}
	}(s.editor)
	select {
	case t := <-read:
		return t.Line, t.Err
	case <-s.done:
		return "", ErrInterrupted
	}
}

// verdict is how the shell ends.
func (s *Shell) outcome(err error) error {
	switch {
	case err != nil:
		return err
	case s.host.Interactive:
		return nil
	}
	if s.lost || slices.ContainsFunc(s.engines, (*attached).isLost) {
		return ErrLost
	}
	if s.failed {
		return ErrFailed
	}
	return nil
}

// close ends the engines, politely, and the editor.
func (s *Shell) close() error {
	s.closeEngines()
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

// rules are the game of an engine's board; without an engine they are the usual game.
func (s *Shell) rules(e *attached) engine.Game {
	if e == nil {
		return s.host.Games.DefaultGame()
	}
	return e.session.Position().Game()
}

// prompt is short: what is typed behind it should fit the row.
func (s *Shell) prompt() string {
	const most = 16
	if s.current == nil {
		return "qhsh> "
	}
	name := []rune(s.current.name)
	return string(name[:min(len(name), most)]) + "> "
}

// do carries out one line, and tells what fails. The error has been told.
func (s *Shell) executeAndReport(ctx context.Context, line string) error {
	err := s.execute(ctx, line, s.console)
	if err != nil {
		s.reportError(err)
	}
	if s.record != nil && s.record.log.Err() != nil {
		broken := s.endRecording()
		s.reportError(broken)
		err = errors.Join(err, broken)
	}
	return err
}

// carryOut finds out what a line is and does it. Data goes to out.
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

// isRemark tells by the first word of a line whether it is blank or a comment.
func isComment(word string) bool { return word == "" || strings.HasPrefix(word, "#") }

// cutWord is a line's first word and what follows, without the blanks around them.
func cutWord(line string) (word, rest string) {
	line = strings.TrimSpace(line)
	end := strings.IndexFunc(line, unicode.IsSpace)
	if end < 0 {
		return line, ""
	}
	return line[:end], strings.TrimSpace(line[end:])
}

// say tells a person something.
func (s *Shell) say(format string, args ...any) {
	s.console.say(fmt.Sprintf(format, args...))
}

// chat tells a person that something has been done. A script is not interested.
func (s *Shell) notify(format string, args ...any) {
	if s.host.Interactive && !s.script.running {
		s.say(format, args...)
	}
}
