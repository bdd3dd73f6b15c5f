package qchess

// key returns a hash of the board. It is FNV-1a, so it is the same in every process.
func (b *Board) key() uint64 {
	h := uint64(14695981039346656037)
	mix := func(v uint8) { h = (h ^ uint64(v)) * 1099511628211 }
	mix(uint8(b.turn))
	mix(uint8(b.selected))
	for i := range b.pieces {
		p := &b.pieces[i]
		mix(uint8(p.At))
		mix(uint8(p.shown))
		if p.At == NoSquare {
			continue
		}
		mix(uint8(p.Kinds[0])<<4 | uint8(p.Kinds[1]))
		mix(uint8(p.Hidden)<<4 | uint8(p.State+1))
	}
	return h
}
