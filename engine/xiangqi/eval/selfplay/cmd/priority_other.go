//go:build !linux

package main

// lowerPriority leaves it to who starts the program.
func lowerPriority() {}
