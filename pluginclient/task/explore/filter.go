package explore

import (
	"context"
	"encoding/json"
	"fmt"

	"qhsh/engine"
	"qhsh/pluginclient/task/records"
)

// A Filter is a set of conditions for games. Texts match if they are contained, in any case. The
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

// where returns the conditions of SQL, each after " AND ", on the table games named g, with their
// arguments.
func (d *DB) where(ctx context.Context, f Filter) (conditions string, args []any, err error) {
	add := func(condition string, values ...any) {
		conditions += " AND " + condition
		args = append(args, values...)
	}
	for _, c := range []struct {
		text, columns string
		match         func(name string) bool
	}{
		{f.Player, "(g.first, g.second)", d.playerMatcher(f.Player, f.Aliases)},
		{f.First, "(g.first)", d.playerMatcher(f.First, f.Aliases)},
		{f.Second, "(g.second)", d.playerMatcher(f.Second, f.Aliases)},
		{f.Event, "(g.event)", func(name string) bool { return records.ContainsFold(name, f.Event) }},
	} {
		if c.text == "" {
			continue
		}
		ids, err := d.nameIDs(ctx, c.match)
		if err != nil {
			return "", nil, err
		}
		add("EXISTS (SELECT 1 FROM json_each(?) WHERE value IN "+c.columns+")", ids)
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
		image := f.Position
		if f.Mirror {
			if image, err = d.mirrored(image); err != nil {
				return "", nil, err
			}
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
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(ids)
	return string(text), err
}
