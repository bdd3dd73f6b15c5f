package uci_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
)

// TestLate: an engine that exceeds the time for a search but stops on request has failed at the
// position, and is not restarted.
func TestLate(t *testing.T) {
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := prankster(i, time.Hour)
				m.OnCommand = endless(plain)
				program := asProgram(m)
				started, start := 0, program.Start
				program.Start = func(ctx context.Context) (*pluginclient.Streams, error) {
					started++
					return start(ctx)
				}
				s, err := p.dial(t.Context(), program, uci.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				for range 2 {
					_, err := engine.Best(t.Context(), s, position("H2-E2"), engine.Limits{Depth: 5})
					if !errors.Is(err, pluginclient.ErrTimedOut) || pluginclient.Lost(err) {
						t.Errorf("error %v, want it late and not lost", err)
					}
				}
				if started != 1 {
					t.Errorf("started %d times", started)
				}
			})
		})
	}
}
