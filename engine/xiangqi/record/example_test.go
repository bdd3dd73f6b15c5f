package record_test

import (
	"fmt"
	"os"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
	"qhsh/engine/xiangqi/record"
)

const game = `[Game "Chinese Chess"]
[Red "A"]
[Black "B"]
[Result "*"]

1. 炮二平五 马８进７ {the usual reply} (1... 炮８平５) 2. 马二进三 *
`

// A library reads all formats, in any encoding, and finds out which it is.
func Example() {
	for g, err := range record.Library.Read(strings.NewReader(game), "game.pgn") {
		if err != nil {
			fmt.Println(err)
		}
		fmt.Println(g.Tags.Get("Red"), "-", g.Tags.Get("Black"), g.Plies(), "plies")
		fmt.Println(notation.FormatMoves(xiangqi.Start(), g.MainLine(), notation.WXF))
	}
	// Output:
	// A - B 3 plies
	// [C2=5 H8+7 H2+3]
}

// What was read in one format is written in another, in any notation.
func Example_convert() {
	format, _ := record.Library.FormatByName("pgn")
	w, err := record.Library.NewWriter(os.Stdout, format, "iccs")
	if err != nil {
		fmt.Println(err)
		return
	}
	for g, err := range record.Library.Read(strings.NewReader(game), "game.pgn") {
		if err != nil {
			fmt.Println(err)
		}
		if err := w.Write(g); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// [Game "Chinese Chess"]
	// [Event "?"]
	// [Site "?"]
	// [Date "?"]
	// [Round "?"]
	// [Red "A"]
	// [Black "B"]
	// [Result "*"]
	// [Format "ICCS"]
	//
	// 1. H2-E2 H9-G7 {the usual reply} (1... H7-E7) 2. H0-G2 *
}
