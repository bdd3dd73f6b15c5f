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

// CBL is a library of CCBridge games: a header, an index of entries, and records of whole
// blocks, each a CBR. An entry has no offset of its record: the records follow each other in
// the order of the index, and deleted games keep their blocks.
const (
	cblVersion   = 16
	cblID        = 20 // a GUID
	cblLimit     = 52 // always the largest int32
	cblSlots     = 60 // number of entries in the index, many of which may be zero
	cblIndex     = 66624
	cblEntrySize = 276
	cblBlock     = 4096
)

// Offsets in an entry.
const (
	cblFlags  = 0  // one byte; the next three are undefined
	cblOrder  = 4  // position in CCBridge's list, from 0
	cblBlocks = 8  // number of blocks of the record
	cblLength = 12 // number of bytes of the record
	cblGameID = 20 // the GUID of the record as a text
	cblTitle  = 100
)

// The flags of an entry. A deleted game lacks cblInUse, and a record that is not a game lacks
// cblGame.
const (
	cblInUse = 2
	cblGame  = 4
)

// A cblRecord is a game of the index.
type cblRecord struct {
	order    uint32
	title    string
	offset   int64  // offset in the file
	raw      []byte // its blocks, possibly truncated
	complete bool   // raw is not truncated
	err      error  // why the game cannot be read at all
}

// readCBL yields the games of a library in the order in which CCBridge shows them.
func readCBL(s *record.Source, raw []byte, yield func(*record.Game, error) bool) {
	if bytes.HasPrefix(raw, []byte(oldCBLMagic)) {
		readOldCBL(s, raw, yield)
		return
	}
	if len(raw) < cblIndex {
		yield(nil, s.ByteError(0, int64(len(raw)), errors.New("unexpected end of file within the header of CBL")))
		return
	}
	records := cblRecords(raw)
	missing := 0
	for _, r := range records {
		if r.err != nil {
			missing++
		}
	}
	for i, r := range records {
		var g *record.Game
		var err error
		if r.err != nil {
			title := ""
			if r.title != "" {
				title = fmt.Sprintf(": %q", r.title)
			}
			err = s.ByteError(i+1, r.offset, fmt.Errorf("%w%s (missing: %d of %d games)", r.err, title, missing, len(records)))
		} else {
			g, err = readCBRGame(s, r.raw, r.offset, i+1)
			if place, ok := errors.AsType[*record.Error](err); ok && r.complete && place.Err == errTruncated {
				place.Err = errors.New("the game does not end within its blocks")
			}
		}
		if !yield(g, err) {
			return
		}
	}
	if slots := cblSlotsOf(raw); cblIndex+slots*cblEntrySize > int64(len(raw)) {
		yield(nil, s.ByteError(0, int64(len(raw)), fmt.Errorf("unexpected end of file within an index of %d entries", slots)))
	}
}

func cblSlotsOf(raw []byte) int64 { return int64(binary.LittleEndian.Uint32(raw[cblSlots:])) }

// cblRecords returns the games of the index that have not been deleted, in the order in which
// CCBridge shows them.
func cblRecords(raw []byte) (records []cblRecord) {
	size := int64(len(raw))
	at := min(cblIndex+cblSlotsOf(raw)*cblEntrySize, size)
	for entry := raw[cblIndex:at]; len(entry) >= cblEntrySize; entry = entry[cblEntrySize:] {
		length := int64(binary.LittleEndian.Uint32(entry[cblBlocks:])) * cblBlock
		end := min(at+length, size) // prevents overflow of the sum
		blocks := raw[at:end]
		flags := entry[cblFlags]
		if flags&cblInUse != 0 && (flags&cblGame != 0 || isCBR(blocks)) {
			records = append(records, cblRecord{
				order:    binary.LittleEndian.Uint32(entry[cblOrder:]),
				title:    record.CleanLine(utf16Text(entry[cblTitle:cblEntrySize])),
				offset:   at,
				raw:      blocks,
				complete: int64(len(blocks)) == length,
				err:      cblRecordError(blocks, length),
			})
		}
		at = end
	}
	slices.SortStableFunc(records, func(a, b cblRecord) int { return cmp.Compare(a.order, b.order) })
	return records
}

// cblRecordError returns why no game can be read from a record that has these blocks; nil if it can.
func cblRecordError(blocks []byte, length int64) error {
	cut := int64(len(blocks)) < length
	switch {
	case length == 0:
		return errors.New("the index has no blocks for this game")
	case cut && len(blocks) < len(cbrMagic):
		return errors.New("the file ends before this game")
	case !isCBR(blocks):
		return errors.New("no game at the offset that the index gives")
	case cut && cbrHeaderTruncated(blocks):
		return errors.New("the file ends within the header of this game")
	}
	return nil
}
