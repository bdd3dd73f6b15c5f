package record

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"qhsh/engine/record"
)

// cblFewestSlots is the size of the index of CCBridge's small libraries. Some readers look for games only
// behind an index of this size.
const cblFewestSlots = 128

// cblResults are written between the names of the players, by the code of the result.
var cblResults = []string{"对", "先胜", "先负", "先和"}

// writeCBL leaves a game to finishCBL: its entry in the index, which comes before the games, and its blocks.
// CCBridge lists the titles of the entries, so a game without a title has the names of its players there.
func writeCBL(o *record.Output, g *record.Game) error {
	game := newCBR(o, g)
	blocks := (len(game) + cblBlock - 1) / cblBlock
	if cblIndex+(cblFewestSlots+1)*cblEntrySize+len(o.Held)+blocks*cblBlock > record.MaxFile {
		return fmt.Errorf("a library of cbl cannot hold more than %s: write the games to several, or to pgn", record.Megabytes(record.MaxFile))
	}
	id := newGUID(fmt.Appendf(nil, "%d %s", o.Number, game))
	copy(game[cbrID:], id)
	title := record.CleanLine(g.Tags.Get("Title"))
	if red, black := g.Tags.Get("Red"), g.Tags.Get("Black"); title == "" && red+black != "" {
		title = record.CleanLine(red + " " + cblResults[slices.Index(outcomes, g.Result)] + " " + black)
	}
	entry := make([]byte, cblEntrySize)
	entry[cblFlags] = cblInUse | cblGame | 1 // as in CCBridge's files
	binary.LittleEndian.PutUint32(entry[cblOrder:], uint32(o.Number-1))
	binary.LittleEndian.PutUint32(entry[cblBlocks:], uint32(blocks))
	binary.LittleEndian.PutUint32(entry[cblLength:], uint32(len(game)))
	copy(entry[cblGameID:cblTitle], utf16Bytes(formatGUID(id)))
	at := cblTitle
	for _, r := range title { // cut to whole characters
		if raw := utf16Bytes(string(r)); at+len(raw) <= cblEntrySize-2 {
			at += copy(entry[at:], raw)
		}
	}
	o.Held = append(append(o.Held, entry...), game...)
	o.Held = append(o.Held, make([]byte, blocks*cblBlock-len(game))...)
	return nil
}

// finishCBL writes a library of version 3, whose own name and remarks are empty.
func finishCBL(o *record.Output) error {
	head := make([]byte, cblIndex)
	copy(head, cblMagic)
	copy(head[cblID:], newGUID(o.Held))
	binary.LittleEndian.PutUint32(head[cblVersion:], 3)
	binary.LittleEndian.PutUint32(head[cblLimit:], math.MaxInt32)
	var games []byte
	for held := o.Held; len(held) > 0; {
		entry := held[:cblEntrySize]
		end := cblEntrySize + int(binary.LittleEndian.Uint32(entry[cblBlocks:]))*cblBlock
		head, games, held = append(head, entry...), append(games, held[cblEntrySize:end]...), held[end:]
	}
	head = append(head, make([]byte, max(0, cblIndex+cblFewestSlots*cblEntrySize-len(head)))...)
	binary.LittleEndian.PutUint32(head[cblSlots:], uint32((len(head)-cblIndex)/cblEntrySize))
	_, err := o.Write(append(head, games...))
	return err
}

// newGUID returns a GUID of a text. Those of CCBridge are random, but the same games are to give the same file.
func newGUID(text []byte) []byte {
	sum := sha256.Sum256(text)
	sum[7], sum[8] = sum[7]&0x0f|0x80, sum[8]&0x3f|0x80 // version 8, for a vendor's own algorithm
	return sum[:16]
}

// formatGUID formats a GUID as in an entry of the index.
func formatGUID(id []byte) string {
	n := binary.LittleEndian
	return fmt.Sprintf("{%08X-%04X-%04X-%X-%X}", n.Uint32(id), n.Uint16(id[4:]), n.Uint16(id[6:]), id[8:10], id[10:])
}
