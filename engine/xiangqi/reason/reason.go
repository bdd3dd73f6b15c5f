// Package reason says why a move of Xiangqi is bad, or that it was the only one, as far as that can be proved.
//
// [Of] is given a move and what an engine says of it. The engine proposes: its reply to the move, or the move that
// it would have played itself, is what a sentence is about. The rules decide: there is a sentence only if a search
// through all legal moves that matter proves its claim. Where nothing is proved, nothing is said.
//
// # What is claimed
//
// Pieces have the usual values: a rook 9, a cannon 4½, a horse 4, an advisor and an elephant 2, a pawn 1. To win
// something by captures is to win it in a game in which the sides only capture, by legal moves, and each may stop at
// any time; who is checkmated has lost it all. A piece is won if the other side wins back by captures, with what it has
// taken since the threat was made, at most a quarter of its value: an advisor for a rook, a pawn for a cannon or a
// horse, nothing for an advisor or an elephant.
//
//	AllowsMate     the other side forces checkmate in n moves
//	Hangs          the move captures nothing, and the reply captures a piece and wins it
//	Exchange       the reply captures a piece, and what the move has captured, what captures the capturer, or both,
//	               are all that the mover wins for it: worth less by an advisor or more
//	AllowsFork     the piece that replies attacks several pieces, and would win each if the mover passed; it wins one of
//	               them after every legal move
//	AllowsCheck    the reply is a check, after which a piece is won, whatever the legal move that answers
//	AllowsTrap     the same of a reply that is no check
//	LosesMaterial  the other side wins so much by captures after three moves of its own at most, whatever is
//	               answered: the reply, captures and checks
//	MissesMate     the mover could have forced checkmate in n moves
//	MissesCapture  the engine's move captures a piece, and nothing could have been won back by captures
//	MissesFork     the engine's move is a fork as above,
//	MissesCheck    a check that wins a piece,
//	MissesTrap     or a trap
//	MissesMaterial the mover could have won so much, as for LosesMaterial, by the engine's move, captures and checks
//	OnlyMove       there is no other legal move, or after each of the others the other side forces checkmate in three
//	               moves at most
//	MissesOnlyMove the same is true of every move but the engine's
//
// A mate is proved by checks, but for the first move, which may be the engine's, and the last but one. None of its
// positions has occurred in the game before, nor is it near the end of a game by lack of progress, so that no such rule
// comes first. Pawns are neither forked nor trapped, and what can be won at once is not forked or trapped.
//
// A claim about material must be the reason, too. What the move loses it loses compared with the engine's move: by
// captures, or because the same reply threatens or forces less after that. And the material must weigh a third at least
// of what the engine finds lost, a pawn being a hundred centipawns; a mate on either side outweighs all.
//
// What tables of endgames know has no sentence yet: it would be a kind of its own.
package reason

