package xboard

import (
	"errors"
	"slices"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/ucifamily"
)

// The end of an analysis by hand: there is no other than the answer to a ping, whose number
// ping does not use.
var endAnalysis = []string{"exit", "ping 0"}

// aside lets through what an engine obeys while it thinks. "stop" is for those who are used
// to UCI.
func aside(line string) (lines []string, ok bool) {
	switch strings.TrimSpace(line) {
	case "?", "stop":
		return []string{"?"}, true
	case "exit":
		return slices.Clone(endAnalysis), true
	case ".":
		return []string{"."}, true
	}
	return nil, false
}

// order tells what a line does.
func (p *protocol) order(line string, r ucifamily.Ranks) ucifamily.RawCommand {
	word, rest := cutWord(line)
	switch word {
	case "quit":
		return ucifamily.RawCommand{Quit: true}
	case "ping":
		return ucifamily.RawCommand{Ping: true, BeforeSend: func() { p.pinged = rest }}
	case "analyze":
		return p.analyze()
	case "xboard", "protover":
		return ucifamily.RawCommand{AnyPosition: true, Deadline: ucifamily.DeadlineStart}
	case "option":
		name, value, _ := strings.Cut(rest, "=")
		return ucifamily.RawCommand{AnyPosition: true, Deadline: ucifamily.DeadlineReply, Setting: &ucifamily.Setting{Name: name, Value: value}}
	case memory, cores:
		return ucifamily.RawCommand{AnyPosition: true, Deadline: ucifamily.DeadlineReply, Setting: &ucifamily.Setting{Name: word, Value: rest}}
	case "go":
		return p.thinks(func() { p.board.playing = true })
	}
	if m, ok := p.moveOf(word, rest, r); ok {
		return p.moves(m)
	}
	return p.changes(word, rest)
}

// thinks is an order that the engine answers with a move. From then on a person plays a game
// with it.
func (p *protocol) thinks(begin func()) ucifamily.RawCommand {
	return ucifamily.RawCommand{Thinks: true, Position: p.standing, BeforeSend: func() {
		begin()
		p.byHand, p.offered = true, false
		if p.board.at != nil {
			p.board.side = p.board.at.Side()
		}
	}}
}

func (p *protocol) analyze() ucifamily.RawCommand {
	o := ucifamily.RawCommand{
		Thinks: true, Stop: endAnalysis,
		Until: func(line string) bool { return strings.TrimSpace(line) == "pong 0" },
	}
	if !p.able.ping {
		o.Err = errors.New("analyze has no end that could be known: the engine offers no ping")
	}
	return o
}

// moveOf reads "usermove MOVE", or a bare move.
func (*protocol) moveOf(word, rest string, r ucifamily.Ranks) (m xiangqi.Move, ok bool) {
	if word == "usermove" {
		word = rest
	}
	move, ok := r.Parse(word)
	return xiangqi.Move(move), ok
}

// moves is an order that makes a move. An engine that plays the other side answers it.
func (p *protocol) moves(m xiangqi.Move) ucifamily.RawCommand {
	play := func() {
		if p.board.at != nil {
			p.board.at, _ = p.board.at.PlayMove(m)
		}
	}
	if p.board.playing && p.board.at != nil && p.board.at.Side() != p.board.side {
		return p.thinks(play)
	}
	return ucifamily.RawCommand{Deadline: ucifamily.DeadlineReply, Position: p.standing, BeforeSend: play}
}

// changes is an order that changes the board or the mode without an answer, or does nothing
// that matters here.
func (p *protocol) changes(word, rest string) ucifamily.RawCommand {
	o := ucifamily.RawCommand{Deadline: ucifamily.DeadlineReply, Position: p.standing}
	switch word {
	case "new":
		o.AnyPosition, o.NewGame, o.Deadline = true, true, ucifamily.DeadlineStart
		o.BeforeSend = func() {
			p.begin()
			p.byHand, p.board.playing, p.board.side = true, true, xiangqi.Black // as section 8 has it
		}
	case "variant":
		o.AnyPosition = true
		o.BeforeSend = func() { p.board.start, p.board.at = xiangqi.Start(), xiangqi.Start() }
	case "setboard":
		o.AnyPosition = true
		o.BeforeSend = func() {
			p.board.at, _ = xiangqi.ParseFEN(rest)
			p.board.start, p.board.banned = p.board.at, false
		}
	case "undo", "remove":
		o.BeforeSend = func() { p.undo(word == "remove") }
	case "force", "result":
		o.BeforeSend = func() { p.board.playing = false }
	case "playother":
		o.BeforeSend = func() { p.playOther() }
	case "exclude":
		o.BeforeSend = func() { p.board.banned = true }
	case "sd":
		o.BeforeSend = func() { p.depth = true }
	case "nps":
		o.BeforeSend = func() { p.nps = true }
	default:
		return ucifamily.RawCommand{Deadline: ucifamily.DeadlineReply}
	}
	return o
}

func (p *protocol) undo(twice bool) {
	for range 2 {
		if p.board.at != nil && p.board.at.Before() != nil {
			p.board.at = p.board.at.Before()
		}
		if !twice {
			return
		}
	}
}

func (p *protocol) playOther() {
	p.board.playing, p.byHand = true, true
	if p.board.at != nil {
		p.board.side = p.board.at.Side().Other()
	}
}

// standing is where the engine's board stands.
func (p *protocol) standing() (*xiangqi.Position, error) {
	if p.board.at == nil {
		return nil, errors.New("its board is not known any more")
	}
	return p.board.at, nil
}
