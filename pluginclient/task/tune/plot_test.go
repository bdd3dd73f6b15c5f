package tune

import (
	"encoding/xml"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/engine/printable"
)

// TestPlotNames: the name of a parameter is text of the plot, whatever it is.
func TestPlotNames(t *testing.T) {
	for _, name := range enginetest.HostileTexts {
		r := newResult(&Config{Params: []Param{{Name: name, Start: 5, Min: 1, Max: 9, Step: 2}}})
		var plot strings.Builder
		if err := writeSVG(&plot, r); err != nil {
			t.Fatal(err)
		}
		var drawn struct {
			Texts []string `xml:"text"`
		}
		want := strings.NewReplacer("\ufffe", "\ufffd", "\uffff", "\ufffd").Replace(printable.Line(name)) + " = 5"
		if err := xml.Unmarshal([]byte(plot.String()), &drawn); err != nil || drawn.Texts[0] != want {
			t.Errorf("%q, %v, want %q\n%s", drawn.Texts, err, want, plot.String())
		}
	}
}
