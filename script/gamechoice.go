package script

import (
	"fmt"

	"qhsh/engine"
	"qhsh/engine/games"
)

// gameParameters returns those of a function that is given a game: its name, and the options of all
// games.
func gameParameters(t games.Table) string {
	params := fmt.Sprintf(`game: str = %q`, t.DefaultGame().Name())
	for _, o := range t.GameOptions() {
		params += fmt.Sprintf(", %s: int | None = None", o.Name)
	}
	return params
}

// unset is the value of an option that is not given, and is that of no option.
const unset = -1 << 31

// A gameChoice is what a call has for gameParameters.
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

// vars returns the variables of gameParameters.
func (c *gameChoice) vars() []any {
	vars := []any{&c.name}
	for i := range c.given {
		vars = append(vars, &c.given[i])
	}
	return vars
}

// game returns the game that is chosen. The error is that of its name or of an option.
func (c *gameChoice) game() (engine.Game, error) {
	options := games.Values{}
	for i, o := range c.offers {
		if c.given[i] != unset {
			options[o.Name] = c.given[i]
		}
	}
	return c.games.New(c.name, options)
}
