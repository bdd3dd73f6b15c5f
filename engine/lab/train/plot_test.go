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
		`points="60.0,24.0 123.3,24.0 186.7,24.0 250.0,109.7 313.3,161.1 376.7,195.4 440.0,219.9 503.3,238.3 566.7,252.6 630.0,264.0 "/>`,
		`points=""/>`, `text-anchor="end">10 M samples</text>`, `>0.1000</text>`, `>0.3333</text>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in:\n%s", want, &b)
		}
	}
	if err := Plot(&b, nil); err != nil || strings.Contains(b.String()[b.Len()/2:], "NaN") {
		t.Errorf("without losses: error %v, %s", err, &b)
	}
}
