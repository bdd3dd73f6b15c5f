package xiangqi

import (
	"fmt"
	"strings"
)

// A RuleSet says which repetitions are forbidden, and when a game that leads nowhere
// is a draw. The zero RuleSet is Asian.
type RuleSet uint8

const (
	// Asian is the code of the Asian Xiangqi Federation, read as Fairy-Stockfish reads
	// it. A chase is an attack that was not there before the move, were it only by a
	// pinned piece, or one on a piece whose protectors the move has pinned. 50 moves
	// of each side without a capture are a draw. One thing is read otherwise: a rook that
	// moves along the line on which it attacks a piece does not attack it anew, while
	// Fairy-Stockfish counts a step away from the piece as a discovered attack by the
	// rook itself.
	Asian RuleSet = iota
	// WXF is the code of the World Xiangqi Federation, which was made from the Asian
	// one, as the diagrams of its rule book are decided. Beyond Asian it is a chase to
	// unpin an attacker, and to cut a piece off from its protectors, unless that
	// answers a chase by the other side.
	WXF
	// Chinese is the code of the Chinese Xiangqi Association, as far as a program can
	// follow it: checks, threats to mate with the next move and chases, of any pieces
	// and mixed in any way, are forbidden to a side that does nothing else. 60 moves
	// without a capture are a draw.
	Chinese
	// Computer is the code that Pikafish plays by. A chase is an attack on a piece that
	// nobody chased before the move. Once anybody checks in a cycle, only perpetual
	// check is forbidden. 60 moves without a capture are a draw, and so are some
	// endings with cannons alone.
	Computer
)

// ruleSet is what a rule set lays down.
type ruleSet struct {
	name        string
	novelty     novelty
	mixed       bool // checks, threats of mate and chases are one offence
	excused     bool // where anybody checks, chases are free
	quiet       int  // plies without a capture that are a draw
	freeChecks  int  // so many checks of a side count as quiet plies; 0: all
	loneCannons bool // some endings with cannons alone are draws
}

// novelty says which chases are new, and therefore count.
type novelty uint8

const (
	newVictim novelty = iota // nobody chased this piece before the move
	newAttack                // the hunter did not attack it
	newThreat                // the hunter could not take it, or it was protected
)

// ruleSets are indexed by RuleSet.
var ruleSets = [...]ruleSet{
	Asian:    {name: "asian", novelty: newAttack, quiet: 100, freeChecks: 10},
	WXF:      {name: "wxf", novelty: newThreat, quiet: 100, freeChecks: 10},
	Chinese:  {name: "chinese", novelty: newVictim, mixed: true, quiet: 120},
	Computer: {name: "computer", novelty: newVictim, excused: true, quiet: 120, freeChecks: 10, loneCannons: true},
}

// RuleSets returns all of them.
func RuleSets() []RuleSet { return []RuleSet{Asian, WXF, Chinese, Computer} }

func (r RuleSet) definition() *ruleSet {
	if int(r) >= len(ruleSets) {
		r = Asian
	}
	return &ruleSets[r]
}

// String returns the name that ParseRuleSet reads.
func (r RuleSet) String() string { return r.definition().name }

// ParseRuleSet reads the name of a rule set, in any case: asian, wxf, chinese or
// computer.
func ParseRuleSet(name string) (RuleSet, error) {
	for _, r := range RuleSets() {
		if strings.EqualFold(name, r.String()) {
			return r, nil
		}
	}
	return Asian, fmt.Errorf("rules %s: want asian, wxf, chinese or computer", quote(name))
}
