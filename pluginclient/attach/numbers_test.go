package attach

import (
	"errors"
	"slices"
	"testing"

	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
)

// announcing is a Session whose engine announces options.
type announcing struct{ pluginclient.Session }

func (announcing) OfferedOptions() uci.OptionList {
	return uci.OptionList{
		{Name: "Razor Margin", Kind: uci.Spin},
		{Name: "Scale", Kind: uci.String},
		{Name: "Ownbook", Kind: uci.Check},
		{Name: "Style", Kind: uci.Combo, Vars: []string{"1", "2"}},
	}
}

// announcingBridge is a Session in front of announcing, as those of engines that speak UCI are.
type announcingBridge struct{ pluginclient.Session }

func (announcingBridge) Native() pluginclient.Session { return announcing{} }

func TestNumericOptions(t *testing.T) {
	k := Kind{Name: "uci", Options: programOptions}
	for _, c := range []struct {
		keys, want []string
		err        string
	}{
		{[]string{"razor_margin", "Razor%20Margin", "scale", "env.DEPTH"}, []string{"Razor Margin", "Razor Margin", "Scale", "env.DEPTH"}, ""},
		{[]string{"Scale", "ownbook"}, nil, "engine specification: uci: engine option Ownbook is a check: want one of numbers"},
		{[]string{"Style"}, nil, "engine specification: uci: engine option Style is a combo: want one of numbers"},
		{[]string{"Speed"}, nil, `engine specification: uci: the engine does not offer the option "Speed"`},
	} {
		got, err := NumericOptions(announcingBridge{}, k, c.keys)
		if c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err || !errors.Is(err, ErrSpec)) || !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, %v; want %v, %s", c.keys, got, err, c.want, c.err)
		}
	}
}
