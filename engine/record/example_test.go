package record_test

import (
	"fmt"
	"os"
	"strings"

	"qhsh/engine/quoridor"
	"qhsh/engine/record"
)

// Every game has PGN, JSON and plain moves: its rules are all that a library needs.
func ExampleNewLibrary() {
	library := record.NewLibrary(record.Description{Game: quoridor.Default})
	w, err := library.NewWriter(os.Stdout, record.PGN, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	for g, err := range library.Read(strings.NewReader("e8 e2 e3h\n"), "games.txt") {
		if err != nil {
			fmt.Println(err)
		}
		if err := w.Write(g); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// [Game "Quoridor"]
	// [Event "?"]
	// [Site "?"]
	// [Date "?"]
	// [Round "?"]
	// [White "?"]
	// [Black "?"]
	// [Result "*"]
	//
	// 1. E8 E2 2. E3h *
}
