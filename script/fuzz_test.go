package script

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// large matches what could make a value of any size in one step, which only the limit of a process of its
// own would stop.
var large = regexp.MustCompile(`[*+%|&^]|<<|\d{6}|join|format|replace`)

// FuzzScript runs any text with small limits: it may fail, but must not panic or hang.
func FuzzScript(f *testing.F) {
	f.Add("b = board()\nfor m in b.legal_moves:\n  b.push(m)\n  emit(b)\n  b.pop()\nr = pmap(lambda m: board().play(m).fen, b.legal_moves)\n")
	f.Add("r = table([[1, 'a'], [2]])\nhelp(board)\nx = score(cp = 3) < -score(mate = 2)\n")
	f.Add("load('@qhsh//blunders.star', 'blunders')\nprint(blunders)\n")
	f.Add("x = [1, 2, 3]\nx[0], x[1] = 4, 5\nr = [y for y in x if y > 1], {k: v for k, v in [(1, 2)]}, x[::-1], sorted(x, key = lambda y: -y)\n")
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 1<<12 || large.MatchString(source) {
			return
		}
		s := newStage()
		s.Limits = Limits{Steps: 20_000, Time: 5 * time.Second, Memory: 64 << 20}
		_, err := s.try(t, t.Context(), source)
		if err != nil && (strings.Contains(err.Error(), "internal error") || strings.Contains(err.Error(), ErrAbandoned.Error())) {
			t.Errorf("%q: %v", source, err)
		}
	})
}
