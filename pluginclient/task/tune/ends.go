package tune

import (
	"context"
	"fmt"
	"slices"
)

// tryEnds has an engine started with the lowest values of all parameters, and with the highest. A run
// that came to a value that the engine does not accept could not be resumed.
func (c *Config) tryEnds(ctx context.Context, o Options) error {
	for _, end := range []struct {
		name string
		of   func(Param) float64
	}{
		{"MIN", func(p Param) float64 { return p.Min }},
		{"MAX", func(p Param) float64 { return p.Max }},
	} {
		var values []Setting
		for _, p := range c.Params {
			values = append(values, Setting{p.Name, p.format(end.of(p))})
		}
		player, err := c.Player("engine", values)
		var names []string
		if err == nil {
			names, err = o.Try(ctx, player, values)
		}
		if err != nil {
			return fmt.Errorf("%s of -param: %w%s", end.name, err, c.decimals())
		}
		for i, name := range names {
			if before := slices.Index(names, name); before < i {
				return configf("%s and %s are the same option of the engine", c.Params[before].Name, c.Params[i].Name)
			}
		}
	}
	return nil
}

// decimals returns what explains values that nobody has typed: those of a whole number that has got
// decimals.
func (c *Config) decimals() string {
	i := slices.IndexFunc(c.Params, func(p Param) bool { return p.Decimals > 0 })
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("; values have as many decimals as START, MIN and MAX, here %s", c.Params[i])
}
