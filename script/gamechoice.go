package script

import (
	"fmt"
	"strconv"

	"go.starlark.net/starlark"

	"qhsh/engine"
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

// A gameChoice is what a call has for gameParameters.
type gameChoice struct {
	games  games.Table
	name   string
	offers []games.GameOption
	given  []optionValue // of offers
}

func newGameChoice(t games.Table) *gameChoice {
	c := &gameChoice{games: t, name: t.DefaultGame().Name(), offers: t.GameOptions()}
	for _, o := range c.offers {
		c.given = append(c.given, optionValue{option: o.Option})
	}
	return c
}

// An optionValue is the value of an option of a game.
type optionValue struct {
	option games.Option
	text   string
	given  bool
}

// Unpack takes a number, or a string where the option's values are words.
func (v *optionValue) Unpack(value starlark.Value) error {
	v.given = true
	if v.option.Words != nil {
		return starlark.UnpackArg(value, &v.text)
	}
	var n int
	err := starlark.UnpackArg(value, &n)
	v.text = strconv.Itoa(n)
	return err
}

// vars are the variables of gameParameters.
func (c *gameChoice) vars() []any {
	vars := []any{&c.name}
	for i := range c.given {
		vars = append(vars, &c.given[i])
	}
	return vars
}

// game returns the chosen game.
func (c *gameChoice) game() (engine.Game, error) {
	options := games.Values{}
	for _, v := range c.given {
		if v.given {
			options[v.option.Name] = v.text
		}
	}
	return c.games.New(c.name, options)
}
