package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMissingGames: games that a library's index promises and the file does not hold are named
// and counted, and the command fails.
func TestMissingGames(t *testing.T) {
	const index, entry, slots = 66624, 276, 3
	raw := make([]byte, index+slots*entry)
	copy(raw, "CCBridgeLibrary")
	raw[60] = slots
	for i, flags := range []byte{7, 5, 7} { // the second has been deleted
		at := raw[index+i*entry:]
		at[0], at[4], at[8] = flags, byte(2-i), 1
		for j, unit := range []uint16{0x7b2c, 0x4e00 + uint16(i), 0x5c40} { // 第, a character, 局
			binary.LittleEndian.PutUint16(at[100+2*j:], unit)
		}
	}
	file := filepath.Join(t.TempDir(), "cut.cbl")
	if err := os.WriteFile(file, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	want := outcome{status: exitFailed, stderr: "" +
		"qhsh games: " + file + ": game 1: byte 0x1077c: the file ends before this game: \"第丂局\" (missing: 2 of 2 games)\n" +
		"qhsh games: " + file + ": game 2: byte 0x1077c: the file ends before this game: \"第一局\" (missing: 2 of 2 games)\n"}
	if diff := cmp.Diff(want, runQhsh(t.Context(), nil, "games", file), cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
