package jsonl

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// maxSteps is how many positions a Game keeps that have been asked for.
const maxSteps = 10_000

// A Game is a game whose rules are known to a program alone, its referee, which is started when the first
// position is needed. A position has all that the rules say about it, so only those that have not been
// asked for yet need the referee. A move is the number of its text.
type Game struct {
	name string
	ctx  context.Context // of all questions to the referee
	dial func(ctx context.Context) (*Client, error)

	mu      sync.Mutex
	referee *Client // nil: not started
	start   *Position
	moves   []string // the texts of moves, from Move 1 on
	numbers map[string]engine.Move
	steps   map[string]*Position // by their start and moves
}

// NewGame returns a game by the name of the program's own. ctx ends all questions to its referee.
func NewGame(ctx context.Context, name string, referee pluginclient.Program, o Options) *Game {
	return &Game{
		name: name, ctx: ctx, numbers: map[string]engine.Move{}, steps: map[string]*Position{},
		dial: func(ctx context.Context) (*Client, error) { return Dial(ctx, referee, o) },
	}
}

// Name returns the game's name.
func (g *Game) Name() string { return g.name }

// Prepare starts the referee, if it is not running, and asks it for the start of the game. Start can fail
// only before that.
func (g *Game) Prepare() error {
	_, err := g.state("", nil)
	if err != nil {
		return fmt.Errorf("the referee of %s: %w", g.name, err)
	}
	return nil
}

// Start returns the position that a game begins from: one without moves if the referee fails, see Prepare.
func (g *Game) Start() engine.Position {
	pos, err := g.state("", nil)
	if err != nil {
		return &Position{game: g, state: &State{FEN: "?", Turn: engine.First.String()}, failed: err}
	}
	return pos
}

// Position asks the referee for a position.
func (g *Game) Position(text string) (engine.Position, error) {
	pos, err := g.state(text, nil)
	if err != nil {
		return nil, err
	}
	return pos, nil
}

// state returns the position after moves from a text, "" being the start of the game.
func (g *Game) state(text string, moves []string) (*Position, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if text == "" && g.start != nil {
		return g.start, nil
	}
	key := text + "\n" + strings.Join(moves, " ")
	if pos := g.steps[key]; pos != nil {
		return pos, nil
	}
	if g.referee == nil {
		var err error
		if g.referee, err = g.dial(g.ctx); err != nil {
			return nil, err
		}
	}
	s, err := g.referee.AskState(g.ctx, text, moves)
	if err != nil {
		if told, ok := errors.AsType[*pluginclient.Error](err); ok && errors.Is(err, pluginclient.ErrRefused) {
			err = told.Err // what the referee says about the position, without the conversation
		}
		return nil, err
	}
	pos := &Position{game: g, state: s, start: s.FEN}
	for _, m := range s.Moves {
		if g.numbers[m] == engine.NoMove {
			g.moves = append(g.moves, m)
			g.numbers[m] = engine.Move(len(g.moves))
		}
	}
	if text == "" {
		g.start = pos
	}
	if len(g.steps) >= maxSteps {
		clear(g.steps)
	}
	g.steps[key] = pos
	return pos, nil
}

// text returns the text of a move; "" if there is none.
func (g *Game) text(m engine.Move) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if m == engine.NoMove || int(m) > len(g.moves) {
		return ""
	}
	return g.moves[m-1]
}

func (g *Game) number(text string) engine.Move {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.numbers[text]
}

// Close ends the referee.
func (g *Game) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.referee == nil {
		return nil
	}
	return g.referee.Close()
}

// A Position is one of a Game.
type Position struct {
	state  *State
	game   *Game
	start  string // the text of the position that its history begins from
	before *Position
	last   engine.Move
	failed error // why the referee has not said what the start of the game is
}

var _ engine.Odds = (*Position)(nil)

// Game returns the game.
func (p *Position) Game() engine.Game { return p.game }

// Turn returns whose turn it is.
func (p *Position) Turn() engine.Turn { return p.state.turn() }

// Moves returns the legal moves in the referee's order.
func (p *Position) Moves() []engine.Move {
	moves := make([]engine.Move, len(p.state.Moves))
	for i, text := range p.state.Moves {
		moves[i] = p.game.number(text)
	}
	return moves
}

// Play asks the referee for the position after a move, unless it is known.
func (p *Position) Play(m engine.Move) (engine.Position, error) {
	if p.failed != nil {
		return nil, p.failed
	}
	text := p.game.text(m)
	if _, err := p.Parse(text); err != nil {
		return nil, err
	}
	var moves []string
	for at := p; at.before != nil; at = at.before {
		moves = append(moves, p.game.text(at.last))
	}
	slices.Reverse(moves)
	known, err := p.game.state(p.start, append(moves, text))
	if err != nil {
		return nil, fmt.Errorf("move %s: %w", engine.Quote(text), err)
	}
	return &Position{state: known.state, game: p.game, start: p.start, before: p, last: m}, nil
}

// Result returns the referee's result.
func (p *Position) Result() engine.Result {
	outcome, _ := p.state.outcome()
	if outcome == engine.Ongoing {
		return engine.Result{}
	}
	return engine.Result{Outcome: outcome, Reason: p.state.Over}
}

// Format returns a move's text.
func (p *Position) Format(m engine.Move) string { return p.game.text(m) }

// Parse parses a legal move.
func (p *Position) Parse(text string) (engine.Move, error) {
	switch number := p.game.number(text); {
	case slices.Contains(p.state.Moves, text):
		return number, nil
	case p.failed != nil:
		return engine.NoMove, p.failed
	case number != engine.NoMove:
		return engine.NoMove, fmt.Errorf("illegal move: %s", engine.Quote(text))
	}
	want := "no move is legal"
	if some := p.state.Moves[:min(len(p.state.Moves), 3)]; len(some) > 0 {
		want = "want one such as " + strings.Join(some, ", ")
	}
	return engine.NoMove, fmt.Errorf("move %s: %w", engine.Quote(text), engine.Malformed(want))
}

// History returns the start position and the moves played since.
func (p *Position) History() (engine.Position, []engine.Move) { return engine.HistoryOf(p) }

// Undo returns the position before the last move, and that move.
func (p *Position) Undo() (before engine.Position, last engine.Move) {
	if p.before == nil {
		return nil, engine.NoMove
	}
	return p.before, p.last
}

// Key returns a hash of the position's text.
func (p *Position) Key() uint64 {
	h := fnv.New64a()
	h.Write([]byte(p.state.FEN))
	return h.Sum64()
}

// String returns the position's text.
func (p *Position) String() string { return p.state.FEN }

// Board returns the referee's pictures of the position, as text and as SVG; "" if there is none.
func (p *Position) Board() (text, svg string) { return p.state.Board, p.state.SVG }

// Odds returns the probability of a move of chance.
func (p *Position) Odds(m engine.Move) float64 {
	if i := slices.Index(p.state.Moves, p.game.text(m)); 0 <= i && i < len(p.state.Odds) {
		return p.state.Odds[i]
	}
	return 0
}
