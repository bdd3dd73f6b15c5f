package check

import (
	"errors"
	"slices"
	"testing"
)

// TestInOrder checks that run follows prepare, unless prepare fails.
func TestInOrder(t *testing.T) {
	failure := errors.New("failure")
	var did []string
	step := func(name string, err error) func(string) error {
		return func(string) error { did = append(did, name); return err }
	}
	for _, c := range []struct {
		prepare func(string) error
		did     []string
		err     error
	}{
		{nil, []string{"run"}, nil},
		{step("prepare", nil), []string{"prepare", "run"}, nil},
		{step("prepare", failure), []string{"prepare"}, failure},
	} {
		did = nil
		if err := InOrder("", c.prepare, step("run", nil)); !errors.Is(err, c.err) || !slices.Equal(did, c.did) {
			t.Errorf("steps %v, error %v; want %v, %v", did, err, c.did, c.err)
		}
	}
}
