// Package gamefile stores complete self-play games for training, in about four bytes per ply. Package
// selfplay plays them.
//
// [Open] and [Writer.Append] write a file, [Reader.Games] reads one, [Game.Positions] replays a game,
// and [Position.IsForTraining] selects positions for training. The directory cmd has a program that counts and checks
// games.
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
// The body of the first block is the terms, a text that describes how the games were made. It is
// opaque to this package; to resume a file, the same text must be given. Every other block is one
// game, in the order in which they ended:
//
//	uvarint  number of the game
//	byte     result: outcome + 4 x reason
//	uvarint  length of the start's FEN in bytes; 0: the start of a game
//	bytes    the FEN
//	uvarint  number of the opening's moves
//	uint16   each of them
//	4 bytes  each ply, up to the end of the body: uint16, the move, and int16, its score
//
// CRC-32C uses Castagnoli's polynomial, as in iSCSI: reflected, 0x82F63B78, with
// initial value and final XOR 0xFFFFFFFF. A uvarint has seven bits a byte, the lowest first;
// all bytes but the last have the high bit set.
//
// A move is from x 128 + to. A square is rank x 9 + file: files 0 to 8 are A to I, from Red's
// left to Red's right, ranks 0 to 9 begin with Red's back rank; so A0 is 0, E0 4 and I9 89.
// The side to move at the start is that of the FEN, "w" for Red, the first side, and "b" for
// Black, the second; without a FEN it is Red. The sides move in turns, the opening's moves
// included. A FEN has the letters rnbakcp, Red's in upper case, and its ranks from 9 to 0.
//
// The opening's moves were not chosen by the engine and have no scores. A score is what the
// search thought of the position before the move, for the side that makes it: -20000 to 20000
// are centipawns, the ends also stand for a game won or lost by repetition; 32000-n is a mate in
// n of that side's own moves, -32000+n being mated in n of the other's; -32768 is unknown.
// Repetitions need the history, so a game is always kept from its start.
//
// The outcomes are
//
//	0 ongoing (no finished game has it)
//	1 the first side, Red, wins
//	2 the second side, Black, wins
//	3 draw
//
// and the reasons
//
//	 0 another one, or none
//	 1 checkmate
//	 2 stalemate (the side that cannot move loses)
//	 3 repetition
//	 4 perpetual check
//	 5 perpetual attack
//	 6 perpetual chase
//	 7 mutual perpetual check
//	 8 mutual perpetual attack
//	 9 mutual perpetual chase
//	10 50-move limit
//	11 60-move limit
//	12 lack of attackers
//	13 score (one side was far ahead for long, or neither was)
//	14 length (the game was broken off)
//
// A game is written with one system call when it has ended. A killed process leaves at most one
// incomplete block at the end of the file: a reader reports it, and Open removes it. Any other invalid
// block is damage. A reader skips to the next complete block with a game, and Open keeps the damage.
package gamefile

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// formatVersion is the version of the format that this package writes and reads.
const formatVersion = 1

const magic = "qhgames"

// Extension is the extension of files of games.
const Extension = ".games"

const (
	fileHeaderSize  = len(magic) + 1
	blockHeaderSize = 6
	maxBody         = math.MaxUint16
	maxBlock        = blockHeaderSize + maxBody
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendBlock appends a block with the body that add appends.
func appendBlock(dst []byte, add func([]byte) []byte) ([]byte, error) {
	at := len(dst)
	dst = add(append(dst, make([]byte, blockHeaderSize)...))
	n := len(dst) - at - blockHeaderSize
	if n > maxBody {
		return dst[:at], fmt.Errorf("block of %d bytes: at most %d are allowed", n, maxBody)
	}
	binary.LittleEndian.PutUint16(dst[at:], uint16(n))
	binary.LittleEndian.PutUint32(dst[at+2:], checksum(dst[at:]))
	return dst, nil
}

// checksum returns the checksum of a block.
func checksum(block []byte) uint32 {
	return crc32.Update(crc32.Checksum(block[:2], castagnoli), castagnoli, block[blockHeaderSize:])
}

// appendFileHeader appends the beginning of a file with these terms.
func appendFileHeader(dst []byte, terms string) ([]byte, error) {
	dst = append(append(dst, magic...), formatVersion)
	return appendBlock(dst, func(b []byte) []byte { return append(b, terms...) })
}
