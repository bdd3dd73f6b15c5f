package xboard

import (
	"errors"
	"slices"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
)

// endAnalysis ends an analysis that the user has started. It ends only with the reply to a ping;
// the number 0 is not used by protocol.ping.
var endAnalysis = []string{"exit", "ping 0"}

// interrupt returns the lines to send during a search for a line of the user. "stop" is accepted
// for users of UCI.
func interrupt(line string) (lines []string, ok bool) {
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

// parseRaw returns what a line of the user does.
func (p *protocol) parseRaw(line string, r uci.Ranks) uci.RawCommand {
	word, rest := cutWord(line)
	switch word {
	case "quit":
		return uci.RawCommand{Quit: true}
	case "ping":
		return uci.RawCommand{Ping: true, BeforeSend: func() {
			p.lastPing = rest
			delete(p.pongs, rest) // the user may send a number again
		}}
	case "analyze":
		return p.analyzeCommand()
	case "xboard", "protover":
		return uci.RawCommand{AnyPosition: true, Deadline: uci.DeadlineStart}
	case "option":
		name, value, _ := strings.Cut(rest, "=")
		return uci.RawCommand{AnyPosition: true, Deadline: uci.DeadlineReply, Setting: &uci.Setting{Name: name, Value: value}}
	case memory, cores:
		return uci.RawCommand{AnyPosition: true, Deadline: uci.DeadlineReply, Setting: &uci.Setting{Name: word, Value: rest}}
	case "go":
		return p.thinkingCommand(func() { p.board.playing = true })
	}
	if m, ok := p.parseMove(word, rest, r); ok {
		cmd := p.moveCommand(m)
		if p.board.pos != nil {
			_, err := p.board.pos.PlayMove(m)
			cmd.Judge = p.judgeMove(line, err == nil)
		}
		return cmd
	}
	return p.boardCommand(word, rest)
}

// thinkingCommand returns a command that the engine answers with a move. From then on the user
// plays a game with it.
func (p *protocol) thinkingCommand(begin func()) uci.RawCommand {
	return uci.RawCommand{Thinks: true, Position: p.position, BeforeSend: func() {
		begin()
		p.userGame, p.drawOffered = true, false
		if p.board.pos != nil {
			p.board.side = p.board.pos.Side()
		}
	}}
}

func (p *protocol) analyzeCommand() uci.RawCommand {
	o := uci.RawCommand{
		Thinks: true, Stop: endAnalysis,
		Until: func(line string) bool { return strings.TrimSpace(line) == "pong 0" },
	}
	if !p.features.ping {
		o.Err = errors.New("analyze needs an engine with ping, or its end cannot be detected")
	}
	return o
}

// parseMove parses "usermove MOVE" or a bare move.
func (*protocol) parseMove(word, rest string, r uci.Ranks) (m xiangqi.Move, ok bool) {
	if word == "usermove" {
		word = rest
	}
	move, ok := r.Parse(word)
	return xiangqi.Move(move), ok
}

// moveCommand returns a command that makes a move. An engine that plays the other side answers it.
func (p *protocol) moveCommand(m xiangqi.Move) uci.RawCommand {
	play := func() {
		p.hasRefused = false
		if p.board.pos != nil {
			p.board.pos, _ = p.board.pos.PlayMove(m)
		}
	}
	if p.board.playing && p.board.pos != nil && p.board.pos.Side() != p.board.side {
		return p.thinkingCommand(play)
	}
	return uci.RawCommand{Deadline: uci.DeadlineReply, Position: p.position, BeforeSend: play}
}

// boardCommand returns a command that changes the board or the mode and has no answer, or has no
// effect that matters here.
func (p *protocol) boardCommand(word, rest string) uci.RawCommand {
	o := uci.RawCommand{Deadline: uci.DeadlineReply, Position: p.position}
	switch word {
	case "new":
		o.AnyPosition, o.NewGame, o.Deadline = true, true, uci.DeadlineStart
		o.BeforeSend = func() {
			p.newGameCommands()
			p.userGame, p.board.playing, p.board.side = true, true, xiangqi.Black // section 8, "new"
		}
	case "variant":
		o.AnyPosition = true
		o.BeforeSend = func() { p.board.start, p.board.pos = xiangqi.Start(), xiangqi.Start() }
	case "setboard":
		o.AnyPosition = true
		o.BeforeSend = func() {
			p.board.pos, _ = xiangqi.ParseFEN(rest)
			p.board.start, p.board.hasExclusions = p.board.pos, false
		}
	case "undo", "remove":
		o.BeforeSend = func() { p.undo(word == "remove") }
	case "force", "result":
		o.BeforeSend = func() { p.board.playing = false }
	case "playother":
		o.BeforeSend = func() {
			p.board.playing, p.userGame = true, true
			if p.board.pos != nil {
				p.board.side = p.board.pos.Side().Other()
			}
		}
	case "exclude":
		o.BeforeSend = func() { p.board.hasExclusions = true }
	case "sd":
		o.BeforeSend = func() { p.depthSent = true }
	case "nps":
		o.BeforeSend = func() { p.npsSent = true }
	default:
		return uci.RawCommand{Deadline: uci.DeadlineReply}
	}
	return o
}

func (p *protocol) undo(twice bool) {
	for range 2 {
		if p.board.pos != nil && p.board.pos.Before() != nil {
			p.board.pos = p.board.pos.Before()
		}
		if !twice {
			return
		}
	}
}

// position returns the position of the engine's board.
func (p *protocol) position() (*xiangqi.Position, error) {
	if p.board.pos == nil {
		return nil, errors.New("the position of the engine's board is unknown")
	}
	return p.board.pos, nil
}
