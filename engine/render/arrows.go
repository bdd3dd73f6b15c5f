package render

import (
	"fmt"
	"strings"

	"qhsh/engine/xiangqi"
)

// ParseArrows reads arrows as a person writes them: pairs of points such as H9-G7 or b7e7,
// separated by blanks or commas. Whether they are moves is not asked.
func ParseArrows(text string) ([]Arrow, error) {
	var arrows []Arrow
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		m, err := xiangqi.ParseMove(word)
		if err != nil {
			return nil, fmt.Errorf("arrow: %w", err)
		}
		if m.From() == m.To() {
			return nil, fmt.Errorf("arrow %s: it goes nowhere", word)
		}
		arrows = append(arrows, Arrow{m.From(), m.To()})
	}
	return arrows, nil
}

// String returns the arrow as ParseArrows reads it.
func (a Arrow) String() string { return xiangqi.NewMove(a.From, a.To).ICCS() }
