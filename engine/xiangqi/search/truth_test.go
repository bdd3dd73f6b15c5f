package search_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/engine/xiangqi/xiangqitest/plain"
)

var (
	truthGames = flag.Int("truth", 0, "the whole TestTruth, with so many `games`; 0: a small part")
	truthSeed  = flag.Uint64("truthseed", 0, "of the games of TestTruth; 0: that of the day")
)

// TestTruth plays quick games and proves what is claimed about them. In every position the legal moves
// and the result under every rule set must be those of package plain. Mates of up to three moves that
// searches claim are proved by trying all moves, wins by rule by playing the game to its end. The
// searches are those of the players, which remember the game, and others in some of the positions.
func TestTruth(t *testing.T) {
	enginetest.SkipUnderRace(t)
	size := truthSize{positions: 1, nodes: 300, playNodes: 1000}
	games := 3
	if *truthGames > 0 {
		size = truthSize{whole: true, positions: 5, nodes: 5000, playNodes: 20_000}
		games = *truthGames
	}
	seed := *truthSeed
	if seed == 0 {
		seed = uint64(enginetest.Today())
	}
	t.Logf("to repeat the games: -truth %d -truthseed %d", *truthGames, seed)
	starts := readTruthStarts(t)
	var proved tally
	t.Run("game", func(t *testing.T) {
		for i := range games {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				dice := rand.New(rand.NewPCG(seed, uint64(i)))
				g := &truthGame{
					t: t, dice: dice, size: size, proved: &proved,
					rules: xiangqi.RuleSets()[dice.IntN(4)], engines: map[engineOf]*search.Engine{},
				}
				g.play(starts.draw(dice, i+int(seed%truthTurns), g.rules))
				g.proveClaims()
			})
		}
	})
	proved.log(t)
	if games >= 200 && proved.of["games"] == games {
		for _, kind := range truthKinds {
			if proved.of[kind] == 0 {
				t.Errorf("nothing was proved of the kind %q: the games are too few or too much alike", kind)
			}
		}
	}
}

// A truthSize is how much TestTruth proves of each game.
type truthSize struct {
	whole     bool
	positions int
	nodes     int64 // of a search that makes claims, at most
	playNodes int64 // a move, where a claim is played out
}

// truthKinds are the kinds of claims that the whole test has to meet.
var truthKinds = []string{
	"claim mate 1", "claim mate 2", "claim mate 3", "claim mate -1", "claim mate -2", "claim mate -3",
	"claim win by rule", "claim loss by rule",
	"over by checkmate", "over by stalemate", "over by lack of attackers", "over by 50-move limit", "over by 60-move limit",
	"over by repetition", "over by perpetual check", "over by perpetual chase", "over by perpetual attack", "over by a mutual offence",
}

// A tally counts what was proved, by kind.
type tally struct {
	mu sync.Mutex
	of map[string]int
}

func (y *tally) add(kind string, n int) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.of == nil {
		y.of = map[string]int{}
	}
	y.of[kind] += n
}

func (y *tally) log(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(y.of)) {
		t.Logf("%6d %s", y.of[kind], kind)
	}
}

// A truthGame is a game and what is claimed of it.
type truthGame struct {
	t       *testing.T
	dice    *rand.Rand
	size    truthSize
	proved  *tally
	rules   xiangqi.RuleSet // that end the game
	pos     *xiangqi.Position
	plain   *plain.Game
	engines map[engineOf]*search.Engine
}

// engine returns an engine that is kept for the rest of the game.
func (g *truthGame) engine(rules xiangqi.RuleSet, threads int) *search.Engine {
	key := engineOf{rules, threads}
	if g.engines[key] == nil {
		o := small()
		o.Rules, o.Threads = rules, threads
		g.engines[key] = newEngine(g.t, o)
	}
	return g.engines[key]
}

type engineOf struct {
	rules   xiangqi.RuleSet
	threads int
}

// play plays the game to its end and proves every position.
func (g *truthGame) play(start truthStart) {
	const longest = 300 // plies
	g.begin(start.fen)
	g.proved.add("games", 1)
	for g.provePosition(); g.pos.Ply() < longest && !g.rules.Adjudicate(g.pos).Over(); g.provePosition() {
		g.add(g.move(start))
	}
}

// begin begins the game with a position.
func (g *truthGame) begin(fen string) {
	var err error
	g.pos = position(g.t, fen)
	if g.plain, err = plain.NewGame(g.pos.FEN()); err != nil {
		g.t.Fatal(err)
	}
}

// add plays a move.
func (g *truthGame) add(m xiangqi.Move) {
	g.pos = play(g.t, g.pos, engine.Move(m)).(*xiangqi.Position)
	g.plain.Play(plain.Move{From: int(m.From()), To: int(m.To())})
}

