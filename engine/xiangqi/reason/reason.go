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
//	Hangs          the move captures nothing, and the reply captures a piece and wins it, even if captures were confined
//	               to its point
//	Exchange       the reply captures a piece, and what the move has captured, what captures the capturer, or both,
//	               are all that the mover wins for it: worth less by an advisor or more
//	AllowsFork     the piece that replies attacks several pieces, and would win each if the mover passed; it wins one of
//	               them after every legal move
//	AllowsCheck    the reply is a check, after which a piece is won, whatever the legal move that answers
//	AllowsTrap     the same of a reply that is no check
//	LosesMaterial  the other side wins so much by captures after three moves of its own at most, whatever is
//	               answered: the reply, captures and checks
//	MissesMate     the mover could have forced checkmate in n moves
//	MissesCapture  the engine's move captures a piece, and nothing could have been won back by captures, not even if they
//	               were confined to its point
//	MissesFork     the engine's move is a fork as above,
//	MissesCheck    a check that wins a piece,
//	MissesTrap     or a trap
//	MissesMaterial the mover could have won so much, as for LosesMaterial, by the engine's move, captures and checks
//	OnlyMove       there is no other legal move, or after each of the others the other side forces checkmate in three
//	               moves at most
//	MissesOnlyMove the same is true of every move but the engine's
//	ThrowsWin      tables of endings know that the mover could force mate or stalemate, and cannot any more
//	LosesDraw      they know that the game was a draw, and now the other side forces mate or stalemate
//
// A mate is proved by checks, but for the first move, which may be the engine's, and the last but one. None of its
// positions has occurred in the game before, nor is it near the end of a game by lack of progress, so that no such rule
// comes first. Pawns are neither forked nor trapped, and what can be won at once is not forked or trapped.
//
// A claim about material must be the reason, too. What the move loses it loses compared with the engine's move: by
// captures, or because the same reply threatens or forces less after that. And what the engine finds lost must be between
// a third and twice of the material, a pawn being a hundred centipawns: so a piece that is given for an attack does not
// hang, and a pawn does not explain a lost game.
package reason

import (
	"fmt"
	"slices"
	"strconv"
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
	ThrowsWin      Kind = "throws away win"
	LosesDraw      Kind = "loses draw"
)

// words are the sentences in English and Chinese. Forks name the piece, its targets and its point.
var words = map[Kind]phrase{
	AllowsMate:     {"Allows mate in %s.", "对方有 %s 步杀。"},
	Hangs:          {"Leaves %s hanging.", "白丢%s。"},
	Exchange:       {"Gives %s for %s.", "%s只换得%s。"},
	AllowsFork:     {"Allows the %s to fork %s from %s.", "对方可用%[1]s同时捉%[2]s。"},
	AllowsCheck:    {"Allows a check that wins %s.", "对方可借将得%s。"},
	AllowsTrap:     {"Lets %s be trapped.", "%s将被捉死。"},
	LosesMaterial:  {"Loses the worth of %s by force.", "必失相当于%s的子力。"},
	MissesMate:     {"Misses mate in %s.", "错过 %s 步杀。"},
	MissesCapture:  {"Misses that %s is hanging.", "错过白吃%s。"},
	MissesFork:     {"Misses that the %s can fork %s from %s.", "错过用%[1]s同时捉%[2]s。"},
	MissesCheck:    {"Misses a check that wins %s.", "错过借将得%s。"},
	MissesTrap:     {"Misses that %s can be trapped.", "错过捉死%s。"},
	MissesMaterial: {"Misses winning the worth of %s by force.", "错过必得相当于%s的子力。"},
	OnlyMove:       {"The only move: every other one allows mate in %s.", "唯一着法：其余着法均在 %s 步内被杀。"},
	MissesOnlyMove: {"Every move but one allows mate in %s.", "除一着外，其余着法均在 %s 步内被杀。"},
	ThrowsWin:      {"Throws away a won ending, mate in %s: now it is %s.", "断送必胜残局（%s 步杀），现为%s。"},
	LosesDraw:      {"Loses a drawn ending: mate in %s.", "把和棋残局走输：%s 步内被杀。"},
}

// A phrase is part of a sentence in both languages.
type phrase struct{ english, chinese string }

// say returns the reason of a kind about some phrases.
func say(kind Kind, about ...phrase) *Reason {
	var english, chinese []any
	for _, p := range about {
		english, chinese = append(english, p.english), append(chinese, p.chinese)
	}
	return &Reason{kind, fmt.Sprintf(words[kind].english, english...), fmt.Sprintf(words[kind].chinese, chinese...)}
}

// number returns a number of moves.
func number(n int) phrase { return phrase{strconv.Itoa(n), strconv.Itoa(n)} }

// atMost returns a maximum of moves.
func atMost(n int) phrase {
	if n == 1 {
		return number(n)
	}
	return phrase{strconv.Itoa(n) + " at most", strconv.Itoa(n)}
}

// name returns a piece with its place, such as "the horse on C4".
func name(b *xiangqi.Board, at xiangqi.Square) phrase {
	return phrase{fmt.Sprintf("the %v on %v", b.At(at).Kind(), at), notation.PieceName(b, at)}
}

// one returns a piece of a kind, such as "a horse".
func one(piece xiangqi.Piece) phrase {
	word, article := piece.Kind().String(), "a "
	if strings.IndexByte("ae", word[0]) >= 0 {
		article = "an "
	}
	return phrase{article + word, "一" + string(notation.Character(piece))}
}

