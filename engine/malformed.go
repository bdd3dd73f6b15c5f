package engine

import "errors"

// ErrMalformed is wrapped by the error of [Position.Parse] for text that is not a move of the game,
// legal or not.
var ErrMalformed = errors.New("malformed move")

// Malformed returns an error that is ErrMalformed and describes what a move looks like.
func Malformed(want string) error { return malformed(want) }

type malformed string

func (m malformed) Error() string        { return string(m) }
func (m malformed) Is(target error) bool { return target == ErrMalformed }