import (
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// A Kind is what a reason claims, see the comment of the package.
type Kind string

// The kinds.
const (
	AllowsMate     Kind = "allows mate"
	Hangs          Kind = "hangs"
	Exchange       Kind = "exchange"
	AllowsFork     Kind = "allows fork"
	AllowsCheck    Kind = "allows check"
	AllowsTrap     Kind = "allows trap"
	LosesMaterial  Kind = "loses material"
	MissesMate     Kind = "misses mate"
	MissesCapture  Kind = "misses capture"
	MissesFork     Kind = "misses fork"
	MissesCheck    Kind = "misses check"
	MissesTrap     Kind = "misses trap"
	MissesMaterial Kind = "misses material"
	OnlyMove       Kind = "only move"
	MissesOnlyMove Kind = "misses only move"
)

// A Reason is a sentence whose claim is proved.
type Reason struct {
	Kind             Kind
	English, Chinese string
}

// A Move is a move with what an engine says of it.
type Move struct {
	Before *xiangqi.Position
	Played xiangqi.Move
	Bad    bool // the engine would have played another move, and better
	// Best is the engine's move in Before, and Reply that after Played, with their scores for the side that moves.
	Best, Reply           xiangqi.Move
	BestScore, ReplyScore engine.Score
}

// explains reports whether so much material is a third of what the engine finds lost, or more.
func (m Move) explains(material int) bool {
	before, ok := m.BestScore.Centipawns()
	after, ok2 := m.ReplyScore.Centipawns()
	const third = 3 * 50 // centipawns
	return ok && ok2 && before+after <= third*material
}

// Of returns what is proved of a legal move: of a bad one what it allows, then what it misses, the gravest of each;
// of another that it was the only one.
func Of(m Move) (reasons []Reason) {
	p := &prover{board: m.Before.Board(), known: map[mateKey]bool{}}
	found := func(claims ...func(Move) *Reason) bool {
		for _, claim := range claims {
			p.left = budget
			if r := claim(m); r != nil && p.left >= 0 {
				reasons = append(reasons, *r)
				return true
			}
		}
		return false
	}
	switch {
	case !m.Bad:
		found(p.onlyMove)
	case found(p.allowsMate):
		found(p.missesMate, p.missesOnlyMove)
	case found(p.losesPiece, p.allowsThreat, p.losesMaterial):
		found(p.missesMate, p.missesCapture, p.missesThreat)
	default:
		found(p.missesMate, p.missesCapture, p.missesThreat, p.missesMaterial)
	}
	return reasons
}

func (p *prover) allowsMate(m Move) *Reason {
	p.board.Do(m.Played)
	defer p.board.Undo()
	n := p.mateIn(m.ReplyScore, m.Reply)
	if n == 0 {
		return nil
	}
	return &Reason{AllowsMate, fmt.Sprintf("Allows mate in %d.", n), fmt.Sprintf("对方有 %d 步杀。", n)}
}

func (p *prover) missesMate(m Move) *Reason {
	n := p.mateIn(m.BestScore, m.Best)
	if n == 0 {
		return nil
	}
	return &Reason{MissesMate, fmt.Sprintf("Misses mate in %d.", n), fmt.Sprintf("错过 %d 步杀。", n)}
}

// losesPiece is about Hangs and Exchange.
func (p *prover) losesPiece(m Move) *Reason {
	b, taken := p.board, p.board.At(m.Played.To())
	if p.gain(m.Best) <= p.gain(m.Played) {
		return nil
	}
	b.Do(m.Played)
	defer b.Undo()
	at := m.Reply.To()
	victim := b.At(at)
	if !b.Legal(m.Reply) || victim == xiangqi.Empty {
		return nil
	}
	lost, english, chinese := value(victim), name(b, at), notation.PieceName(b, at)
	b.Do(m.Reply)
	defer b.Undo()
	back := p.captures(-infinite, infinite)
	if !m.explains(lost - value(taken) - back) {
		return nil
	}
	if taken == xiangqi.Empty && back <= price(victim) {
		return &Reason{Hangs, fmt.Sprintf("Leaves %s hanging.", english), fmt.Sprintf("白丢%s。", chinese)}
	}
	var won []xiangqi.Piece
	if taken != xiangqi.Empty {
		won = append(won, taken)
	}
	if back > 0 {
		if won = append(won, b.At(at)); value(b.At(at)) != back || !p.wins(at, anywhere, 0) {
			return nil
		}
	}
	if lost-value(taken)-back < minor {
		return nil
	}
	var names, characters []string
	for _, piece := range won {
		names, characters = append(names, withArticle(piece)), append(characters, "一"+string(notation.Character(piece)))
	}
	return &Reason{
		Exchange, fmt.Sprintf("Gives %s for %s.", english, strings.Join(names, " and ")),
		fmt.Sprintf("%s只换得%s。", chinese, strings.Join(characters, "")),
	}
}

// allowsThreat is about AllowsFork, AllowsCheck and AllowsTrap.
func (p *prover) allowsThreat(m Move) *Reason {
	b, taken := p.board, value(p.board.At(m.Played.To()))
	b.Do(m.Best)
	elsewhere := p.threat(m.Reply)
	b.Undo()
	b.Do(m.Played)
	defer b.Undo()
	t := p.threat(m.Reply)
	if t == nil || t.least < taken+minor || !m.explains(t.least-taken) || elsewhere != nil && elsewhere.equal(t) {
		return nil
	}
	switch english, chinese := t.names(b); {
	case t.isCheck:
		return &Reason{AllowsCheck, fmt.Sprintf("Allows a check that wins %s.", english), fmt.Sprintf("对方可借将得%s。", chinese)}
	case len(t.targets) == 1:
		return &Reason{AllowsTrap, fmt.Sprintf("Lets %s be trapped.", english), fmt.Sprintf("%s将被捉死。", chinese)}
	default:
		piece := b.At(m.Reply.From())
		return &Reason{
			AllowsFork, fmt.Sprintf("Allows the %v to fork %s from %v.", piece.Kind(), english, m.Reply.To()),
			fmt.Sprintf("对方可用%c同时捉%s。", notation.Character(piece), chinese),
		}
	}
}

func (p *prover) missesCapture(m Move) *Reason {
	b, at := p.board, m.Best.To()
	if b.At(at) == xiangqi.Empty || !m.explains(value(b.At(at))) || p.gain(m.Best) != value(b.At(at)) || p.gain(m.Best) <= p.gain(m.Played) {
		return nil
	}
	return &Reason{MissesCapture, fmt.Sprintf("Misses that %s is hanging.", name(b, at)), fmt.Sprintf("错过白吃%s。", notation.PieceName(b, at))}
}

// missesThreat is about MissesFork, MissesCheck and MissesTrap.
func (p *prover) missesThreat(m Move) *Reason {
	b, t := p.board, p.threat(m.Best)
	if t == nil || t.least < max(0, p.gain(m.Played))+minor || !m.explains(t.least) {
		return nil
	}
	switch english, chinese := t.names(b); {
	case t.isCheck:
		return &Reason{MissesCheck, fmt.Sprintf("Misses a check that wins %s.", english), fmt.Sprintf("错过借将得%s。", chinese)}
	case len(t.targets) == 1:
		return &Reason{MissesTrap, fmt.Sprintf("Misses that %s can be trapped.", english), fmt.Sprintf("错过捉死%s。", chinese)}
	default:
		piece := b.At(m.Best.From())
		return &Reason{
			MissesFork, fmt.Sprintf("Misses that the %v can fork %s from %v.", piece.Kind(), english, m.Best.To()),
			fmt.Sprintf("错过用%c同时捉%s。", notation.Character(piece), chinese),
		}
	}
}

func (p *prover) losesMaterial(m Move) *Reason {
	b := p.board
	paid := value(b.At(m.Best.To()))
	b.Do(m.Best)
	before := p.forced(paid, m.Reply)
	b.Undo()
	paid = value(b.At(m.Played.To()))
	b.Do(m.Played)
	defer b.Undo()
	kind := p.forced(paid, m.Reply)
	if values[kind] <= values[before] || !m.explains(values[kind]) {
		return nil
	}
	piece := xiangqi.NewPiece(xiangqi.Red, kind)
	return &Reason{LosesMaterial, fmt.Sprintf("Loses the worth of %s by force.", withArticle(piece)), fmt.Sprintf("必失相当于一%c的子力。", notation.Character(piece))}
}

func (p *prover) missesMaterial(m Move) *Reason {
	kind := p.forced(max(0, p.gain(m.Played)), m.Best)
	if kind == xiangqi.NoKind || !m.explains(values[kind]) {
		return nil
	}
	piece := xiangqi.NewPiece(xiangqi.Red, kind)
	return &Reason{MissesMaterial, fmt.Sprintf("Misses winning the worth of %s by force.", withArticle(piece)), fmt.Sprintf("错过必得相当于一%c的子力。", notation.Character(piece))}
}

func (p *prover) onlyMove(m Move) *Reason {
	n, ok := p.others(m.Played)
	mate, _ := m.ReplyScore.Mate()
	switch {
	case ok && n == 0:
		return &Reason{OnlyMove, "The only legal move.", "唯一合法着法。"}
	case !ok || mate > 0 || !m.ReplyScore.Known():
		return nil
	}
	return &Reason{OnlyMove, "The only move: every other one allows mate in " + atMost(n) + ".", fmt.Sprintf("唯一着法：其余着法均在 %d 步内被杀。", n)}
}

func (p *prover) missesOnlyMove(m Move) *Reason {
	n, ok := p.others(m.Best)
	if mate, _ := m.BestScore.Mate(); !ok || mate < 0 || !m.BestScore.Known() {
		return nil
	}
	return &Reason{MissesOnlyMove, "Every move but one allows mate in " + atMost(n) + ".", fmt.Sprintf("除一着外，其余着法均在 %d 步内被杀。", n)}
}

// atMost returns a maximum, such as "3 at most".
func atMost(n int) string {
	if n == 1 {
		return "1"
	}
	return fmt.Sprintf("%d at most", n)
}

// names returns the targets of a threat on the board before it, in English and Chinese.
func (t *threat) names(b *xiangqi.Board) (english, chinese string) {
	var names, characters []string
	for _, at := range t.targets {
		names, characters = append(names, name(b, at)), append(characters, notation.PieceName(b, at))
	}
	return strings.Join(names, " and "), strings.Join(characters, "和")
}

// name returns a piece with its point, such as "the horse on C4".
func name(b *xiangqi.Board, at xiangqi.Square) string {
	return fmt.Sprintf("the %v on %v", b.At(at).Kind(), at)
}

// withArticle returns a piece, such as "a horse".
func withArticle(piece xiangqi.Piece) string {
	word := piece.Kind().String()
	if strings.IndexByte("ae", word[0]) >= 0 {
		return "an " + word
	}
	return "a " + word
}
