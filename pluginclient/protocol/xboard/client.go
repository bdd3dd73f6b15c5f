package xboard

import (
	"context"
	"fmt"

	"qhsh/pluginclient/protocol/uci"
)

// Options configure a Client.
type Options struct {
	uci.Options
	Letters Letters // of the FENs sent to the engine
}

// Letters are the letters of horses and elephants in FENs.
type Letters string

// The two variants. The zero value means the letters of the engine's "setup" line, or else those of
// XBoard.
const (
	HorseElephant Letters = "he"
	KnightBishop  Letters = "nb"
)

// Set sets KEY=VALUE of a SPEC: "letters" (he or nb), or a key of uci.Options.
func (o *Options) Set(key, value string) error {
	if key != "letters" {
		return o.Options.Set(key, value)
	}
	o.Letters = Letters(value)
	if o.Letters != HorseElephant && o.Letters != KnightBishop {
		return fmt.Errorf("%w letters=%s: want he or nb, the letters of horses and elephants in a FEN", uci.ErrOption, value)
	}
	return nil
}

// noMate disables numeric mate scores: the protocol has its own.
const noMate = -1

// Dial starts an engine that speaks the protocol. The errors are those of uci.Dial.
func Dial(ctx context.Context, program uci.Program, opts Options) (*uci.Client, error) {
	if opts.Mate == 0 {
		opts.Mate = noMate
	}
	return uci.Dial(ctx, newProtocol(opts.Letters), program, opts.Options)
}