// provePosition proves the board, the legal moves, and whether the game is over.
func (g *truthGame) provePosition() {
	board, err := plain.Parse(g.pos.FEN())
	if err != nil || *board != *g.plain.Board() {
		g.t.Fatalf("%s: the board is not that of the moves (%v)", g.withHistory(g.pos), err)
	}
	var want []xiangqi.Move
	for _, m := range g.plain.Moves() {
		want = append(want, xiangqi.NewMove(xiangqi.Square(m.From), xiangqi.Square(m.To)))
	}
	got := g.pos.LegalMoves()
	if slices.Sort(got); !slices.Equal(got, want) {
		g.t.Fatalf("%s: moves %v, want %v", g.withHistory(g.pos), got, want)
	}
	g.proved.add("positions", 1)
	for _, rules := range xiangqi.RuleSets() {
		got, want := rules.Judge(g.pos), g.plain.Result(rules.String())
		if got.Result != want || rules.Adjudicate(g.pos) != want || got.Repetition != g.plain.Repetition(rules.String()) {
			g.t.Fatalf("%s: under %v %v, want %v; %v", g.withHistory(g.pos), rules, rules.Adjudicate(g.pos), want, got)
		}
		kind := "over by " + want.Reason
		switch {
		case !want.Over():
			kind = "not over"
		case strings.HasPrefix(want.Reason, "mutual"):
			kind = "over by a mutual offence"
		}
		g.proved.add(kind, 1)
		if len(got.Cycle) > 0 {
			g.proveCycle(got)
		}
	}
}

// proveCycle proves what each move of a cycle does. Whether it chases a piece that it only cuts off from
// its protectors depends on the move before it, and is not compared.
func (g *truthGame) proveCycle(ruling xiangqi.Ruling) {
	for i, got := range ruling.Cycle {
		want := g.plain.Deed(g.pos.Ply()-len(ruling.Cycle)+i, ruling.Rules.String())
		var chased []int
		for _, c := range got.Chases {
			if !slices.Contains(want.CutOff, int(c.To)) {
				chased = append(chased, int(c.To))
			}
		}
		slices.Sort(chased)
		threatens := want.Threat && len(want.Chased) == 0
		if got.Check != want.Check || got.Threat != threatens || !slices.Equal(slices.Compact(chased), want.Chased) {
			g.t.Fatalf("%s: move %d of the cycle, want %+v: %v", g.withHistory(g.pos), i+1, want, ruling)
		}
	}
	g.proved.add("moves of cycles", len(ruling.Cycle))
}

// withHistory returns a position with its history.
func (g *truthGame) withHistory(pos *xiangqi.Position) string {
	start, moves := pos.History()
	return fmt.Sprintf("%v moves %s", start, strings.Join(engine.FormatMoves(start, moves), " "))
}

// proveClaims searches some positions of the game and proves what the answers claim. Every other one
// is close to the end.
func (g *truthGame) proveClaims() {
	const end = 8 // plies
	for i := range g.size.positions {
		back := g.dice.IntN(g.pos.Ply() + 1)
		if i%2 == 0 {
			back = g.dice.IntN(min(g.pos.Ply()+1, end))
		}
		pos, played := g.pos, engine.NoMove
		for range back {
			_, played = pos.Undo()
			pos = pos.Before()
		}
		g.proveDrawnCycles(pos)
		for _, rules := range xiangqi.RuleSets() {
			if !rules.Adjudicate(pos).Over() && (g.size.whole || rules == g.rules) {
				g.proved.add("positions searched under a rule set", 1)
				g.proveSearches(pos, played, rules)
			}
		}
	}
}

// proveDrawnCycles proves what is said of cycles in which each side moves a piece and takes it back.
func (g *truthGame) proveDrawnCycles(pos *xiangqi.Position) {
	const cycles = 3
	for range cycles {
		side := *g
		side.begin(pos.FEN())
		var moves []xiangqi.Move
		for range 4 {
			legal := side.pos.LegalMoves()
			if len(legal) == 0 {
				break
			}
			m := legal[g.dice.IntN(len(legal))]
			if len(moves) > 1 {
				back := moves[len(moves)-2]
				if m = xiangqi.NewMove(back.To(), back.From()); !slices.Contains(legal, m) {
					break
				}
			}
			moves = append(moves, m)
			side.add(m)
		}
		side.provePosition()
	}
}

