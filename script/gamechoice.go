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

// unpackGame assigns the arguments to variables, as unpack does, and returns the game that a call has
// chosen by gameParameters, which are between vars and more.
func (c *call) unpackGame(t games.Table, vars []any, more ...any) (engine.Game, error) {
	name, offers := t.DefaultGame().Name(), t.GameOptions()
	vars = append(vars, &name)
	given := make([]optionValue, len(offers))
	for i, o := range offers {
		given[i].option = o.Option
		vars = append(vars, &given[i])
	}
	if err := c.unpack(append(vars, more...)...); err != nil {
		return nil, err
	}
	options := games.Values{}
	for _, v := range given {
		if v.given {
			options[v.option.Name] = v.text
		}
	}
	game, err := t.New(name, options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.fn.Name(), err)
	}
	return game, nil
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
