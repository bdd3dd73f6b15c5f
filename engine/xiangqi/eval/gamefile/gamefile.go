// Package gamefile keeps whole games of the engine against itself on disk, for what learns
// from them: about four bytes a ply. Package selfplay plays them.
//
// [Open] and [Writer.Append] write a file, [Reader.Games] reads one, [Game.Positions]
// replays a game, and [Filter] says which of its positions are worth learning from. cmd is
// the program that counts and checks.
//
// # Format, version 1
//
// All integers are little-endian; a uvarint is that of package encoding/binary. A file is
// eight bytes, "qhgames" and the version as a byte, and then blocks. A block is
//
//	uint16   length of the body
//	uint32   CRC-32C of the length's two bytes and the body
//	bytes    body
//
// The body of the first block is the terms: a text that says how the games were made. It is
// opaque to this package; whoever resumes a file must give the same. Every other block is
// one game, in the order in which they ended:
//
//	uvarint  number of the game
//	byte     result: outcome in the low two bits, as package engine numbers it, and above
//	         them the index of the reason in the table reasons (game.go); 0: another one
//	uvarint  length of the start's FEN; 0: the start of a game
//	bytes    the FEN
//	uvarint  number of the opening's moves
//	uint16   each of them, a move as package xiangqi numbers it: from x 128 + to
//	4 bytes  each ply: the move, and an int16, the score (see Score)
//
// The opening's moves were not chosen by the engine and have no scores. Repetitions need the
// history, so a game is always kept from its start.
//
// A game is written by one system call when it has ended. A process that is killed leaves at
// worst the beginning of a block at the end of the file: a reader reports it, Open cuts it
// off. A reader passes over a damaged block to the next whole one.
package gamefile

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// Version is the version of the format that this package writes and reads.
const Version = 1

const magic = "qhgames"

// Extension is how the name of a file of games ends.
const Extension = ".games"

const (
	fileHead  = len(magic) + 1
	blockHead = 6
	maxBody   = math.MaxUint16
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendBlock appends a block with the body that add appends.
func appendBlock(dst []byte, add func([]byte) []byte) ([]byte, error) {
	at := len(dst)
	dst = add(append(dst, make([]byte, blockHead)...))
	n := len(dst) - at - blockHead
	if n > maxBody {
		return dst[:at], fmt.Errorf("%d bytes are too many for a block: at most %d", n, maxBody)
	}
	binary.LittleEndian.PutUint16(dst[at:], uint16(n))
	binary.LittleEndian.PutUint32(dst[at+2:], checksum(dst[at:]))
	return dst, nil
}

// checksum is that of a block.
func checksum(block []byte) uint32 {
	return crc32.Update(crc32.Checksum(block[:2], castagnoli), castagnoli, block[blockHead:])
}

// appendHead appends what a file with these terms begins with.
func appendHead(dst []byte, terms string) ([]byte, error) {
	dst = append(append(dst, magic...), Version)
	return appendBlock(dst, func(b []byte) []byte { return append(b, terms...) })
}
