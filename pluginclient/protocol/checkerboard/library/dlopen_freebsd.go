package library

import "errors"

// On FreeBSD purego asks for flags of the compiler, which an ordinary build does not have.
var errSystem = errors.New("libraries cannot be loaded on FreeBSD")

func open(string) (uintptr, error) { return 0, errSystem }

func symbol(uintptr, string) (uintptr, error) { return 0, errSystem }

func register(any, uintptr) {}
