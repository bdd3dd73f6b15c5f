package script

import (
	"fmt"

	"qhsh/engine"
	"qhsh/engine/games"
)

// gameParameters returns the parameters of a function that takes a game: its name and the options
// of all games.
func gameParameters(t games.Table) string {
	params := fmt.Sprintf(`game: str = %q`, t.DefaultGame().Name())
	for _, o := range t.GameOptions() {
		params += fmt.Sprintf(", %s: int | None = None", o.Name)
	}
	return params
}

// unset is the value of an option that was not given.
const unset = -1 << 31

// A gameChoice has the arguments for gameParameters.
type gameChoice struct {
	games  games.Table
	name   string
	offers []games.GameOption
	given  []int // the values of offers
}

func newGameChoice(t games.Table) *gameChoice {
	c := &gameChoice{games: t, name: t.DefaultGame().Name(), offers: t.GameOptions()}
	for range c.offers {
		c.given = append(c.given, unset)
	}
	return c
}

// vars returns the variables for gameParameters.
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
	for i, o := range c.offers {
		if c.given[i] != unset {
			options[o.Name] = c.given[i]
		}
	}
	return c.games.New(c.name, options)
}
