package uci

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/serving"
)

// Input configures the input of servers: a line holds a game of up to twenty thousand moves.
var Input = serving.ReaderOptions{MaxLine: 128 << 10, ReadAhead: serving.MaxBacklog}

// Serve makes a Searcher of Xiangqi an engine that speaks the protocol: it serves one conversation. It
// returns at "quit" or the end of the input, or with the cause of ctx. A host that has gone away is not an
// error. A read that is in progress when Serve returns ends when the caller closes in.
//
// During a search, "stop", "ponderhit" and "isready" are executed at once. Other commands wait for
// the end of the search, and commands after a waiting "go" wait too, so that the order of lines, not
// their timing, decides which search is stopped. A search that only "stop" or "ponderhit" can end
// is stopped by the next "go". When serving.MaxBacklog commands are waiting, Serve reads no more
// until the search has ended. After an invalid position, which is answered with a remark, "go" is
// answered without a move, so the engine never plays on a different board than the host. At "quit"
// and at the end of the input, the current and all waiting searches answer at once, so that a
// script gets all its answers; a perft has serving.Grace to finish.
func (d *Dialect) Serve(ctx context.Context, in io.Reader, out io.Writer, s ServerConfig) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := &serverConn{
		LineWriter: serving.NewLineWriter(out, s.Trace), config: s, dialect: d, ctx: ctx,
		input: serving.Input{Lines: serving.ReadLines(in, ctx.Done(), Input), Quits: isQuit},
		pos:   xiangqi.Start(), multiPV: 1, overhead: int(DefaultOverhead.Milliseconds()),
	}
	c.options = slices.Concat(d.options(c), s.LevelSetter(func(id int) { c.level = id }), s.Options)
	for i, o := range c.options {
		c.options[i].Name = cmp.Or(d.optionNames[o.Name], o.Name)
	}
	engine.Forget(s.Searcher)
	for !c.done {
		c.step()
	}
	c.Close()
	return context.Cause(ctx)
}

// serverConn is the state of one conversation of a server.
type serverConn struct {
	*serving.LineWriter
	config  ServerConfig
	dialect *Dialect
	ctx     context.Context
	input   serving.Input
	done    bool // the conversation
	options []Setter

	pos      *xiangqi.Position // nil: invalid
	ranks    Ranks             // as the host numbers them
	ban      []engine.Move
	multiPV  int // the number of lines
	showWDL  bool
	level    int
	limited  bool // to the strength elo
	elo      int
	overhead int // milliseconds by which a move comes late

	seconds bool // the host's times are seconds
	batch   bool // commands never overtake a search

	active *activeSearch // the running search, or nil
}

// step executes the next command, or waits for input or the end of the search.
func (c *serverConn) step() {
	line, ok := c.input.Take(
		func(line string, behindGo bool) bool {
			if c.active == nil || c.batch {
				return c.active == nil
			}
			switch word, _ := CutWord(line); word { // those that are executed during a search
			case stopWord, ponderHit, "":
				return !behindGo
			case "isready":
				return c.active.Perft == 0 // its output has no other end
			}
			return false
		},
		func(line string) bool { return isWord(line, goWord) },
	)
	ended := c.input.Ended()
	switch {
	case ok:
		c.handle(line)
		return
	case c.active == nil && ended:
		c.done = true
		return
	case c.active != nil && ended && !c.batch:
		c.finishNow()
		return
	case c.active != nil && c.active.endless() && (ended || c.input.Full() || slices.ContainsFunc(c.input.Waiting, func(line string) bool {
		return isWord(line, goWord) || c.batch && isWord(line, stopWord)
	})):
		c.active.MoveNow() // commands wait for a search that nothing else will end
	}
	var search *serving.Search
	if c.active != nil {
		search = c.active.Search
	}
	if c.input.Await(c.ctx, search) {
		c.answer()
	} else {
		c.done = c.ctx.Err() != nil
	}
}

// Words whose place in the input matters.
const (
	goWord   = "go"
	stopWord = "stop"
	quitWord = "quit"
)

func isWord(line, word string) bool {
	first, _ := CutWord(line)
	return first == word
}

func isQuit(line string) bool { return isWord(line, quitWord) }

// finishNow answers the current search now. If the search does not end in time, it is abandoned, and
// so are all waiting commands except "quit". A perft gets serving.Grace to finish.
func (c *serverConn) finishNow() {
	if c.active.Perft > 0 {
		c.active.Wait(time.Until(c.input.EndedAt.Add(serving.Grace)))
	}
	ended := c.active.FinishNow()
	c.answer()
	if ended {
		return
	}
	c.done = c.ctx.Err() != nil
	c.input.Waiting = slices.DeleteFunc(c.input.Waiting, func(line string) bool { return !isQuit(line) })
}

