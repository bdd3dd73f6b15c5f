// Package record has the forms in which people have records of games of Xiangqi, beside those
// of engine/record that every game has.
//
//	PGN       moves in any notation of package notation, variations, comments; many games
//	DhtmlXQ   the form of dpxq.com, alone or within a web page, variations, comments
//	JSON      a game a line, in a form of our own; the games of a match of engines, too
//	moves     plain moves, perhaps behind a FEN, a game a line or one over many lines
//	WXF       the export of WXF's and of XieXie's programs; read only
//	XQF       XQStudio 1.0 to 1.8 and later, plain and encrypted; read only
//	CBR, CBL  CCBridge's games and libraries, versions 1 and 2; read only
//	CBF       the XML of CCBridge; read only
//	zip       an archive of files in any of these forms; read only
//
// In the binary forms and in DhtmlXQ, what might have been played instead of an illegal move is
// kept, and takes its place. A file of theirs that breaks off is damaged, too.
//
// The games of a CBL come in the order in which CCBridge lists them, those that were deleted
// there are left out, and a game that its index promises but the file does not hold is an
// error, which also tells how many of them there are.
//
// A form cannot always hold what a game has. DhtmlXQ has no annotation glyphs and no
// comments before a move, so both go into the comment behind it; plain moves are the main
// line alone.
package record

import (
	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// Library has all the forms. The notations are those of package notation.
var Library = record.NewLibrary(
	record.Description{
		Game: xiangqi.Rules,
		PGN: record.PGNStyle{ // that of xqbase's standard of PGN for Xiangqi
			Game: "Chinese Chess", First: "Red", Second: "Black", Start: xiangqi.StartFEN,
			// The format that needs none is Chinese.
			Formats: map[string]string{"": "ICCS", "iccs": "ICCS", "uci": "UCI", "wxf": "WXF", "san": "SAN"},
		},
		Board:       boardIn,
		Number:      firstNumber,
		CutPosition: cutPosition,
		IsMove:      isMoveLike,
		Unnamed:     true,
	},
	&record.Format{Name: "xqf", Extensions: []string{".xqf"}, Detect: isXQF, Read: readXQF},
	&record.Format{Name: "cbr", Extensions: []string{".cbr"}, Detect: isCBR, Read: readCBR},
	&record.Format{Name: "cbl", Extensions: []string{".cbl"}, Detect: isCBL, Read: readCBL},
	record.Zip,
	record.JSON,
	record.PGN,
	&record.Format{Name: "cbf", Extensions: []string{".cbf"}, Detect: isCBF, Read: readCBF},
	&record.Format{
		Name: "dhtmlxq", Extensions: []string{".dhtmlxq", ".ubb", ".html", ".htm"},
		Detect: isDhtmlXQ, Read: readDhtmlXQ, Write: writeDhtmlXQ,
	},
	&record.Format{Name: "wxf", Extensions: []string{".wxf"}, Detect: isWXF, Read: readWXF},
	record.Moves,
)

// startPos returns where a game begins.
func startPos(g *record.Game) *xiangqi.Position { return g.Start.(*xiangqi.Position) }

// outcomeOf returns the result that the programs XQStudio and CCBridge have as a number.
func outcomeOf(code byte) engine.Outcome {
	switch code {
	case 1:
		return engine.FirstWins
	case 2:
		return engine.SecondWins
	case 3, 4:
		return engine.Draw
	}
	return engine.Ongoing
}
