package records

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
)

// A Relation says what a game has in common with another.
type Relation string

// The relations. A game with variations or comments that the other does not have is neither the same nor cut short.
const (
	Same     Relation = "same"      // start and moves. Names and results do not matter, since collections spell them differently
	CutShort Relation = "cut short" // the other has its moves and more, and does not contradict its players, date or result
	Alike    Relation = "alike"     // AlikePlies, and both players or the date
)

// AlikePlies is how many plies from the start make games alike, and make a game without players one that is cut short.
const AlikePlies = 22

// A GameOf is a game of a file.
type GameOf struct {
	File   string `json:"file,omitempty"` // empty if there is only one
	Number int    `json:"game"`
	Plies  int    `json:"plies"`
}

func (g GameOf) String() string {
	return strings.TrimPrefix(fmt.Sprintf("%s game %d", printable.Line(g.File), g.Number), " ")
}

// A Duplicate is a game that has moves in common with another.
type Duplicate struct {
	GameOf
	Relation Relation `json:"relation"`
	Of       GameOf   `json:"of"`
	Common   int      `json:"common"` // plies
	Index    int      `json:"-"`      // of the game, in the order of Add
}

// String describes the duplicate in a line.
func (d Duplicate) String() string {
	switch d.Relation {
	case Same:
		return fmt.Sprintf("%v is %v (%d plies)", d.GameOf, d.Of, d.Common)
	case CutShort:
		return fmt.Sprintf("%v is %v cut short (%d of %d plies)", d.GameOf, d.Of, d.Plies, d.Of.Plies)
	}
	return fmt.Sprintf("%v begins like %v (%d plies of %d and %d)", d.GameOf, d.Of, d.Common, d.Plies, d.Of.Plies)
}

// Duplicates finds the games that are in a collection more than once. Of each it keeps the moves, in some 300 bytes.
type Duplicates struct {
	Games games.Table
	all   []addedGame
	names map[string]int32 // numbers of players, from 1
}

// An addedGame is what Duplicates knows of a game. Moves are uvarints after the key of the start, so games with the same
// beginning are neighbours in the order of the texts.
type addedGame struct {
	GameOf
	index   int
	moves   string
	head    int      // bytes of the first AlikePlies; 0 if there are fewer
	players [2]int32 // 0: not known
	date    string
	result  engine.Outcome
	notes   [16]byte // digest of the tree; zero if there is only its main line
}

// Add adds a game. One without moves has no duplicates.
func (d *Duplicates) Add(file string, number int, g *record.Game) {
	game := g.Start.Game()
	style := d.Games.PGN(game)
	a := addedGame{GameOf: GameOf{file, number, g.Plies()}, index: len(d.all), date: strings.Clone(g.Tags.Known("Date")), result: g.Result}
	key := binary.BigEndian.AppendUint64(nil, g.Start.Key())
	for i, m := range g.MainLine() {
		key = binary.AppendUvarint(key, uint64(m))
		if i == AlikePlies-1 {
			a.head = len(key)
		}
	}
	a.moves = string(key)
	for side, tag := range style.Players() {
		name := record.NameKey(d.Games.PlayerName(game, g.Tags.Known(tag)))
		if name == "" {
			continue
		}
		if d.names == nil {
			d.names = map[string]int32{}
		}
		d.names[name] = cmp.Or(d.names[name], int32(len(d.names)+1))
		a.players[side] = d.names[name]
	}
	if g.HasNotes() {
		a.notes = treeKey(g)
	}
	d.all = append(d.all, a)
}

// treeKey returns a digest of all moves, comments and glyphs.
func treeKey(g *record.Game) [16]byte {
	var key []byte
	g.Walk(func(n *record.Node) bool {
		key = binary.AppendUvarint(key, uint64(n.Move))
		for _, text := range []string{n.StartingComment, n.Comment, string(n.Glyphs)} {
			key = binary.AppendUvarint(key, uint64(len(text)))
			key = append(key, text...)
		}
		key = binary.AppendUvarint(key, uint64(len(n.Next)))
		return true
	})
	sum := sha256.Sum256(key)
	return [16]byte(sum[:])
}

