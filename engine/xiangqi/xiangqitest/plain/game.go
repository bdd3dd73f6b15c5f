package plain

import (
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
)

// A Game is all boards of a game and the moves between them.
type Game struct {
	boards []*Board
	checks []bool // whether the side to move on the board is in check
	moves  []Move
	legal  []Move // on the last board
	quiet  int    // plies without a capture before the first board
}

// NewGame begins a game from a FEN as package xiangqi writes it.
func NewGame(fen string) (*Game, error) {
	b, err := Parse(fen)
	if err != nil {
		return nil, err
	}
	g := &Game{}
	if fields := strings.Fields(fen); len(fields) > 4 {
		if g.quiet, err = strconv.Atoi(fields[4]); err != nil {
			return nil, err
		}
	}
	g.add(b)
	return g, nil
}

func (g *Game) add(b *Board) {
	g.boards, g.checks, g.legal = append(g.boards, b), append(g.checks, b.InCheck()), b.Moves()
}

// Play makes a move, which must be legal.
func (g *Game) Play(m Move) {
	g.moves = append(g.moves, m)
	g.add(g.Board().After(m))
}

// Board returns the last board.
func (g *Game) Board() *Board { return g.boards[len(g.boards)-1] }

// Moves returns the legal moves on the last board, sorted.
func (g *Game) Moves() []Move { return g.legal }

// Result returns the result of the game by the rule set of this name.
func (g *Game) Result(rules string) engine.Result {
	b := g.Board()
	if len(g.legal) == 0 {
		reason := "stalemate"
		if b.InCheck() {
			reason = "checkmate"
		}
		return won(!b.red, reason)
	}
	limit := 50
	if rules == "chinese" || rules == "computer" {
		limit = 60
	}
	switch {
	case len(g.occurrences()) >= 3:
		return g.Repetition(rules)
	case g.quietPlies(rules) >= 2*limit:
		return engine.Result{Outcome: engine.Draw, Reason: strconv.Itoa(limit) + "-move limit"}
	case b.lacksAttackers(rules):
		return engine.Result{Outcome: engine.Draw, Reason: "lack of attackers"}
	}
	return engine.Result{}
}

func won(red bool, reason string) engine.Result {
	if red {
		return engine.Result{Outcome: engine.FirstWins, Reason: reason}
	}
	return engine.Result{Outcome: engine.SecondWins, Reason: reason}
}

// quietPlies counts the plies since the last capture. Except by the Chinese rules, a side's checks
// beyond its tenth and the replies to them do not count.
func (g *Game) quietPlies(rules string) int {
	quiet, checks := g.quiet, map[bool]int{}
	free := false // the last move was a check that does not count
	for i, m := range g.moves {
		if g.boards[i].at[m.To] != '.' {
			quiet, checks, free = 0, map[bool]int{}, false
			continue
		}
		counts := !free
		free = false
		if red := g.boards[i].red; g.checks[i+1] {
			checks[red]++
			free = checks[red] > 10 && rules != "chinese"
		}
		if counts && !free {
			quiet++
		}
	}
	return quiet
}

// lacksAttackers reports whether no piece is left that can cross the river, or by the Computer rules
// cannons only, with too few screens.
func (b *Board) lacksAttackers(rules string) bool {
	count := func(letters string) (n int) {
		for i := range letters {
			n += strings.Count(string(b.at[:]), letters[i:i+1])
		}
		return n
	}
	if count("RrNnPpCc") == 0 {
		return true
	}
	if rules != "computer" || count("RrNnPp") > 0 {
		return false
	}
	own, elephants, others := "A", "B", "a"
	if count("C") == 0 {
		own, elephants, others = "a", "b", "A"
	}
	switch {
	case count("C") == 1 && count("c") == 1:
		return count("Aa") == 0
	case count("Cc") > 1, count(own) > 0:
		return false
	}
	return count(others) < 2 || count(elephants) == 0
}

// occurrences returns when the last board occurred, in plies, the last time first.
func (g *Game) occurrences() (plies []int) {
	for i := len(g.boards) - 1; i >= 0; i-- {
		if *g.boards[i] == *g.Board() {
			plies = append(plies, i)
		}
	}
	return plies
}

// Repetition returns how the game ends by the rule set of this name if the last board occurs for the
// third time, or would if the moves since it last occurred were repeated.
func (g *Game) Repetition(rules string) engine.Result {
	plies := g.occurrences()
	if len(plies) == 1 {
		return engine.Result{}
	}
	first := plies[min(len(plies), 3)-1]
	var deeds []Deed
	for i := first; i < len(g.moves); i++ {
		deeds = append(deeds, g.Deed(i, rules))
	}
	names := make([]int, 90) // of the piece on a point: where it stood first
	for point := range names {
		names[point] = point
	}
	checks, offends := map[bool]bool{true: true, false: true}, map[bool]bool{true: true, false: true}
	chased := map[bool][]int{true: slices.Clone(names), false: slices.Clone(names)} // names, with every move
	anyCheck := false
	for i, d := range deeds {
		m, red := g.moves[first+i], g.boards[first+i].red
		points := d.Chased
		if last := deeds[(i+len(deeds)-1)%len(deeds)]; len(last.Chased) == 0 {
			points = slices.Concat(points, d.CutOff) // it does not answer a chase
		}
		chased[red] = slices.DeleteFunc(chased[red], func(name int) bool {
			return !slices.ContainsFunc(points, func(point int) bool { return names[point] == name })
		})
		checks[red] = checks[red] && d.Check
		offends[red] = offends[red] && (d.Check || d.Threat || len(points) > 0)
		anyCheck = anyCheck || d.Check
		names[m.To], names[m.From] = names[m.From], -1
	}
	offence := func(red bool) (severity int, reason string) {
		switch {
		case checks[red]:
			return 2, "perpetual check"
		case rules == "chinese" && offends[red]:
			return 1, "perpetual attack"
		case rules != "chinese" && len(chased[red]) > 0 && !(rules == "computer" && anyCheck):
			return 1, "perpetual chase"
		}
		return 0, "repetition"
	}
	red, redReason := offence(true)
	black, blackReason := offence(false)
	switch {
	case red > black:
		return won(false, redReason)
	case red < black:
		return won(true, blackReason)
	case red > 0:
		redReason = "mutual " + redReason
	}
	return engine.Result{Outcome: engine.Draw, Reason: redReason}
}
