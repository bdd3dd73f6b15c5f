// Package boards has the Xiangqi positions that checks use.
//
// Most have one legal move: an engine that plays it has the right position, and needs no time to
// think.
package boards

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// MustParse parses a FEN. It panics on an error.
func MustParse(fen string) *xiangqi.Position {
	pos, err := xiangqi.ParseFEN(fen)
	if err != nil {
		panic("boards: " + fen + ": " + err.Error()) // a test parses all of them
	}
	return pos
}

// Positions with one legal move, named after the piece that moves. Both sides have attacking
// pieces: some engines return no move in drawn positions.
var (
	OnlyHorse    = MustParse("2e1k4/4a4/P2a4e/9/1h5Cp/2E3r1P/2P6/4Ep2R/1r2K4/1H1A1AcC1 w") // B0-D1
	OnlyElephant = MustParse("2e1kae2/9/9/5r3/P1C1p2h1/1rPH5/6P1p/4E4/4A4/4KA2c w")        // E2-G0
	OnlyBlack    = MustParse("3a2e1r/3ha4/1R1k5/2p1p4/2e3php/2P6/p3P3P/4EA1R1/4A3H/1HE1K1c2 b")
	OnlyCannon   = MustParse("1he1rk1c1/2c6/8e/2P1p1p2/p7P/5H3/P1P3P2/4E2RE/R4C3/3AKA3 b")
)

// Forced are positions with one legal move, for either side.
var Forced = []*xiangqi.Position{
	OnlyHorse, OnlyBlack, OnlyElephant, OnlyCannon,
	MustParse("2rak1e2/4a3H/1R2ec2R/p8/h3p4/P1P3P2/4P4/4E4/3HK2r1/3A1A3 w"),
	MustParse("2ea1k3/8h/h4R3/2p3p1p/p3p1e1P/P2cP4/2P3P2/4E4/C3A4/2EK1c1HR b"),
	MustParse("2e1kae1r/h2ra4/9/9/1PpP2p1p/6P1P/2P6/2H1E3H/4A3R/R2AK1Ec1 w"),
	MustParse("ch3a3/3ka4/e3e3h/p1C1p1p2/4P4/3R2Prp/P1P6/4E1H1E/4R4/3AKA3 b"),
}

// A Chain is a position and two moves, with many possible captures.
type Chain struct {
	Start *xiangqi.Position
	Moves [2]string
}

// Chains has chains with one legal move at the start, after one move, and after both moves.
var Chains = [3][]Chain{
	{
		{MustParse("r1eaka3/1R7/4e4/p3c4/4p3P/P1P1P1p2/6P2/1C2EHR2/3rK4/1HEA1Ac2 w"), [2]string{"E1-D1", "G0-D0"}},
		{MustParse("r1eR1k3/5C3/8h/r1p5p/2ecp4/p1E4pP/2P1P1P2/H2K5/4H2R1/2EA1A3 b"), [2]string{"F9-F8", "H1-H4"}},
	},
	{
		{MustParse("r1ea1k3/3R1C3/8h/r1p5p/2ecp4/p1E4pP/2P1P1P2/H2K5/4H2R1/2EA1A3 w"), [2]string{"D8-D9", "F9-F8"}},
		{MustParse("rh1a1ae2/4k4/4e4/p1p1p1R2/3r5/4P1p2/PCP3P2/8H/6C2/1cEAKAER1 b"), [2]string{"D5-D0", "E0-E1"}},
	},
	{
		{MustParse("1heakae2/4h4/5r3/p1C1pcp2/2p5p/P3P4/2P3P1P/3r4E/2H2KRCR/2EA3H1 w"), [2]string{"C6-F6", "F7-F6"}},
		{MustParse("1hek2e1R/8c/7r1/2p4h1/4pP2H/4P3P/2P6/3A5/2c2C3/1HEAK4 b"), [2]string{"E5-E4", "I9-G9"}},
	},
}

// Exchanges are Chains with one legal move at the start and after both moves.
var Exchanges = []Chain{
	{MustParse("3k2e2/4c4/9/2p6/6e2/2hh3pp/P3C4/3RKA2H/9/1H1A2E2 w"), [2]string{"E3-D3", "D4-E6"}},
	{MustParse("6e2/3h5/3a1k3/4c4/8p/P1P2R3/6p2/9/9/2EACKE2 b"), [2]string{"E6-F6", "F4-F6"}},
}

// Duels are Chains with one legal move at the start and after one move.
var Duels = []Chain{
	{MustParse("1h1a1ke2/4ar1R1/2h1e3r/P8/2p1p4/2E3p2/2P6/H3EK3/9/2CA1A3 w"), [2]string{"H8-F8", "F9-E9"}},
	{MustParse("3k1a3/4P4/8e/1P5Cp/P5eh1/1r1R5/1r3p2P/4EA3/9/3K2E2 b"), [2]string{"B4-D4", "D0-E0"}},
}

// After returns the position after the first n moves.
func (c Chain) After(n int) *xiangqi.Position { return MustPlay(c.Start, c.Moves[:n]...) }

