package records

import (
	"crypto/sha256"
	"encoding/binary"

	"qhsh/engine/record"
)

// Unique recognizes repeated games. The zero value is ready to use.
type Unique struct {
	seen map[[sha256.Size]byte]struct{}
}

// IsNew reports whether no earlier game had the start and the moves of g or, if g has variations or
// comments, none had all of them. Names and results do not matter, since collections spell them
// differently. A game without moves is always new.
func (u *Unique) IsNew(g *record.Game) bool {
	if len(g.Root.Next) == 0 {
		return true
	}
	if u.seen == nil {
		u.seen = map[[sha256.Size]byte]struct{}{}
	}
	moves, all := mainLineKey(g), treeKey(g)
	_, movesSeen := u.seen[moves]
	_, allSeen := u.seen[all]
	u.seen[moves], u.seen[all] = struct{}{}, struct{}{}
	return !movesSeen || g.HasNotes() && !allSeen
}

// mainLineKey returns a key of the start and the main line.
func mainLineKey(g *record.Game) [sha256.Size]byte {
	key := []byte(g.Start.String())
	for _, m := range g.MainLine() {
		key = binary.AppendUvarint(key, uint64(m))
	}
	return sha256.Sum256(key)
}

// treeKey returns a key of the start, all moves, comments and glyphs.
func treeKey(g *record.Game) [sha256.Size]byte {
	key := []byte("tree " + g.Start.String())
	g.Walk(func(n *record.Node) bool {
		key = binary.AppendUvarint(key, uint64(n.Move))
		for _, text := range []string{n.StartingComment, n.Comment, string(n.Glyphs)} {
			key = binary.AppendUvarint(key, uint64(len(text)))
			key = append(key, text...)
		}
		key = binary.AppendUvarint(key, uint64(len(n.Next)))
		return true
	})
	return sha256.Sum256(key)
}
