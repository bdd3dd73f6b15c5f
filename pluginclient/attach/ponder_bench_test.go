package attach

import (
	"sync"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
)

// BenchmarkPonder measures what pondering (BGTHINK) saves: the embedded engine, behind a plugin,
// plays games against itself at one level. Each iteration is a move of the opponent and the
// plugin's AI after it. %hits is the share of moves that were expected; ms-hit and ms-miss are the
// times of AI after these and after the others.
//
//	go test ./pluginclient/attach -run - -bench Ponder -benchtime 200x
func BenchmarkPonder(b *testing.B) {
	const level = 7
	g := newPonderGame(b, level)
	for b.Loop() {
		g.reply()
	}
	hits, misses := time.Duration(max(g.hits, 1)), time.Duration(max(g.replies-g.hits, 1))
	hit, miss := (g.afterHit / hits).Seconds(), (g.afterMiss / misses).Seconds()
	b.ReportMetric(100*float64(g.hits)/float64(max(g.replies, 1)), "%hits")
	b.ReportMetric(1000*hit, "ms-hit")
	b.ReportMetric(1000*miss, "ms-miss")
	b.ReportMetric(0, "ns/op")
}

// A ponderGame plays games between a plugin that ponders and an opponent.
type ponderGame struct {
	*host
	opponent            pluginclient.Session
	opening             int
	pos                 engine.Position
	replies, hits       int
	afterHit, afterMiss time.Duration

	mu     sync.Mutex
	latest uint64 // the key of the position that the plugin searched last
}

func newPonderGame(b *testing.B, level int) *ponderGame {
	opponent, err := Open(b.Context(), "builtin", Options{Games: games.Default, Level: &level})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { opponent.Close() })
	g := &ponderGame{opponent: opponent}
	g.host = newHost(b, "builtin", func(s *qhplugin.Server) {
		s.Level = level
		s.Watch = func(pos engine.Position, _ []engine.Line) {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.latest = pos.Key()
		}
	})
	g.ask("OK", "BGTHINK ON")
	g.begin()
	return g
}

// begin starts a game from the next sample and lets the plugin move.
func (g *ponderGame) begin() {
	samples := xiangqi.Samples()
	g.pos = samples[g.opening%len(samples)]
	g.opening++
	engine.Forget(g.opponent)
	g.ask("OK", "FEN %v", g.pos)
	g.answer()
}

// answer lets the plugin move.
func (g *ponderGame) answer() time.Duration {
	begun := time.Now()
	g.say("AI")
	text := g.hear("")
	took := time.Since(begun)
	g.play(text)
	return took
}

func (g *ponderGame) play(text string) {
	m, err := g.pos.Parse(text)
	if err != nil {
		g.b.Fatal(err)
	}
	if g.pos, err = g.pos.Play(m); err != nil {
		g.b.Fatal(err)
	}
}

// reply lets the opponent move, and then the plugin.
func (g *ponderGame) reply() {
	for engine.Adjudicate(g.pos).Over() {
		g.begin()
	}
	lines, err := engine.Best(g.b.Context(), g.opponent, g.pos, engine.Limits{})
	if err != nil {
		g.b.Fatal(err)
	}
	g.play(g.pos.Format(lines[0].Move()))
	if engine.Adjudicate(g.pos).Over() {
		return
	}
	_, moves := g.pos.History()
	g.mu.Lock()
	hit := g.latest == g.pos.Key()
	g.mu.Unlock()
	g.ask("OK", "PLAY %s", xiangqi.Move(moves[len(moves)-1]))
	took := g.answer()
	g.replies++
	if hit {
		g.hits++
		g.afterHit += took
		return
	}
	g.afterMiss += took
}
