package ucifamily

import (
	"fmt"
	"strconv"
	"strings"

	"qhsh/pluginclient"
	"qhsh/pluginclient/serving"
)

// handle carries out one command.
func (h *Host) handle(line string) {
	h.Hear(line)
	if line == serving.Overlong {
		h.Remark(fmt.Sprintf("a line of over %d bytes", Input.MaxLine))
		return
	}
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	args := words[1:]
	switch words[0] {
	case h.dialect.Greeting:
		h.introduce()
	case "isready":
		h.served.Settle()
		h.Say("readyok")
	case "setoption":
		h.setOption(h.dialect.ReadSetOption(args))
	case "position":
		h.setPosition(args)
	case goWord:
		h.ask(h.dialect.ReadGo(h, args))
	case stopWord:
		h.stop()
	case "ponderhit":
		h.ponderHit(args)
	case quitWord:
		h.quit()
	default:
		if command := h.dialect.Commands[words[0]]; command != nil {
			command(h, args)
			return
		}
		h.Remark("unknown command " + strconv.Quote(pluginclient.Excerpt(words[0])))
	}
}

func (h *Host) introduce() {
	lines := []string{"id name " + h.served.Name}
	if h.served.Author != "" {
		lines = append(lines, "id author "+h.served.Author)
	}
	for _, o := range h.options {
		lines = append(lines, h.dialect.FormatOption(o.Option))
	}
	h.Say(append(lines, h.dialect.Greeting+"ok")...)
}

// standard are the options that every server has.
func (h *Host) standard() []Setter {
	return append(h.dialect.Options(h), h.served.LevelSetter(func(id int) { h.level = id })...)
}

// ListSetter is the option of how many lines are told, by the name that a protocol gives it.
func (h *Host) ListSetter(name string) Setter {
	return ListSetter(name, func(n int) { h.list = n })
}

func (h *Host) setOption(name, value string) {
	known, err := Set(h.options, name, strings.TrimPrefix(value, empty))
	switch {
	case err != nil:
		h.Remark(err.Error())
	case !known && !h.dialect.Silently(name):
		h.Remark("there is no option " + strconv.Quote(pluginclient.Excerpt(name)))
	}
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
		h.asking.MoveNow()
		return
	}
	if h.dialect.IdleStop != "" {
		h.Say(h.dialect.IdleStop)
	}
}

func (h *Host) ponderHit(args []string) {
	if h.asking == nil {
		return
	}
	h.asking.Draw = h.asking.Draw || len(args) > 0 && args[0] == "draw"
	h.asking.hit = true
	h.asking.Hit()
}

func (h *Host) quit() {
	if h.dialect.Bye != "" {
		h.Say(h.dialect.Bye)
	}
	h.over = true
}
