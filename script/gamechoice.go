package script

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine/games"
)

// gameParameters returns the parameters of a function that takes a game: its name and the options
// of all games.
func gameParameters(t games.Table) string {
	params := fmt.Sprintf(`game: str = %q`, t.DefaultGame().Name())
	for _, o := range t.GameOptions() {
		kind := "int"
		if o.Words != nil {
			kind = "str"
		}
		params += fmt.Sprintf(", %s: %s | None = None", o.Name, kind)
	}
	return params
}

// A gameArgument is the arguments for these parameters.
type gameArgument struct {
	name    string
	options games.Values // those that are given
}

// appendPairs appends the parameters in the form of starlark.UnpackArgs.
func (g *gameArgument) appendPairs(pairs []any, params []param) []any {
	g.options = games.Values{}
	for i, p := range params {
		if i == 0 {
			_ = starlark.UnpackArg(p.defaultValue(), &g.name) // it is a string
			pairs = append(pairs, p.pattern(), &g.name)
		} else {
			pairs = append(pairs, p.pattern(), &optionArgument{p, g.options})
		}
	}
	return pairs
}

// An optionArgument is the argument for an option of a game.
type optionArgument struct {
	param
	options games.Values
}

// Unpack takes a number, or a string where the option's values are words.
func (o *optionArgument) Unpack(value starlark.Value) error {
	if strings.HasPrefix(o.typ, "str") {
		var text string
		err := starlark.UnpackArg(value, &text)
		o.options[o.name] = text
		return err
	}
	var n int
	err := starlark.UnpackArg(value, &n)
	o.options[o.name] = strconv.Itoa(n)
	return err
}