// join returns phrases as one.
func join(parts []phrase, english, chinese string) (all phrase) {
	for i, p := range parts {
		if i > 0 {
			all = phrase{all.english + english, all.chinese + chinese}
		}
		all = phrase{all.english + p.english, all.chinese + p.chinese}
	}
	return all
}

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
	Known                 engine.Known
}

// explains reports whether what the engine finds lost is so much material, roughly: between a third and twice of it.
func (m Move) explains(material int) bool {
	before, ok := m.BestScore.Centipawns()
	after, ok2 := m.ReplyScore.Centipawns()
	lost, usual := before+after, 50*material
	return ok && ok2 && usual <= 3*lost && lost <= 2*usual
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
	case found(spoilsEnding, p.allowsMate):
		found(p.missesMate, p.missesOnlyMove)
	case found(p.losesPiece, p.allowsThreat, p.losesMaterial):
		found(p.missesMate, p.missesCapture, p.missesThreat)
	default:
		found(p.missesMate, p.missesCapture, p.missesThreat, p.missesMaterial)
	}
	return reasons
}

// spoilsEnding is about ThrowsWin and LosesDraw.
func spoilsEnding(m Move) *Reason {
	before, ok := m.Known.Of(m.Before)
	next, err := m.Before.PlayMove(m.Played)
	if !ok || err != nil {
		return nil
	}
	after, ok := m.Known.Of(next)
	moves := func(e engine.Ending) phrase { return number((*e.Plies + 1) / 2) }
	switch {
	case !ok || before.Value == "loss" || after.Value == "loss":
	case before.Value == "draw" && after.Value == "win":
		return say(LosesDraw, moves(after))
	case before.Value == "win" && after.Value == "win":
		return say(ThrowsWin, moves(before), phrase{"lost", "必败"})
	case before.Value == "win":
		return say(ThrowsWin, moves(before), phrase{"a draw", "和棋"})
	}
	return nil
}

func (p *prover) allowsMate(m Move) *Reason {
	p.board.Do(m.Played)
	defer p.board.Undo()
	if n := p.mateIn(m.ReplyScore, m.Reply); n > 0 {
		return say(AllowsMate, number(n))
	}
	return nil
}

func (p *prover) missesMate(m Move) *Reason {
	if n := p.mateIn(m.BestScore, m.Best); n > 0 {
		return say(MissesMate, number(n))
	}
	return nil
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
	lost := name(b, at)
	b.Do(m.Reply)
	defer b.Undo()
	back := p.captures(-infinite, infinite)
	net := value(victim) - value(taken) - back
	if !m.explains(net) {
		return nil
	}
	if taken == xiangqi.Empty && max(back, p.exchange(at)) <= price(victim) {
		return say(Hangs, lost)
	}
	var won []phrase
	if taken != xiangqi.Empty {
		won = append(won, one(taken))
	}
	if back > 0 {
		if won = append(won, one(b.At(at))); value(b.At(at)) != back || !p.wins(at, anywhere, 0) {
			return nil
		}
	}
	if len(won) == 0 || net < minor {
		return nil
	}
	return say(Exchange, lost, join(won, " and ", ""))
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
	if t == nil || t.least < taken+minor || !m.explains(t.least-taken) || elsewhere != nil && slices.Equal(elsewhere.targets, t.targets) {
		return nil
	}
	return t.say(b, AllowsFork, AllowsCheck, AllowsTrap)
}

func (p *prover) missesCapture(m Move) *Reason {
	b, at := p.board, m.Best.To()
	victim := value(b.At(at))
	if victim == 0 || !m.explains(victim) || p.gain(m.Best) != victim || p.gain(m.Played) >= victim {
		return nil
	}
	piece := name(b, at)
	b.Do(m.Best)
	defer b.Undo()
	if p.exchange(at) > 0 {
		return nil
	}
	return say(MissesCapture, piece)
}

// missesThreat is about MissesFork, MissesCheck and MissesTrap.
func (p *prover) missesThreat(m Move) *Reason {
	t := p.threat(m.Best)
	if t == nil || t.least < max(0, p.gain(m.Played))+minor || !m.explains(t.least) {
		return nil
	}
	return t.say(p.board, MissesFork, MissesCheck, MissesTrap)
}

// say returns the reason that is a threat on the board before it.
func (t *threat) say(b *xiangqi.Board, fork, check, trap Kind) *Reason {
	var names []phrase
	for _, at := range t.targets {
		names = append(names, name(b, at))
	}
	targets := join(names, " and ", "和")
	switch {
	case t.isCheck:
		return say(check, targets)
	case len(names) == 1:
		return say(trap, targets)
	}
	piece, to := b.At(t.move.From()), t.move.To().String()
	return say(fork, phrase{piece.Kind().String(), string(notation.Character(piece))}, targets, phrase{to, to})
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
	if lost := p.forced(paid, m.Reply); value(lost) > value(before) && m.explains(value(lost)) {
		return say(LosesMaterial, one(lost))
	}
	return nil
}

func (p *prover) missesMaterial(m Move) *Reason {
	if won := p.forced(max(0, p.gain(m.Played)), m.Best); won != xiangqi.Empty && m.explains(value(won)) {
		return say(MissesMaterial, one(won))
	}
	return nil
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
	return say(OnlyMove, atMost(n))
}

func (p *prover) missesOnlyMove(m Move) *Reason {
	n, ok := p.others(m.Best)
	if mate, _ := m.BestScore.Mate(); !ok || mate < 0 || !m.BestScore.Known() {
		return nil
	}
	return say(MissesOnlyMove, atMost(n))
}
