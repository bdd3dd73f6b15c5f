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

// parseRaw returns what a line of the user does. What it does to the board is what the server does.
func (p *protocol) parseRaw(line string, r uci.Ranks) uci.RawCommand {
	word, rest := uci.CutWord(line)
	o := uci.RawCommand{Deadline: uci.DeadlineReply, Position: p.position}
	execute := func() { _ = p.execute(word, rest) }
	switch word {
	case "quit":
		return uci.RawCommand{Quit: true}
	case "ping":
		return uci.RawCommand{Ping: true, BeforeSend: func() {
			p.lastPing = rest
			delete(p.pongs, rest) // the user may send a number again
		}}
	case "analyze":
		o = uci.RawCommand{
			Thinks: true, Stop: endAnalysis,
			Until: func(line string) bool { return strings.TrimSpace(line) == "pong 0" },
		}
		if !p.has("ping") {
			o.Err = errors.New("analyze needs an engine with ping, or its end cannot be detected")
		}
	case "xboard", "protover":
		return uci.RawCommand{AnyPosition: true, Deadline: uci.DeadlineStart}
	case "option":
		name, value, _ := strings.Cut(rest, "=")
		o = uci.RawCommand{AnyPosition: true, Deadline: uci.DeadlineReply, Setting: &uci.Setting{Name: name, Value: value}}
	case memory, cores:
		o = uci.RawCommand{AnyPosition: true, Deadline: uci.DeadlineReply, Setting: &uci.Setting{Name: word, Value: rest}}
	case "go":
		return p.thinkingCommand(execute)
	case "playother":
		o.BeforeSend = func() {
			execute()
			p.userGame = true
		}
	case "new":
		o.AnyPosition, o.NewGame, o.Deadline = true, true, uci.DeadlineStart
		o.BeforeSend = func() {
			p.newGameCommands()
			execute()
			p.userGame = true
		}
	case "variant", "setboard":
		o.AnyPosition = true
		o.BeforeSend = func() {
			execute()
			p.hasExclusions = p.hasExclusions && word == "variant"
		}
	case "undo", "remove", "force", "result":
		o.BeforeSend = execute
	case "exclude":
		o.BeforeSend = func() { p.hasExclusions = true }
	case "sd":
		o.BeforeSend = func() { p.depthSent = true }
	case "nps":
		o.BeforeSend = func() { p.npsSent = true }
	default:
		return p.moveCommand(line, r)
	}
	return o
}

// thinkingCommand returns a command that the engine answers with a move. From then on the user
// plays a game with it.
func (p *protocol) thinkingCommand(begin func()) uci.RawCommand {
	return uci.RawCommand{Thinks: true, Position: p.position, BeforeSend: func() {
		begin()
		p.userGame, p.search = true, search{}
	}}
}

// moveCommand returns what "usermove MOVE" or a bare move does. An engine that plays the other side
// answers it. Any other line has no effect that matters here.
func (p *protocol) moveCommand(line string, r uci.Ranks) uci.RawCommand {
	move, rest := uci.CutWord(line)
	if move == "usermove" {
		move = rest
	}
	parsed, ok := r.Parse(move)
	if !ok {
		return uci.RawCommand{Deadline: uci.DeadlineReply}
	}
	m, before := xiangqi.Move(parsed), p.pos
	play := func() {
		p.hasRefused = false
		if p.pos != nil {
			p.pos, _ = p.pos.PlayMove(m)
		}
	}
	cmd := uci.RawCommand{Deadline: uci.DeadlineReply, Position: p.position, BeforeSend: play}
	if before == nil {
		return cmd
	}
	if p.playing && before.Side() != p.side {
		cmd = p.thinkingCommand(play)
	}
	cmd.Judge = func() []uci.Breach {
		switch _, err := before.PlayMove(m); {
		case err == nil && p.hasRefused:
			return []uci.Breach{{Rule: "move.refused", What: excerpt(line) + " is legal, and refused"}}
		case err != nil && !p.hasRefused:
			return []uci.Breach{{Rule: "illegal.told", What: excerpt(line) + " is illegal, and not refused"}}
		}
		return nil
	}
	return cmd
}

func (p *protocol) position() (*xiangqi.Position, error) {
	if p.pos == nil {
		return nil, errors.New("the position of the engine's board is unknown")
	}
	return p.pos, nil
}
