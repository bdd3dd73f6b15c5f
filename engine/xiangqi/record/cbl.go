package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// CBL is a library of CCBridge's games: a header, an index of places, and games of whole
// blocks. A place of the index that is not in use is zero; of a game that was deleted the
// flags lack cblLives, but its blocks may still be there.
const (
	cblPlaces    = 60 // how many places the index has
	cblIndex     = 66624
	cblPlaceSize = 276
	cblBlock     = 4096
	cblLives     = 2
	mostPlaces   = 1 << 16
)

func isCBL(head []byte) bool { return bytes.HasPrefix(head, []byte(cblMagic)) }

// A cblPlace tells where a game is.
type cblPlace struct {
	at     int64 // in the file, as the index tells
	length int64
	number int // from 1
}

// readCBL yields the games of a library in the order of its index.
func readCBL(s *source, yield func(*Game, error) bool) {
	raw, ok := s.whole(yield)
	if !ok {
		return
	}
	places, err := cblGames(raw)
	if err != nil {
		yield(nil, s.atByte(0, int64(len(raw)), err))
		return
	}
	for _, p := range places {
		var g *Game
		var err error
		switch {
		case p.at < 0 || p.at >= int64(len(raw)):
			err = s.atByte(p.number, int64(len(raw)), errors.New("the file ends before this game"))
		case !bytes.HasPrefix(raw[p.at:], []byte(cbrMagic)):
			err = s.atByte(p.number, p.at, errors.New("there is no game where the index says"))
		default:
			end := min(p.at+p.length, int64(len(raw)))
			g, err = s.readCBRGame(raw[p.at:end], p.at, p.number)
		}
		if !yield(g, err) {
			return
		}
	}
}

// cblGames reads the index.
func cblGames(raw []byte) (games []cblPlace, err error) {
	if len(raw) < cblIndex {
		return nil, errors.New("the file ends here, within the header of CBL")
	}
	count := int64(binary.LittleEndian.Uint32(raw[cblPlaces:]))
	data := cblIndex + count*cblPlaceSize
	if count > mostPlaces || data > int64(len(raw)) {
		return nil, fmt.Errorf("the file ends here, within an index of %d games", count)
	}
	for place := raw[cblIndex:data]; len(place) > 0; place = place[cblPlaceSize:] {
		if place[0]&cblLives == 0 {
			continue
		}
		block := int64(binary.LittleEndian.Uint32(place[4:]))
		blocks := int64(binary.LittleEndian.Uint32(place[8:]))
		games = append(games, cblPlace{data + block*cblBlock, max(blocks, 1) * cblBlock, len(games) + 1})
	}
	return games, nil
}
