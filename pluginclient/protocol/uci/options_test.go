package uci_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/pluginclient/protocol/uci"
)

func TestSpecKeys(t *testing.T) {
	var o uci.Options
	for _, kv := range [][2]string{{"ranks", "1"}, {"mate", "0"}, {"Threads", "2"}, {"Eval%20File", "a%2Cb"}} {
		if err := o.Set(kv[0], kv[1]); err != nil {
			t.Error(err)
		}
	}
	want := []uci.Setting{{Name: "Threads", Value: "2"}, {Name: "Eval File", Value: "a,b"}}
	if diff := cmp.Diff(want, o.Settings); diff != "" || *o.Ranks != uci.FromOne || o.Mate != -1 {
		t.Errorf("%+v\n%s", o, diff)
	}
	if err := o.Set("mate", "30000"); err != nil || o.Mate != 30000 {
		t.Errorf("mate=30000: %d, %v", o.Mate, err)
	}
	if err := o.Set("strict", "true"); err != nil || !o.Strict {
		t.Errorf("strict=true: %t, %v", o.Strict, err)
	}
	for _, kv := range [][2]string{{"ranks", "2"}, {"ranks", "x"}, {"mate", "-1"}, {"mate", ""}, {"strict", "perhaps"}} {
		if err := o.Set(kv[0], kv[1]); !errors.Is(err, uci.ErrOption) {
			t.Errorf("%s=%s: error %v", kv[0], kv[1], err)
		}
	}
}
