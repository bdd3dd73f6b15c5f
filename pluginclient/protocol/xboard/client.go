package xboard

import (
	"context"
	"fmt"

	"qhsh/pluginclient/protocol/ucifamily"
)

// Options are how a Client treats its engine.
type Options struct {
	ucifamily.Options
	Letters Letters // of the FENs that the engine is sent
}

// Letters are those of horses and elephants in FENs.
type Letters string

// The two ways. The zero Letters are those of the engine's "setup" answer, and else those that
// XBoard sends.
const (
	HorseElephant Letters = "he"
	KnightBishop  Letters = "nb"
)

// Set takes in KEY=VALUE of a SPEC: "letters" (he or nb), and what ucifamily.Options has.
func (o *Options) Set(key, value string) error {
	if key != "letters" {
		return o.Options.Set(key, value)
	}
	o.Letters = Letters(value)
	if o.Letters != HorseElephant && o.Letters != KnightBishop {
		return fmt.Errorf("%w letters=%s: want he or nb, the letters of horses and elephants in a FEN", ucifamily.ErrOption, value)
	}
	return nil
}

// noMate is a score of a mate that there is none of: the protocol has words for a mate.
const noMate = -1

// Dial starts an engine that speaks the protocol. The errors are those of ucifamily.Dial.
func Dial(ctx context.Context, program ucifamily.Program, opts Options) (*ucifamily.Client, error) {
	if opts.Mate == 0 {
		opts.Mate = noMate
	}
	return ucifamily.Dial(ctx, spoken(opts.Letters), program, opts.Options)
}
