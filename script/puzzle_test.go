package script

import (
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/puzzle"
)

// samplePuzzle returns a puzzle at a ply of a game.
func samplePuzzle(t testing.TB, ply int) *puzzleValue {
	return &puzzleValue{&puzzle.Puzzle{
		Kind: puzzle.Mate, End: "checkmate", Length: 2, Level: 3,
		Solution: batch.Hint{Move: "H9-G7", Score: engine.MateIn(2), PV: []string{"H9-G7", "H0-G2"}},
		Other:    batch.Hint{Move: "A9-A8", Score: engine.Centipawns(-20), PV: []string{"A9-A8"}},
	}, sampleGame(t).nodes(false)[ply]}
}

func TestPuzzle(t *testing.T) {
	b := newBench(t.Context())
	p := object{samplePuzzle(t, 1)}
	b.names["p"], b.names["same"], b.names["last"], b.names["json"] = p, p, object{samplePuzzle(t, 3)}, jsonModule()
	b.expect(t, [][2]string{
		{`[p], type(p), bool(p)`, `([ply 1: H9-G7, mate, grade 4], "puzzle", True)`},
		{`p.board.fen, p.board.move_stack`, `("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1", [])`},
		{`p.ply, p.played, last.played`, `(1, "H9-G7", None)`},
		{`p.solution, p.solution.pv, p.other`, `(H9-G7 mate 2, ("H9-G7", "H0-G2"), A9-A8 -0.20)`},
		{`p.kind, p.end, p.length, p.found, p.grade`, `("mate", "checkmate", 2, 3, 4)`},
		{`p == same, p == last, {p: 1}[same]`, `(True, False, 1)`},
		{`p < last`, `error: puzzle < puzzle: not ordered`},
		{`json.encode(last)`, `"{\"fen\":\"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2\",\"ply\":3,\"kind\":\"mate\",\"end\":\"checkmate\",\"length\":2,\"found\":3,\"grade\":4,\"hints\":[{\"move\":\"H9-G7\",\"mate\":2,\"pv\":[\"H9-G7\",\"H0-G2\"]},{\"move\":\"A9-A8\",\"cp\":-20,\"pv\":[\"A9-A8\"]}]}"`},
	})
}

// TestPuzzlesOfGame: the errors; what is found is tested with a real engine.
func TestPuzzlesOfGame(t *testing.T) {
	s := newStage()
	for source, want := range map[string]string{
		`game(board()).puzzles(1)`:                                                    "puzzles: for parameter engine: got int, want engine",
		`game(board()).puzzles(engine(), win=0.5)`:                                    "puzzles: win 0.5, other 0.55: want chances from 0 to 1, and other below win",
		`game(board()).puzzles(engine(), scale=0)`:                                    "puzzles: scale 0: want 1 to ",
		`game(board()).puzzles(engine(nodes=5))`:                                      "puzzles: puzzles are found at levels: use engine(level=...) without nodes and depth",
		`game(board()).puzzles(engine(level=2), prove=1)`:                             "puzzles: prove 1 is below the engine's level 2",
		`game(board(game="qchess")).puzzles(engine())`:                                "puzzles: no puzzles can be made of games of Qchess, only of ",
		`game(board(game="quoridor")).puzzles(engine())`:                              "puzzles: the position is of Quoridor, and the engine plays Xiangqi",
		`e = engine(); e.close(); game(board()).puzzles(e)`:                           "puzzles: the engine is closed",
		`print(game(board("startpos moves h2e2")).puzzles(engine(level=1), prove=1))`: "[]",
	} {
		if got := s.run(t, source); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}
