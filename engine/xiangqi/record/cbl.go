package record

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"qhsh/engine/record"
)

// CBL is a library of CCBridge's games: a header, an index of entries, and records of whole
// blocks, each a CBR. No entry says where its record begins: the records lie one behind the
// other in the order of the index, and those of deleted games keep their blocks.
const (
	cblSlots     = 60 // how many entries the index has, most of them perhaps zero
	cblIndex     = 66624
	cblEntrySize = 276
	cblBlock     = 4096
)

// Where things are in an entry.
const (
	cblFlags  = 0 // one byte; the three behind it may hold anything
	cblOrder  = 4 // the position in the list that CCBridge shows, from 0
	cblBlocks = 8 // how many the record has
	cblTitle  = 100
)

// The flags of an entry. That of a deleted game lacks cblLives, that of a record which is no
// game lacks cblGame.
const (
	cblInUse = 2
	cblGame  = 4
)

func isCBL(head []byte) bool { return bytes.HasPrefix(head, []byte(cblMagic)) }

// A cblRecord is a game that the index promises.
type cblRecord struct {
	order   uint32
	title   string
	at      int64  // in the file
	raw     []byte // its blocks, as far as the file goes
	whole   bool   // the file goes as far
	missing error  // why nothing of the game can be read
}

// readCBL yields the games of a library in the order in which CCBridge shows them.
func readCBL(s *record.Source, yield func(*record.Game, error) bool) {
	raw, ok := s.ReadAll(yield)
	if !ok {
		return
	}
	if len(raw) < cblIndex {
		yield(nil, s.ByteError(0, int64(len(raw)), errors.New("the file ends here, within the header of CBL")))
		return
	}
	records := cblRecords(raw)
	missing := 0
	for _, r := range records {
		if r.missing != nil {
			missing++
		}
	}
	for i, r := range records {
		var g *record.Game
		var err error
		if r.missing != nil {
			err = s.ByteError(i+1, r.at, fmt.Errorf("%w%s (missing: %d of %d games)", r.missing, r.name(), missing, len(records)))
		} else {
			g, err = r.read(s, i+1)
		}
		if !yield(g, err) {
			return
		}
	}
	if slots := cblSlotsOf(raw); cblIndex+slots*cblEntrySize > int64(len(raw)) {
		yield(nil, s.ByteError(0, int64(len(raw)), fmt.Errorf("the file ends here, within an index of %d entries", slots)))
	}
}

// name returns the title, to be put behind a message.
func (r *cblRecord) name() string {
	if r.title == "" {
		return ""
	}
	return fmt.Sprintf(": %q", r.title)
}

// read reads the game, whose blocks may end before it does.
func (r *cblRecord) read(s *record.Source, number int) (*record.Game, error) {
	g, err := readCBRGame(s, r.raw, r.at, number)
	var place *record.Error
	if r.whole && errors.As(err, &place) && place.Err == errCut {
		place.Err = errors.New("the blocks of this game end here, in the middle of it")
	}
	return g, err
}

func cblSlotsOf(raw []byte) int64 { return int64(binary.LittleEndian.Uint32(raw[cblSlots:])) }

// cblRecords returns the games of the index that have not been deleted, in the order in which
// CCBridge shows them.
func cblRecords(raw []byte) (records []cblRecord) {
	size := int64(len(raw))
	at := min(cblIndex+cblSlotsOf(raw)*cblEntrySize, size)
	for entry := raw[cblIndex:at]; len(entry) >= cblEntrySize; entry = entry[cblEntrySize:] {
		length := int64(binary.LittleEndian.Uint32(entry[cblBlocks:])) * cblBlock
		end := min(at+length, size) // so that no sum of lengths overflows
		blocks := raw[at:end]
		flags := entry[cblFlags]
		if flags&cblInUse != 0 && (flags&cblGame != 0 || isCBR(blocks)) {
			records = append(records, cblRecord{
				order:   binary.LittleEndian.Uint32(entry[cblOrder:]),
				title:   record.CleanLine(cbrLine(entry[cblTitle:cblEntrySize])),
				at:      at,
				raw:     blocks,
				whole:   int64(len(blocks)) == length,
				missing: cblMissing(blocks, length),
			})
		}
		at = end
	}
	slices.SortStableFunc(records, func(a, b cblRecord) int { return cmp.Compare(a.order, b.order) })
	return records
}

// cblMissing returns why nothing can be read of a record, of which the file has these blocks.
func cblMissing(blocks []byte, length int64) error {
	cut := int64(len(blocks)) < length
	switch {
	case length == 0:
		return errors.New("the index has no blocks for this game")
	case cut && len(blocks) < len(cbrMagic):
		return errors.New("the file ends before this game")
	case !isCBR(blocks):
		return errors.New("there is no game where the index says")
	case cut && cbrCut(blocks):
		return errors.New("the file ends within the header of this game")
	}
	return nil
}
