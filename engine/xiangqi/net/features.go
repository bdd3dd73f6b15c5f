package net

import "qhsh/engine/xiangqi"

// A view is how a side sees the board: the feature of each piece on each point.
type view [16][90]uint16

// views are the views of each side, plain and mirrored.
var views = makeViews()

// makeViews numbers the features: own pieces first, then by kind in the order of xiangqi.Kind, then
// by rank and file.
func makeViews() (table [2][2]view) {
	next := uint16(0)
	for _, owner := range [2]xiangqi.Side{xiangqi.Red, xiangqi.Black} {
		for kind := xiangqi.Rook; kind <= xiangqi.Pawn; kind++ {
			for sq := range xiangqi.Square(90) {
				if canStand(owner, kind, sq) {
					addFeature(&table, owner, kind, sq, next)
					next++
				}
			}
		}
	}
	if next != Features {
		panic("net: the features are not those of the format")
	}
	return table
}

// addFeature enters the feature that Red sees, unmirrored, when owner has a piece on sq.
func addFeature(table *[2][2]view, owner xiangqi.Side, kind xiangqi.Kind, sq xiangqi.Square, feature uint16) {
	for _, side := range [2]xiangqi.Side{xiangqi.Red, xiangqi.Black} {
		p, at := xiangqi.NewPiece(owner^side, kind), sq
		if side == xiangqi.Black {
			at = at.Turned()
		}
		table[side][0][p][at] = feature
		table[side][1][p][at.Mirrored()] = feature
	}
}

// canStand reports whether a piece can stand on a point as Red sees it. Mirroring keeps Red's own
// king off file F.
func canStand(owner xiangqi.Side, kind xiangqi.Kind, sq xiangqi.Square) bool {
	if owner == xiangqi.Black {
		return canStandAtHome(kind, sq.Turned())
	}
	return canStandAtHome(kind, sq) && (kind != xiangqi.King || sq%9 != fileF)
}

// canStandAtHome reports whether a piece of the side whose home is rank 0 can stand on a point.
func canStandAtHome(kind xiangqi.Kind, sq xiangqi.Square) bool {
	rank, file := int(sq)/9, int(sq)%9
	aside := max(file-4, 4-file)
	switch kind {
	case xiangqi.King:
		return rank <= 2 && aside <= 1
	case xiangqi.Advisor:
		return rank <= 2 && aside <= 1 && (rank+aside)%2 == 1
	case xiangqi.Elephant:
		return (rank == 2 && aside%4 == 0) || (rank%4 == 0 && rank <= 4 && aside == 2)
	case xiangqi.Pawn:
		return rank >= 5 || rank >= 3 && file%2 == 0
	}
	return true
}

const (
	fileE = 4
	fileF = 5
)

// mirrorIndex returns 1 if a side with its king on own sees the board mirrored, otherwise 0: it does
// if that king is on file F, or if it is on E and the other king on F.
func mirrorIndex(own, other xiangqi.Square) uint8 {
	if own%9 == fileF || own%9 == fileE && other%9 == fileF {
		return 1
	}
	return 0
}

// viewOf returns how a side sees the board.
func viewOf(b *xiangqi.Board, side xiangqi.Side) *view {
	return &views[side][mirrorIndex(b.King(side), b.King(side.Other()))]
}

// AppendFeatures appends the features that a side sees, in the order of the points.
func AppendFeatures(dst []uint16, b *xiangqi.Board, side xiangqi.Side) []uint16 {
	v := viewOf(b, side)
	for set := b.Occupied(); !set.Empty(); {
		var sq xiangqi.Square
		sq, set = set.Next()
		dst = append(dst, v[b.At(sq)][sq])
	}
	return dst
}

// Feature returns the feature that a side sees for piece p on sq, given where its king and the other
// one stand.
func Feature(side xiangqi.Side, own, other xiangqi.Square, p xiangqi.Piece, sq xiangqi.Square) uint16 {
	return views[side][mirrorIndex(own, other)][p][sq]
}
