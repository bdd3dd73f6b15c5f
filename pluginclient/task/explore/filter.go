package explore

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/interruptible"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/records"
)

// A Filter is a set of conditions for games. Texts match if they are contained, as [records.ContainsFold] says. The
// zero Filter matches all games.
type Filter struct {
	Player        string // on either side
	First, Second string // players of the sides
	Event         string
	Since, Until  Date            // 0: any; games without a date match neither
	Result        *engine.Outcome // nil: any
	Position      engine.Position // that occurs; nil: any
	Mirror        bool            // positions count with left and right exchanged, too
	Aliases       *Aliases        // other spellings of names; nil: none
}

// Check returns an error if no date can match.
func (f Filter) Check() error {
	if f.Until != 0 && f.Since > f.Until.end() {
		return fmt.Errorf("since %v, until %v: the end is before the beginning", f.Since, f.Until)
	}
	return nil
}

// Includes reports whether a game's date, as its record has it, is one of the filter's.
func (f Filter) Includes(date string) bool {
	d, ok := ParseDate(date)
	return (f.Since == 0 || ok && d >= f.Since) && (f.Until == 0 || ok && d <= f.Until.end())
}

// where returns the conditions of SQL, each after " AND ", on the table games named g, with their
// arguments.
func (d *DB) where(ctx context.Context, f Filter) (conditions string, args []any, err error) {
	add := func(condition string, values ...any) {
		conditions += " AND " + condition
		args = append(args, values...)
	}
	for _, c := range []struct {
		text    string
		columns []string
		match   func(name string) bool
	}{
		{f.Player, []string{"g.first", "g.second"}, d.playerMatcher(f.Player, f.Aliases)},
		{f.First, []string{"g.first"}, d.playerMatcher(f.First, f.Aliases)},
		{f.Second, []string{"g.second"}, d.playerMatcher(f.Second, f.Aliases)},
		{f.Event, []string{"g.event"}, func(name string) bool { return records.ContainsFold(name, f.Event) }},
	} {
		if c.text == "" {
			continue
		}
		ids, err := d.nameIDs(ctx, c.match)
		if err != nil {
			return "", nil, err
		}
		either := make([]string, len(c.columns))
		for i, column := range c.columns {
			either[i] = column + " IN (SELECT value FROM json_each(?))"
			args = append(args, ids)
		}
		add("(" + strings.Join(either, " OR ") + ")")
	}
	if f.Since != 0 {
		add("g.date >= ?", int(f.Since))
	}
	if f.Until != 0 {
		add("g.date BETWEEN 1 AND ?", int(f.Until.end()))
	}
	if f.Result != nil {
		add("g.result = ?", int(*f.Result))
	}
	if f.Position != nil {
		image, err := d.image(f.Position, f.Mirror)
		if err != nil {
			return "", nil, err
		}
		add("g.game_id IN (SELECT game FROM plies WHERE key IN (?, ?))", int64(f.Position.Key()), int64(image.Key()))
	}
	return conditions, args, nil
}

// playerMatcher returns a function that reports whether a name is one of those that text means.
func (d *DB) playerMatcher(text string, aliases *Aliases) func(name string) bool {
	player := func(name string) string { return aliases.of(d.games.PlayerName(d.game, name)) }
	wanted := player(text)
	return func(name string) bool { return records.ContainsFold(player(name), wanted) }
}

// nameIDs returns the ids of the names that match, as a JSON array.
func (d *DB) nameIDs(ctx context.Context, match func(name string) bool) (string, error) {
	ids := []int64{}
	var id int64
	var name string
	err := each(ctx, d.db, []any{&id, &name}, func() error {
		if match(name) {
			ids = append(ids, id)
		}
		return nil
	}, "SELECT name_id, name FROM names")
	return jsonArray(ids), err
}

// jsonArray returns numbers for SQLite's json_each, which takes any number of them.
func jsonArray(numbers []int64) string {
	text, _ := json.Marshal(numbers) // never fails
	return string(text)
}

// FilterFlags are the flags that describe a Filter.
type FilterFlags struct {
	records.Conditions
	Aliases      string // file with spellings of players' names
	Mirror       bool
	since, until Date
}

// Define defines the flags for the games of a table.
func (f *FilterFlags) Define(fs *flag.FlagSet, all games.Table) {
	f.Conditions.Define(fs, all)
	date := func(d *Date) func(string) error {
		return func(text string) (err error) {
			*d, err = ParseLimit(text)
			return err
		}
	}
	fs.Func("since", "only games of `DATE` or later, such as 1990 or 1990.06", date(&f.since))
	fs.Func("until", "only games of `DATE` or earlier", date(&f.until))
	fs.BoolVar(&f.Mirror, "mirror", false, "count positions with left and right exchanged, too")
	fs.StringVar(&f.Aliases, "aliases", "", "read spellings of players' names from `FILE`")
}

// Filter returns the filter for the games of one game.
func (f *FilterFlags) Filter(ctx context.Context, all games.Table, game engine.Game) (filter Filter, err error) {
	filter = Filter{Player: f.Player, Event: f.Event, Since: f.since, Until: f.until, Mirror: f.Mirror}
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

// Aliases are spellings of the names of players. A nil *Aliases has none.
type Aliases struct{ names map[string]string } // the main spelling by the key of any

// ReadAliases reads lines of the form
//
//	NAME = OTHER, OTHER
//
// where the OTHERs are spellings of NAME. Empty lines and lines that begin with # are ignored.
// file is used in errors.
func ReadAliases(r io.Reader, file string) (*Aliases, error) {
	a := &Aliases{map[string]string{}}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, others, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, fmt.Errorf("%s:%d: want NAME = OTHER, OTHER", file, n)
		}
		for other := range strings.SplitSeq(others, ",") {
			if other = record.NameKey(other); other != "" {
				a.names[other] = name
			}
		}
	}
	return a, lines.Err()
}

// of returns the main spelling of a name.
func (a *Aliases) of(name string) string {
	if a == nil {
		return name
	}
	if main, ok := a.names[record.NameKey(name)]; ok {
		return main
	}
	return name
}
