// Package record reads and writes records of Xiangqi games. In addition to the formats of
// engine/record, which every game has, it has those of Xiangqi programs.
//
//	PGN       read and written by engine/record, moves in any notation of package notation; many games
//	DhtmlXQ   the format of dpxq.com, variations, comments
//	HTML      a web page with DhtmlXQ
//	JSON      one game per line, in qhsh's own format; also the games of an engine match
//	moves     plain moves, optionally after a FEN, one game per line or over many lines
//	WXF       exported by programs of the WXF and by XieXie; read-only
//	XQF       XQStudio 1.0 to 1.8 and later, plain and encrypted; written as 1.0
//	CBR       CCBridge games, versions 1 and 2; written as 2
//	CBL       CCBridge libraries, also the old ones that are compressed; read-only
//	CBF       the XML format of CCBridge; read-only
//	zip       an archive of files in any of these formats; read-only
//
// In the binary formats and DhtmlXQ, the alternatives to an illegal move are kept and replace it.
// Truncated files of these formats are reported as damaged.
//
// The games of a CBL come in CCBridge's order, without the deleted ones. A game that is in the
// index but not in the file is an error, which includes the number of missing games.
//
// Some formats cannot hold everything. DhtmlXQ, XQF and CBR have no annotation glyphs and no
// comments before a move, so both are added to the comment after it. XQF and CBR have a fixed set
// of tags of limited length, and one game per file. Plain moves have only the main line. What is
// lost is returned by the Lost of a [record.Writer].
package record

import (
	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// Library reads and writes all these formats; moves may be in any notation of package notation.
var Library = record.NewLibrary(
	record.Description{
		Game: xiangqi.Rules,
		PGN: record.PGNStyle{ // xqbase's PGN standard for Xiangqi
			Game: "Chinese Chess", First: "Red", Second: "Black", Start: xiangqi.StartFEN,
			// Chinese is the default of the standard.
			Formats: map[string]string{"": "ICCS", "iccs": "ICCS", "uci": "UCI", "wxf": "WXF", "san": "SAN"},
		},
		Board:       newNotationBoard,
		Number:      func(p engine.Position) int { return p.(*xiangqi.Position).MoveNumber() },
		CutPosition: cutPosition,
		IsMove:      looksLikeMove,
		OmitName:    true,
	},
	&record.Format{Name: "xqf", Extensions: []string{".xqf"}, Detect: isXQF, Read: readXQF, Write: writeXQF, Binary: true},
	&record.Format{Name: "cbr", Extensions: []string{".cbr"}, Detect: isCBR, Read: readCBR, Write: writeCBR, Binary: true},
	&record.Format{Name: "cbl", Extensions: []string{".cbl"}, Detect: isCBL, Read: readCBL},
	record.Zip,
	record.JSON,
	record.PGN,
	&record.Format{Name: "cbf", Extensions: []string{".cbf"}, Detect: isCBF, Read: readCBF},
	&record.Format{
		Name: "dhtmlxq", Extensions: []string{".dhtmlxq", ".ubb"},
		Detect: isDhtmlXQ, Read: readDhtmlXQ, Write: writeDhtmlXQ,
	},
	&record.Format{
		Name: "html", Extensions: []string{".html", ".htm"},
		Detect: isDhtmlXQ, Read: readDhtmlXQ, Write: writeDhtmlXQPage,
	},
	&record.Format{Name: "wxf", Extensions: []string{".wxf"}, Detect: isWXF, Read: readWXF},
	record.Moves,
)

// startPos returns the start position of a game.
func startPos(g *record.Game) *xiangqi.Position { return g.Start.(*xiangqi.Position) }

// outcomeOf decodes a result of XQStudio and CCBridge.
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
