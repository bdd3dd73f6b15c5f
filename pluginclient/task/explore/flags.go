package explore

import (
	"context"
	"flag"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/interruptible"
	"qhsh/pluginclient/task/records"
)

// FilterFlags are the flags that describe a Filter.
type FilterFlags struct {
	records.Conditions
	Aliases      string // file with spellings of players' names
	Mirror       bool
	since, until dateValue
}

// Define defines the flags for the games of a table.
func (f *FilterFlags) Define(fs *flag.FlagSet, all games.Table) {
	f.Conditions.Define(fs, all)
	fs.Var(&f.since, "since", "only games of `DATE` or later, such as 1990 or 1990.06")
	fs.Var(&f.until, "until", "only games of `DATE` or earlier")
	fs.BoolVar(&f.Mirror, "mirror", false, "count positions with left and right exchanged, too")
	fs.StringVar(&f.Aliases, "aliases", "", "read spellings of players' names from `FILE`")
}

// dateValue is a flag whose value is a date.
type dateValue struct{ date Date }

func (v *dateValue) String() string { return v.date.String() }

func (v *dateValue) Set(text string) (err error) {
	v.date, err = ParseLimit(text)
	return err
}

// Filter returns the filter for the games of one game.
func (f *FilterFlags) Filter(ctx context.Context, all games.Table, game engine.Game) (filter Filter, err error) {
	filter = Filter{Player: f.Player, Event: f.Event, Since: f.since.date, Until: f.until.date, Mirror: f.Mirror}
	if f.Mirror {
		if _, err := mirrorOf(all, game); err != nil {
			return filter, err
		}
	}
	if filter.Result, err = f.Result.Outcome(all, game); err != nil {
		return filter, err
	}
	style := all.PGN(game)
	for tag, name := range f.Sides() {
		switch tag {
		case style.First:
			filter.First = name
		case style.Second:
			filter.Second = name
		default:
			return filter, fmt.Errorf("%s has no player %s", engine.Title(game), tag)
		}
	}
	if err := filter.Check(); err != nil || f.Aliases == "" {
		return filter, err
	}
	file, err := interruptible.Open(ctx, f.Aliases)
	if err == nil {
		defer file.Close()
		filter.Aliases, err = ReadAliases(file, f.Aliases)
	}
	if err != nil {
		err = fmt.Errorf("-aliases: %w", err)
	}
	return filter, err
}
