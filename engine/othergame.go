package engine

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Title returns a game's name capitalized, such as "Xiangqi".
func Title(g Game) string {
	name := g.Name()
	return strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):]
}

// An OtherGameError is the error of an engine that got a position of a game, or of a variant, that it
// does not play.
type OtherGameError struct {
	Position, Engine string // titles of the games
}

func (e *OtherGameError) Error() string {
	return fmt.Sprintf("the position is of %s, and the engine plays %s", e.Position, e.Engine)
}

// OtherGame returns the error of an engine that got a position of a game it does not play, or nil:
// an [OtherGameError] if there is a position.
func OtherGame(pos Position, plays Game) error {
	if v := reflect.ValueOf(pos); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return errors.New("there is no position")
	}
	return &OtherGameError{Title(pos.Game()), Title(plays)}
}