// proveSearches proves the claims that searches of several sizes make of a position and of the move that
// was played in it.
func (g *truthGame) proveSearches(pos *xiangqi.Position, played engine.Move, rules xiangqi.RuleSet) {
	s := truthSearch{truthGame: g, pos: pos, rules: rules, known: map[string]bool{}}
	prove := func(threads int, lim engine.Limits) {
		if lim.Ban == nil {
			lim.Lines = 1 + g.dice.IntN(3)
		}
		e := g.engine(rules, threads)
		e.Forget()
		s.prove(e, lim)
	}
	prove(1, engine.Limits{Nodes: 1 + g.dice.Int64N(100)})
	prove(1, engine.Limits{Nodes: 1 + g.dice.Int64N(g.size.nodes)})
	if played != engine.NoMove {
		others := slices.DeleteFunc(pos.Moves(), func(m engine.Move) bool { return m == played })
		prove(1, engine.Limits{Nodes: g.size.nodes, Ban: others})
	}
	if !g.size.whole {
		return
	}
	prove(1, engine.Limits{Level: 1})
	prove(1, engine.Limits{Level: 3})
	if rules == g.rules {
		prove(1, engine.Limits{Level: 5})
		prove(2, engine.Limits{Nodes: 40_000}) // the fewest nodes that two threads share are 32,768
	}
}

// A truthSearch is a position that is searched several times.
type truthSearch struct {
	*truthGame
	pos   *xiangqi.Position
	rules xiangqi.RuleSet
	known map[string]bool // claims
}

// prove proves the claims in all answers of a search, except for those that are known, and returns the
// last answer.
func (s *truthSearch) prove(e *search.Engine, lim engine.Limits) (answer []engine.Line) {
	defer func() {
		if s.t.Failed() {
			s.t.Logf("%s: searched under %v with %+v: %v", s.withHistory(s.pos), s.rules, lim, answer)
		}
	}()
	var err error
	for answer, err = range e.Search(s.t.Context(), s.pos, lim) {
		if err != nil {
			s.t.Fatalf("%s: %v", s.withHistory(s.pos), err)
		}
		mates := 0
		for i, line := range answer {
			all := i == 0 && len(lim.Ban) == 0
			claim := fmt.Sprint(line.Move(), line.Score, all)
			if s.known[claim] {
				continue
			}
			s.known[claim] = true
			if n, ok := line.Score.Mate(); ok && max(n, -n) <= enginetest.ProofMoves {
				s.proved.add(fmt.Sprint("claim mate ", n), 1)
				mates++
			} else if line.Score == engine.Centipawns(decided) || line.Score == engine.Centipawns(-decided) {
				s.playOut(line, all)
			}
		}
		switch {
		case mates == 0:
		case rulesAreNear(s.pos, s.rules):
			s.proved.add("mates near a repetition or limit", mates)
			enginetest.ProveMatesBy(s.t, s.pos, lim.Ban, answer, s.rules.Adjudicate)
		default:
			enginetest.ProveMates(s.t, s.pos, lim.Ban, answer)
		}
	}
	return answer
}

// rulesAreNear reports whether a game may be over by repetition or by a limit before a mate of three
// moves.
func rulesAreNear(pos *xiangqi.Position, rules xiangqi.RuleSet) bool {
	if pos.QuietPlies()+2*enginetest.ProofMoves > rules.QuietPlies() {
		return true
	}
	stood := map[uint64]int{}
	for p := pos; p != nil; p = p.Before() {
		if stood[p.Key()]++; stood[p.Key()] == 2 {
			return true
		}
	}
	return false
}

// playOut proves by play that a line wins or loses by rule, as claimed: two new engines play the game to
// its end, of which the winner follows the line as long as the loser does. If all is true, a loss is claimed
// of all moves.
func (s *truthSearch) playOut(line engine.Line, all bool) {
	const longest = 200 // plies
	winner, kind, next := s.pos.Turn(), "claim win by rule", s.pos
	if line.Score == engine.Centipawns(-decided) {
		winner, kind = winner.Other(), "claim loss by rule"
	}
	if winner == s.pos.Turn() || !all {
		next = play(s.t, s.pos, line.Move()).(*xiangqi.Position)
	}
	var players [2]*search.Engine
	for i := range players {
		o := small()
		o.Rules = s.rules
		players[i] = newEngine(s.t, o)
	}
	rest := line.Moves[next.Ply()-s.pos.Ply():]
	for !s.rules.Adjudicate(next).Over() && next.Ply() < s.pos.Ply()+longest {
		var m engine.Move
		if next.Turn() == winner && len(rest) > 0 {
			m = rest[0]
		} else {
			m = best(s.t, players[next.Side()], next, engine.Limits{Nodes: s.size.playNodes})[0].Move()
		}
		if len(rest) > 0 && rest[0] == m {
			rest = rest[1:]
		} else {
			rest = nil
		}
		next = play(s.t, next, m).(*xiangqi.Position)
	}
	if result := s.rules.Adjudicate(next); result.Outcome != engine.Win(winner) {
		s.t.Fatalf("%s: under %v %s is claimed to be %v, but by play it is %v: %s",
			s.withHistory(s.pos), s.rules, s.pos.Format(line.Move()), line.Score, result, s.withHistory(next))
	}
	s.proved.add(kind, 1)
}
