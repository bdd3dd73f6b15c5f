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

// OtherGame returns the error of an engine that got a position of a game it does not play, or nil.
// It names both games.
func OtherGame(pos Position, plays Game) error {
	if v := reflect.ValueOf(pos); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return errors.New("there is no position")
	}
	return fmt.Errorf("the position is of %s, and the engine plays %s", Title(pos.Game()), Title(plays))
}
