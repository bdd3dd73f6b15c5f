package batch

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFiltered writes the answers that a filter returns, up to the one that is enough: a run that has
// enough is complete.
func TestFiltered(t *testing.T) {
	var out strings.Builder
	json, _ := Formats(1).ByName("json")
	filtered := Filtered(json, func() Filter {
		return func(a Answer) (Answer, bool, error) {
			a.ID = "an answer"
			switch a.Line {
			case 1:
				return a, false, nil
			case 3:
				return a, true, ErrEnough
			}
			return a, true, nil
		}
	})
	ended := false
	tally, err := runPool(t.Context(), stones(piles(9)), filtered.Write(&out), PoolOptions{Open: (&farm{search: firstMove}).Open, Jobs: 2}, Options{
		OnEnd: func(uint32) { ended = true },
	})
	if err != nil || tally.Done != 3 || ended {
		t.Errorf("%+v, %v, all read: %v", tally, err, ended)
	}
	const rest = `"engine":"fake","level":3,"limits":{"level":3},"hints":[{"move":"take 1","cp":7,"pv":["take 1"]}]}` + "\n"
	want := `{"line":2,"id":"an answer","fen":"2 second 2",` + rest + `{"line":3,"id":"an answer","fen":"3 first 2",` + rest
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
