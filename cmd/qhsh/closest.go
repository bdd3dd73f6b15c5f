package main

import "qhsh/repl"

// closest is the word that was probably meant by one that does not exist; empty if none
// resembles it.
func closest(word string, words []string) string { return repl.Closest(word, words) }
