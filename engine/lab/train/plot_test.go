package train

import (
	"math"
	"strings"
	"testing"
)

// A drawing has a curve for each kind of loss that there is; what is too high is cut off.
func TestPlot(t *testing.T) {
	var losses []Loss
	for i := range 10 {
		losses = append(losses, Loss{Samples: int64(i+1) * 1e6, Train: 1 / float64(i+1), HeldOut: math.NaN()})
	}
	var b strings.Builder
	if err := Plot(&b, losses); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<polyline points="125.0,30.0 180.0,30.0 235.0,30.0 290.0,133.6 345.0,195.7 400.0,237.1 455.0,266.7 510.0,288.9 565.0,306.2 620.0,320.0" fill="none" stroke="#90a4ae" stroke-width="1.5"/>`,
		`<polyline points="" fill="none" stroke="#c62828" stroke-width="1.5"/>`,
		`text-anchor="end">10 M</text>`, `text-anchor="end">0.1000</text>`, `text-anchor="end">0.3333</text>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in:\n%s", want, &b)
		}
	}
	if err := Plot(&b, nil); err != nil || strings.Contains(b.String()[b.Len()/2:], "NaN") {
		t.Errorf("without losses: error %v, %s", err, &b)
	}
}
