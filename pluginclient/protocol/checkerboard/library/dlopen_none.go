//go:build freebsd || (static && !windows)

package library

import "errors"

// On FreeBSD purego asks for flags of the compiler, which an ordinary build does not have. With purego a program
// needs the system's loader, which a container without a system does not have: it is built with the tag static.
var errSystem = errors.New("this build of qhsh cannot load libraries")

func open(string) (uintptr, error) { return 0, errSystem }

func symbol(uintptr, string) (uintptr, error) { return 0, errSystem }

func register(any, uintptr) {}
