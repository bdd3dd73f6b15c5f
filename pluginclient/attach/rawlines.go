package attach

import (
	"context"
	"errors"
	"iter"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
)

var (
	_ pluginclient.Session          = (*rawLines)(nil)
	_ pluginclient.LanguageProvider = (*rawLines)(nil)
	_ pluginclient.Listener         = (*rawLines)(nil)
)

// quietAfter is how long an engine must say nothing before its answer to a line is taken to be over.
const quietAfter = 100 * time.Millisecond

// errRaw is the error of everything that needs a protocol.
var errRaw = errors.New("an engine attached with -raw gets only the lines that are typed")

// rawLines is the Session of a program that gets lines without a handshake: for one that does not
// speak its protocol yet. It has no levels, and its board is not known.
type rawLines struct {
	pluginclient.Conversation
	link *pluginclient.Link
}

// openRaw starts the program without a handshake.
func (e *Engine) openRaw(ctx context.Context, o Options) (pluginclient.Session, error) {
	if e.Embedded {
		return nil, e.spec.OptionError(errors.New("-raw is for programs"))
	}
	cmd, _, err := e.spec.Program()
	if err != nil {
		return nil, err
	}
	if e.Default {
		cmd = qhplugin.InMode(cmd, "-plugin")
	}
	r := &rawLines{}
	r.link = pluginclient.NewLink(pluginclient.LinkOptions{
		Info: pluginclient.Info{Name: cmd.Path, Protocol: "without a handshake"}, Start: cmd.Start, Position: e.Game.Start(),
		ClientOptions: o.ClientOptions,
		Handshake:     func(context.Context) error { return nil },
	})
	r.Conversation = r.link.Conversation()
	return attached(pluginclient.Dialed(ctx, r.link, r, nil))
}

func (r *rawLines) Level() (id int, known bool) { return 0, false }

func (r *rawLines) SetLevel(context.Context, int) error { return errRaw }

func (r *rawLines) Search(context.Context, engine.Position, engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) { yield(nil, errRaw) }
}

// Language has no words: every line is sent.
func (r *rawLines) Language() pluginclient.Language {
	return pluginclient.Language{AnyLine: true}
}

// Raw sends a line. It returns what has come since the last answer, and what comes until the program
// is quiet. The first line is waited for as long as an ordinary answer.
func (r *rawLines) Raw(ctx context.Context, text string) ([]string, error) {
	return pluginclient.CallRaw(ctx, r.link, true, func(ctx context.Context) ([]string, error) {
		lines := strings.Split(text, "\n")
		r.link.Command, r.link.SentAt = lines[0], time.Now()
		answer := r.link.Conn.Drain()
		if err := r.link.Send(pluginclient.Sent, lines...); err != nil {
			return answer, err
		}
		more, err := r.readUntilQuiet(ctx)
		return append(answer, more...), err
	})
}

func (r *rawLines) Listen(ctx context.Context, heard func(line string)) error {
	_, _ = pluginclient.CallRaw(ctx, r.link, true, func(ctx context.Context) (struct{}, error) {
		ctx, unbind := r.link.Bind(ctx)
		defer unbind()
		for {
			line, err := r.link.Conn.Receive(ctx)
			if err != nil {
				return struct{}{}, err
			}
			heard(line)
		}
	})
	return r.Idle(context.WithoutCancel(ctx)) // the call's error, unless it is that of ctx
}

// readUntilQuiet reads lines until there are no more, and the beginning of an unfinished one. It
// stops waiting for the first when ctx ends.
func (r *rawLines) readUntilQuiet(ctx context.Context) (lines []string, err error) {
	ctx, unbind := r.link.Bind(ctx)
	defer unbind()
	for begun := time.Now(); ; {
		wait, cancel := pluginclient.WithDeadline(ctx, quietAfter)
		line, err := r.link.Conn.Receive(wait)
		cancel()
		half := r.link.Conn.Partial()
		switch {
		case errors.Is(err, pluginclient.ErrDied), errors.Is(err, pluginclient.ErrFlood):
			return lines, err
		case err == nil:
			lines = append(lines, line)
		case half != "":
			return append(lines, half), nil
		case len(lines) > 0, ctx.Err() != nil, time.Since(begun) >= r.link.Deadlines.Reply:
			return lines, nil
		}
	}
}