// Find returns the duplicates in the order of Add, those that are alike only if alike is set. Of games with the same moves
// the first one counts, of others the longer one, and a game is a duplicate once.
func (d *Duplicates) Find(alike bool) []Duplicate {
	sorted := make([]*addedGame, len(d.all))
	for i := range d.all {
		sorted[i] = &d.all[i]
	}
	slices.SortFunc(sorted, func(a, b *addedGame) int {
		return cmp.Or(strings.Compare(a.moves, b.moves), cmp.Compare(a.index, b.index))
	})
	found := map[int]Duplicate{} // by index
	add := func(a *addedGame, is Relation, of *addedGame) {
		if _, ok := found[a.index]; !ok {
			found[a.index] = Duplicate{GameOf: a.GameOf, Relation: is, Of: of.GameOf, Common: commonPlies(a.moves, of.moves), Index: a.index}
		}
	}
	var beginnings []*addedGame // of the game; each is that of the next
	for i, g := range sorted {
		for len(beginnings) > 0 && !strings.HasPrefix(g.moves, beginnings[len(beginnings)-1].moves) {
			beginnings = beginnings[:len(beginnings)-1]
		}
		if g.Plies == 0 {
			continue
		}
		noNotes := g.notes == [16]byte{}
		for _, b := range beginnings {
			switch {
			case b.Plies == g.Plies && (noNotes || b.notes == g.notes):
				add(g, Same, b)
			case b.Plies < g.Plies && b.isCutShort(g):
				add(b, CutShort, g)
			}
		}
		beginnings = append(beginnings, sorted[i])
	}
	for rest := sorted; alike && len(rest) > 0; {
		first := rest[0]
		end := slices.IndexFunc(rest, func(g *addedGame) bool {
			return first.head == 0 || !strings.HasPrefix(g.moves, first.moves[:first.head])
		})
		if end < 0 {
			end = len(rest)
		}
		group := slices.Clone(rest[:end])
		rest = rest[max(end, 1):]
		slices.SortFunc(group, func(a, b *addedGame) int { return cmp.Compare(a.index, b.index) })
		for i, g := range group {
			for _, earlier := range group[:i] {
				if _, is := found[earlier.index]; (!is || found[earlier.index].Relation == Alike) && g.isAlike(earlier) {
					add(g, Alike, earlier)
					break
				}
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b Duplicate) int { return cmp.Compare(a.Index, b.Index) })
}

// isCutShort reports whether a game is the beginning of a longer one that was cut short.
func (g *addedGame) isCutShort(longer *addedGame) bool {
	known := g.players == longer.players && g.players[0]*g.players[1] != 0
	for side, player := range g.players {
		if other := longer.players[side]; player != 0 && other != 0 && player != other {
			return false
		}
	}
	return g.notes == [16]byte{} && (known || g.head > 0) &&
		(g.result == engine.Ongoing || longer.result == engine.Ongoing || g.result == longer.result) && mayBeDate(g.date, longer.date)
}

// isAlike reports whether a game with the same first moves has the same players, or the same day.
func (g *addedGame) isAlike(o *addedGame) bool {
	return g.players == o.players && g.players[0]*g.players[1] != 0 || len(g.date) == len("1956.12.16") && g.date == o.date && !strings.Contains(g.date, "?")
}

// mayBeDate reports whether two dates as PGN has them may be the same: what both know of them is.
func mayBeDate(a, b string) bool {
	others := strings.Split(b, ".")
	for i, part := range strings.Split(a, ".") {
		if i < len(others) && part != others[i] && !strings.Contains(part+others[i], "?") && part != "" && others[i] != "" {
			return false
		}
	}
	return true
}

func commonPlies(a, b string) (plies int) {
	for i := 8; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] < 0x80 { // the end of a uvarint
			plies++
		}
	}
	return plies
}
