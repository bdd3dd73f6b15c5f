package gamefile_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
)

// randomGames makes a file of random games of a hundred plies.
func randomGames(b *testing.B) (file []byte, positions int) {
	b.Helper()
	dice := rand.New(rand.NewPCG(1, 2))
	var games []*gamefile.Game
	for range 1000 {
		g, pos := new(gamefile.Game), xiangqi.Start()
		for len(g.Plies) < 100 {
			legal := pos.LegalMoves()
			if len(legal) == 0 {
				break
			}
			ply := gamefile.Ply{Move: legal[dice.IntN(len(legal))], Score: gamefile.Score(dice.IntN(2000) - 1000)}
			g.Plies = append(g.Plies, ply)
			pos, _ = pos.PlayMove(ply.Move) // it is legal
		}
		games = append(games, g)
		positions += len(g.Plies)
	}
	return contents(b, write(b, games...)), positions
}

// readAll reads a file and does something with each game.
func readAll(b *testing.B, do func(*gamefile.Game) int) {
	file, positions := randomGames(b)
	b.ReportAllocs()
	for b.Loop() {
		r, err := gamefile.NewReader(bytes.NewReader(file))
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for g, err := range r.Games() {
			if err != nil {
				b.Fatal(err)
			}
			n += do(g)
		}
		if n != positions {
			b.Fatalf("%d positions, want %d", n, positions)
		}
	}
	b.ReportMetric(float64(positions)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}

// BenchmarkRead reads moves and scores.
func BenchmarkRead(b *testing.B) {
	readAll(b, func(g *gamefile.Game) int { return len(g.Plies) })
}

// BenchmarkReplay makes the moves on a board, too.
func BenchmarkReplay(b *testing.B) {
	readAll(b, func(g *gamefile.Game) (n int) {
		for _, err := range g.Positions() {
			if err == nil {
				n++
			}
		}
		return n
	})
}

// BenchmarkFilter asks for each position whether it passes.
func BenchmarkFilter(b *testing.B) {
	passed := 0
	readAll(b, func(g *gamefile.Game) (n int) {
		for p, err := range g.Positions() {
			if err == nil {
				n++
			}
			if err == nil && p.IsForTraining() {
				passed++
			}
		}
		return n
	})
}
