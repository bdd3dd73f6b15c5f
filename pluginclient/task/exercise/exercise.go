// Package exercise has positions in which a reader finds a move: those before the mistakes of games, and those of a
// repertoire of openings.
//
// # Mistakes
//
// [Mistakes] returns the moves that a record marks as bad with a better one; package serve has them retried.
package exercise
