package repl

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient"
	"qhsh/pluginclient/asking"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/explore"
)

func annotateCommand() *command {
	return &command{
		name: ".annotate", usage: "[FILE] [-deeper N] [-book FILE] [-lang en|zh] " + notationUsage + " [-force]", needs: needsRunning,
		summary: "have the engine judge every move of the game, as PGN, or to FILE as .pgn, .jsonl or .html",
		help: `Moves are judged by the chance of winning that they give away: ?! is an inaccuracy of 5 %
or more, ? a mistake of 10 %, ?? a blunder of 20 %; what the engine would have played is a
variation. The html is a page to step through. Each position takes as long as a hint; those
around suspicious moves are searched again, N levels deeper (default 3, which takes 64 times
as long, or 8 times by nodes or time; 0: not at all). No search takes longer than .timeout.
Moves that stand in the book FILE, a database of 'qhsh explore', are not judged; -book-games N
is how many other games must have them. Only the main line is judged. 'qhsh annotate'
judges files of games.
` + loadedHelp + forceHelp,
		most: 1, notation: true, force: true, complete: fileNames, setup: setupAnnotate,
	}
}

// annotateOptions are the arguments of .annotate.
type annotateOptions struct {
	annotate.WriteOptions
	deeper int // levels
	book   explore.BookFlags
}

func setupAnnotate(c *call, fs *flag.FlagSet) func() error {
	var o annotateOptions
	fs.IntVar(&o.deeper, "deeper", annotate.DefaultDeeper, "")
	o.book.Define(fs)
	fs.Func("lang", "", func(name string) (err error) {
		o.Language, err = annotate.ParseLanguage(name)
		return err
	})
	return func() error { return c.annotate(o) }
}

func (c *call) annotate(o annotateOptions) error {
	o.Notation, o.Records = c.style, c.records()
	path := c.operand()
	if o.deeper < 0 || o.deeper > annotate.MaxDeeper {
		return c.usageError("-deeper: want a number from 0 to %d", annotate.MaxDeeper)
	}
	if o.book.Path != "" {
		if err := c.shell.refuseInScript("reading files"); err != nil {
			return err
		}
	}
	if all := c.shell.host.Games; !c.styled && o.Notation == usualNotation(all) {
		o.Notation = all.NotationFor(c.shell.rules(c.engine), o.Language.String())
	}
	format, err := formatFor(c, annotate.Formats(), path, path)
	if err != nil {
		return err
	}
	game := c.shell.gameOf(c.engine.session.Position())
	if game.Plies() == 0 {
		return errors.New(".annotate: no moves have been played: .load a game first")
	}
	a, err := c.annotateGame(game, o)
	if a == nil {
		return err
	}
	var text bytes.Buffer
	sink, err := format.Write(&text, o.WriteOptions)
	if err == nil {
		err = sink.Write(annotate.GameID{Number: 1}, a)
	}
	if err == nil && sink.Close != nil {
		err = sink.Close()
	}
	if err != nil {
		return fmt.Errorf(".annotate: %w", err)
	}
	err = c.writeTo(path, func(w io.Writer) error {
		_, err := text.WriteTo(w)
		return err
	})
	if err != nil {
		return err
	}
	if path != "" {
		c.shell.notify("%s judged, written to %s", printable.Plural(len(a.Plies)-1, "move"), path)
	}
	for i := range a.Plies {
		if err := a.Plies[i].Err; err != nil {
			return fmt.Errorf(".annotate: %d of %d positions were not judged; after %s: %w",
				a.Failed(), len(a.Plies), printable.Plural(i, "move"), err)
		}
	}
	return nil
}

// annotateGame has the engine judge a game. It returns nil if the user stopped it.
func (c *call) annotateGame(g *record.Game, with annotateOptions) (a *annotate.Annotated, err error) {
	var done atomic.Pointer[annotate.Progress]
	done.Store(new(annotate.Progress))
	o := annotate.Options{Games: c.shell.host.Games, Progress: func(_ *annotate.Annotated, p annotate.Progress) { done.Store(&p) }}
	book, err := with.book.Open(c.ctx, o.Games, g.Start.Game())
	if err != nil {
		return nil, fmt.Errorf(".annotate: %w", err)
	}
	o.Book = book
	if book != nil {
		defer func() { err = errors.Join(err, book.Close()) }()
	}
	live := func() string {
		so := done.Load()
		if so.Again > 0 {
			return fmt.Sprintf("%d of %s again, deeper", so.Second.Done, printable.Plural(so.Again, "position"))
		}
		return fmt.Sprintf("%d of %s", so.First.Done, printable.Plural(g.Plies()+1, "position"))
	}
	stopped, err := c.think(live, func(ctx context.Context) (err error) {
		policy := asking.Policy{OnRetry: func(_ engine.Position, failure error) {
			c.shell.say("%s; retrying", printable.Line(pluginclient.BriefAs(failure, c.engine.name)))
		}}
		s, lim := c.engine.session, engine.Limits{Lines: 1, Time: c.shell.timeout}
		asker := batch.SessionAsker{Session: s, Policy: policy, Limits: lim}
		deeper := pluginclient.Deeper(s, lim, with.deeper)
		deeper.Time = lim.Time // .timeout is for every search
		o.Deeper = batch.SessionAsker{Session: s, Policy: policy, Limits: deeper}
		a, err = annotate.Game(ctx, asker, g, o)
		return err
	})
	if stopped {
		return nil, nil
	}
	return a, err
}
