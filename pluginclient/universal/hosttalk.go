package universal

import (
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// handle carries out one command.
func (h *Host) handle(line string) {
	if h.served.Trace != nil {
		h.served.Trace.Add(pluginclient.Sent, line)
	}
	if line == overlong {
		h.Remark(fmt.Sprintf("a line of over %d bytes", maxLine))
		return
	}
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	args := words[1:]
	switch words[0] {
	case h.protocol.Greeting():
		h.introduce()
	case "isready":
		h.Say("readyok")
	case "setoption":
		h.setOption(h.protocol.ReadSetOption(args))
	case "position":
		h.setPosition(args)
	case "go":
		h.ask(h.protocol.ReadGo(h, args))
	case "stop":
		h.stop()
	case "ponderhit":
		h.ponderHit(args)
	case "quit":
		h.quit()
	default:
		if command := h.protocol.Commands()[words[0]]; command != nil {
			command(h, args)
			return
		}
		h.Remark("unknown command " + strconv.Quote(excerpt(words[0])))
	}
}

func (h *Host) introduce() {
	lines := []string{"id name " + h.served.Name}
	if h.served.Author != "" {
		lines = append(lines, "id author "+h.served.Author)
	}
	for _, o := range h.options {
		lines = append(lines, h.protocol.Option(o.Option))
	}
	h.Say(append(lines, h.protocol.Greeting()+"ok")...)
}

// standard are the options that every server has.
func (h *Host) standard() []Setter {
	options := h.protocol.ServerOptions(h)
	leveler, ok := h.served.Searcher.(engine.Leveler)
	if !ok {
		return options
	}
	most := 0
	for _, level := range leveler.Levels() {
		most = max(most, level.ID)
	}
	level := Option{Name: "Level", Kind: Spin, Default: "0", Max: int64(most)}
	return append(options, Setter{level, func(value string) error {
		id, _ := strconv.Atoi(value)
		if _, err := (engine.Limits{Level: id}).AtLevel(leveler.Levels()); err != nil {
			return err
		}
		h.level = id
		return nil
	}})
}

// ListSetter is the option of how many lines are told, by the name that a protocol gives it.
func (h *Host) ListSetter(name string) Setter {
	option := Option{Name: name, Kind: Spin, Default: "1", Min: 1, Max: xiangqi.MaxMoves}
	return Setter{option, func(value string) error {
		n, err := strconv.Atoi(value)
		h.list = n
		return err
	}}
}

func (h *Host) setOption(name, value string) {
	for _, o := range h.options {
		if fold(o.Name) != fold(name) {
			continue
		}
		value, err := o.Value(strings.TrimPrefix(value, empty))
		if err == nil && o.Set != nil {
			err = o.Set(value)
		}
		if err != nil {
			h.Remark(fmt.Sprintf("option %s: %v", o.Name, err))
		}
		return
	}
	if h.protocol.Silently(name) {
		return
	}
	h.Remark("there is no option " + strconv.Quote(excerpt(name)))
}

func (h *Host) setPosition(args []string) {
	pos, err := readPosition(args, FromZero)
	h.pos, h.ban = pos, nil
	if err != nil {
		h.pos = nil
		h.Remark(err.Error())
	}
}

func (h *Host) stop() {
	if h.asking != nil {
		h.asking.stop()
		return
	}
	if line := h.protocol.IdleStop(); line != "" {
		h.Say(line)
	}
}

func (h *Host) ponderHit(args []string) {
	if h.asking == nil {
		return
	}
	h.asking.draw = h.asking.draw || len(args) > 0 && args[0] == "draw"
	h.asking.ponderHit()
}

func (h *Host) quit() {
	if h.asking != nil {
		h.hurry()
	}
	if bye := h.protocol.Bye(); bye != "" {
		h.Say(bye)
	}
	h.over = true
}
