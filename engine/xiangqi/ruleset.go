package xiangqi

import (
	"fmt"
	"strings"

	"qhsh/engine"
)

// A RuleSet defines which repetitions are forbidden, and when a game without progress is a draw.
// The zero RuleSet is Asian.
type RuleSet uint8

const (
	// Asian is the code of the Asian Xiangqi Federation as implemented by Fairy-Stockfish. A chase
	// is an attack that was not there before the move, even if only by a pinned piece, or one on a
	// piece whose protectors the move has pinned. 50 moves of each side without a capture are a
	// draw. One difference: a rook that moves along the line on which it attacks a piece does not
	// attack it again, while Fairy-Stockfish counts a step away from the piece as a discovered
	// attack by the rook itself.
	Asian RuleSet = iota
	// WXF is the code of the World Xiangqi Federation, derived from the Asian one, as the diagrams
	// of its rule book are decided. In addition it is a chase to unpin an attacker, and to cut a
	// piece off from its protectors unless that answers a chase by the other side.
	WXF
	// Chinese is the code of the Chinese Xiangqi Association, as far as a program can follow it: a
	// side may not only check, threaten to mate with the next move or chase any pieces, in any
	// mixture. 60 moves without a capture are a draw.
	Chinese
	// Computer is the code of Pikafish. A chase is an attack on a piece that was not chased before
	// the move. If any side checks in a cycle, only perpetual check is forbidden. 60 moves without
	// a capture are a draw, and so are some endings with cannons only.
	Computer
)

// A ruleSet has the parameters of a rule set.
type ruleSet struct {
	name        string
	novelty     novelty
	mixed       bool // checks, threats of mate and chases are one offence
	excused     bool // if any side checks, chases are allowed
	quiet       int  // plies without a capture that are a draw
	freeChecks  int  // number of a side's checks that count as quiet plies; 0: all
	loneCannons bool // some endings with cannons alone are draws
}

// A novelty defines which chases are new and therefore count.
type novelty uint8

const (
	newVictim novelty = iota // the piece was not chased before the move
	newAttack                // the attacker did not attack it before
	newThreat                // the attacker could not capture it, or it was protected
)

// ruleSets are indexed by RuleSet.
var ruleSets = [...]ruleSet{
	Asian:    {name: "asian", novelty: newAttack, quiet: 100, freeChecks: 10},
	WXF:      {name: "wxf", novelty: newThreat, quiet: 100, freeChecks: 10},
	Chinese:  {name: "chinese", novelty: newVictim, mixed: true, quiet: 120},
	Computer: {name: "computer", novelty: newVictim, excused: true, quiet: 120, freeChecks: 10, loneCannons: true},
}

// RuleSets returns all rule sets.
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
	return Asian, fmt.Errorf("rules %s: want asian, wxf, chinese or computer", engine.Quote(name))
}