// MustPlay returns the position after moves. It panics on an error.
func MustPlay(pos *xiangqi.Position, moves ...string) *xiangqi.Position {
	for _, text := range moves {
		m, err := pos.Parse(text)
		if err == nil {
			pos, err = pos.PlayMove(xiangqi.Move(m))
		}
		if err != nil {
			panic("boards: " + err.Error())
		}
	}
	return pos
}

// A Choice is a position with two legal moves, of which Best mates.
type Choice struct {
	Pos         *xiangqi.Position
	Best, Other string
}

var Choices = []Choice{
	{MustParse("2e2ae1r/hc2a4/4k4/2p6/p3H1P2/9/4r1PCR/E2AK4/9/R2A2E2 w"), "H3-E3", "E2-F2"},
	{MustParse("3a2e2/3kCC2r/3a4h/9/2e3p2/P5P1p/2ppP3P/H3EK3/1c4R2/3A1AEHR b"), "I8-F8", "D8-E8"},
}

// Poisoned is a position with two legal moves, of which Other takes a rook and lets PoisonedMate mate.
var Poisoned = Choice{MustParse("1hR1ka1hr/4a4/4e4/p5C2/P1p5p/1cP1c3P/3p2P2/E1C2K2H/4A4/RHEA5 b"), "E8-D9", "E7-C9"}

// PoisonedMate is the move of the other side that mates after Poisoned.Other.
const PoisonedMate = "G6-G9"

// Thoughtful is a position where Best mates and without it there is much to think about.
var Thoughtful = Choice{Pos: MustParse("rheakaehr/9/3C1c3/p1p1C1p2/4p3p/2c6/P1P1P1P1P/9/R8/1HEAKAEHR w"), Best: "D7-E7"}

// MateInOne are positions with many moves, of which one mates.
var MateInOne = []*xiangqi.Position{
	MustParse("2ea1aP2/3R5/2h2k3/P1pHP4/6e2/c8/2P6/H8/4R4/2EAKA3 w"),
	MustParse("3akaeC1/4h4/2R3h2/2pc2c2/P1e1P3p/6P2/2P5P/H4rr2/1R2K4/2EAHAE2 b"),
}

var (
	Mated     = MustParse("2ea1aP2/3R5/2h1Pk3/P1pH5/6e2/c8/2P6/H8/4R4/2EAKA3 b")
	Stalemate = MustParse("3k5/4P4/9/9/9/9/9/9/9/5K3 b")
	// Middlegame is a position from a game that is in no opening book.
	Middlegame = MustParse("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w")
	// ManyMoves has more than sixty legal moves for either side, many of them captures.
	ManyMoves = MustParse("1c1rk2C1/7r1/e1h1ea3/p1P1p3p/5cp2/2h1H1P1P/P2R5/2H1E4/7R1/2EAKA3 b")
	// LongestFEN has a FEN of maximum length. LongLine has one legal move, and a FEN that does not
	// fit into a line of 78 bytes.
	LongestFEN = MustParse("1r1ak1e1r/1h1c1h1c1/R1C1e1C1R/p1p1p1p1p/1P1P1P1P1/1H2P2H1/9/3A1A3/9/2E1K1E2 b")
	LongLine   = MustParse("1h1ak1eC1/1C2a1r2/4e1h1c/p1p1p1c2/1P1r2p1p/2E3P2/1RP1P3P/3A2H1E/9/1H1AK3R b")
)

// EndsGame reports whether a move ends the game.
func EndsGame(pos *xiangqi.Position, m engine.Move) bool {
	next, err := pos.PlayMove(xiangqi.Move(m))
	return err == nil && next.Result().Over()
}

// LegalMoves describes the legal moves of a position for messages.
func LegalMoves(pos *xiangqi.Position) string {
	moves := pos.LegalMoves()
	if len(moves) > 4 {
		return "a legal move"
	}
	var texts []string
	for _, m := range moves {
		texts = append(texts, m.ICCS())
	}
	return strings.Join(texts, " or ")
}

// RandomGame returns the moves of a game with a number of plies, always the same. In a long game
// captures are avoided, and no position occurs three times.
func RandomGame(plies int, long bool) []string {
	key := struct {
		plies int
		long  bool
	}{plies, long}
	moves, known := randomGames.Load(key)
	if !known {
		moves, _ = randomGames.LoadOrStore(key, newGame(plies, long))
	}
	return slices.Clone(moves.([]string))
}

// randomGames caches games: finding a long one takes time.
var randomGames sync.Map

func newGame(plies int, long bool) []string {
	r := rand.New(rand.NewPCG(1, uint64(plies))) //nolint:gosec // the same game every time is what is wanted
	pos := xiangqi.Start()
	stood := map[uint64]int{}
	var moves []string
	for len(moves) < plies {
		var next *xiangqi.Position
		var move xiangqi.Move
		legal := pos.LegalMoves()
		for range 200 {
			move = legal[r.IntN(len(legal))]
			next, _ = pos.PlayMove(move)
			takes := pos.At(move.To()) != xiangqi.Empty
			if len(next.LegalMoves()) > 0 && (!long || !takes && stood[next.Key()] < 2) {
				break
			}
		}
		moves = append(moves, move.ICCS())
		stood[next.Key()]++
		pos = next
	}
	return moves
}