func (c *serverConn) handle(line string) {
	c.TraceInput(line)
	if line == serving.OverlongLine {
		c.remark(fmt.Sprintf("a line of over %d bytes", Input.MaxLine))
		return
	}
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	args := words[1:]
	switch words[0] {
	case c.dialect.Greeting:
		lines := []string{"id name " + c.config.Name}
		if c.config.Author != "" {
			lines = append(lines, "id author "+c.config.Author)
		}
		for _, o := range c.options {
			lines = append(lines, c.dialect.formatOption(o.Option))
		}
		c.WriteLines(append(lines, c.dialect.Greeting+"ok")...)
	case "isready":
		c.config.ApplyOptions()
		c.WriteLines("readyok")
	case "setoption":
		name, value := c.dialect.readSetOption(args)
		known, err := SetOption(c.options, name, strings.TrimPrefix(value, emptyString))
		switch {
		case err != nil:
			c.remark(err.Error())
		case !known && !c.dialect.ignored(name):
			c.remark("there is no option " + strconv.Quote(pluginclient.Excerpt(name)))
		}
	case "position":
		c.setPosition(args)
	case goWord:
		c.startGo(c.readGo(args))
	case stopWord:
		switch {
		case c.active != nil:
			c.active.MoveNow()
		case c.dialect.idleStop != "":
			c.WriteLines(c.dialect.idleStop)
		}
	case ponderHit:
		if c.active != nil {
			c.active.Draw = c.active.Draw || len(args) > 0 && args[0] == "draw"
			c.active.hit = true
			c.active.PonderHit()
		}
	case quitWord:
		if c.dialect.bye != "" {
			c.WriteLines(c.dialect.bye)
		}
		c.done = true
	default:
		if command := c.dialect.commands[words[0]]; command != nil {
			if err := command(c, args); err != nil {
				c.remark(err.Error())
			}
			return
		}
		c.remark("unknown command " + strconv.Quote(pluginclient.Excerpt(words[0])))
	}
}

func (c *serverConn) setPosition(args []string) {
	pos, ranks, err := readPosition(args, c.ranks)
	odd := c.pos != nil && c.pos.Remark() != ""
	c.pos, c.ban = pos, nil
	if err != nil {
		c.pos = nil
		c.remark(err.Error())
	} else if c.ranks = ranks; pos.Remark() != "" && !odd { // not for every position of a game
		c.remark(pos.Remark())
	}
}

// activeSearch is a running "go".
type activeSearch struct {
	*serving.Search
	Go
	hit bool // the expected reply was played
}

// endless reports whether only the host can end the search.
func (a *activeSearch) endless() bool {
	return a.Perft == 0 && (a.Infinite || a.Ponder && !a.hit || !a.Limited())
}

// narrateFrom is the number of nodes from which a host is told the progress, as Pikafish does.
const narrateFrom = 10_000_000

// startGo starts a search, or answers at once if there is nothing to search.
func (c *serverConn) startGo(g Go) {
	if c.pos == nil {
		c.remark("no position: the last position command was invalid")
		c.WriteLines(c.dialect.noMove)
		return
	}
	if g.Perft == 0 && (g.Nothing || engine.FirstAllowed(c.pos, g.Limits.Ban) == engine.NoMove) {
		c.WriteLines(c.dialect.noMove)
		return
	}
	c.active = &activeSearch{Go: g}
	if g.Perft > 0 {
		c.active.Search = serving.StartSearch(c.ctx, serving.Request{Searcher: perftSearcher{c, c.pos, g.Perft}, Pos: c.pos})
		return
	}
	g.Limits.Lines = c.multiPV
	if g.Limits.Level == 0 && (c.config.LevelsOnly || g.Limits.Nodes == 0 && g.Limits.Depth == 0) {
		g.Limits.Level = c.level
	}
	g.Limits.Play = g.Limited() && !g.Infinite && !g.Ponder && g.Mate == 0 && g.Limits.Lines == 1
	if c.limited {
		g.Limits = g.Limits.AtElo(c.config.levels(), c.elo)
	}
	c.active.Go = g
	if n, ok := engine.As[engine.Narrator](c.config.Searcher); ok && c.dialect.formatProgress != nil {
		since := time.Now()
		n.Narrate(narrateFrom, func(p engine.Progress) {
			p.Bound = c.withDetails([]engine.Line{p.Bound})[0]
			c.WriteLines(c.dialect.formatProgress(p, time.Since(since), c.ranks))
		})
	}
	c.active.Search = c.config.StartSearch(c.ctx, serving.Request{
		Pos: c.pos, Limits: g.Limits, Ponder: g.Ponder, Hold: g.Infinite && c.dialect.holdsInfinite,
		OnLines: func(s *serving.Search, lines []engine.Line) {
			c.WriteLines(c.dialect.formatInfo(c.withDetails(lines), time.Since(s.StartedAt), g.Limits.Lines, c.ranks)...)
			if g.Mate > 0 && len(lines) > 0 {
				if n, ok := lines[0].Score.Mate(); ok && 0 < n && n <= g.Mate {
					s.MoveNow()
				}
			}
		},
	})
}

// withDetails completes what the host is told of lines, as far as the Searcher knows it or it follows.
func (c *serverConn) withDetails(lines []engine.Line) []engine.Line {
	lines = c.config.WithDetails(lines)
	for i := range lines {
		l := &lines[i]
		if !c.showWDL {
			l.WDL = engine.WDL{}
		} else if !l.WDL.Known() {
			l.WDL = l.Score.WDL()
		}
	}
	return lines
}

func (c *serverConn) answer() {
	a := c.active
	c.active = nil
	if a.Perft > 0 {
		return
	}
	best, err := a.Best()
	if err != nil {
		c.remark(fmt.Sprintf("the search failed: %v", err))
		c.WriteLines(c.dialect.noMove)
		return
	}
	losing := best.Score.Known() && best.Score.Compare(engine.Centipawns(0)) < 0
	text := "bestmove " + c.ranks.Format(best.Move())
	if len(best.Moves) > 1 {
		text += " ponder " + c.ranks.Format(best.Moves[1])
	}
	switch {
	case !c.dialect.offers:
	case best.Offer != engine.NoOffer:
		text += " " + best.Offer.String()
	case a.Draw && losing:
		text += " draw"
	}
	c.WriteLines(text)
}

// remark writes an info line for the user, which the host may ignore.
func (c *serverConn) remark(text string) {
	c.WriteLines("info " + c.dialect.remarkWord + " " + serving.OneLine(text))
}
