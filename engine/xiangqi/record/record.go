// Package record reads and writes records of Xiangqi games. In addition to the formats of engine/record, which every
// game has, and in which moves may be in any notation of package notation, it has those of Xiangqi programs:
//
//	DhtmlXQ   the format of dpxq.com, variations, comments
//	HTML      a web page with DhtmlXQ
//	WXF       exported by programs of the WXF and by XieXie; read-only
//	XQF       XQStudio 1.0 to 1.8 and later, plain and encrypted; written as 1.0
//	CBR       CCBridge games, versions 1 and 2; written as 2
//	CBL       CCBridge libraries, also the old ones that are compressed; written as version 3
//	MXQ       the server Yitian; read-only
//	list      Chinese text with headings, as XQStudio and dpxq.com write it; many games; read-only
//	CBF       the XML format of CCBridge; read-only
//
// In the binary formats and DhtmlXQ, the alternatives to an illegal move are kept and replace it, and truncated files
// are reported as damaged. The games of a CBL come in CCBridge's order, without the deleted ones. One that is in the
// index but not in the file is an error, which includes the number of missing games.
//
// What a format cannot hold is returned by the Lost of a [record.Writer]. DhtmlXQ, XQF, CBR and CBL have no annotation
// glyphs and no comments before a move: both are added to the comment after it. XQF, CBR and CBL have a fixed set of
// tags of limited length, and XQF and CBR one game per file. A library's own name and remarks are neither read nor
// written.
package record

import (
	"bytes"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
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
		Board: func(start engine.Position, name string) record.Board {
			b := newBoard(start.(*xiangqi.Position))
			b.style = notation.StyleOf(name)
			return b
		},
		Number:      func(p engine.Position) int { return p.(*xiangqi.Position).MoveNumber() },
		CutPosition: cutPosition,
		IsMove:      looksLikeMove,
		OmitName:    true,
	},
	&record.Format{
		Name: "xqf", Extensions: []string{".xqf"}, Binary: true, Read: record.Whole(readXQF), Write: writeXQF,
		Detect: func(head []byte) bool {
			return len(head) > xqfVersion && head[0] == 'X' && head[1] == 'Q' && head[2] < 0x20 && head[2] > 0
		},
	},
	&record.Format{
		Name: "cbr", Extensions: []string{".cbr"}, Binary: true, Detect: isCBR, Write: writeCBR,
		Read: record.Whole(func(s *record.Source, raw []byte, yield func(*record.Game, error) bool) {
			yield(readCBRGame(s, raw, 0, 0))
		}),
	},
	&record.Format{
		Name: "cbl", Extensions: []string{".cbl"}, Binary: true, Read: record.Whole(readCBL), Write: writeCBL, Finish: finishCBL,
		Detect: func(head []byte) bool {
			return bytes.HasPrefix(head, []byte(cblMagic)) || bytes.HasPrefix(head, []byte(oldCBLMagic))
		},
	},
	&record.Format{Name: "mxq", Extensions: []string{".mxq"}, Binary: true, Read: record.Whole(readMXQ), Detect: isMXQ},
	record.Zip,
	record.JSON,
	record.Plain,
	record.Text,
	record.PGN,
	&record.Format{Name: "cbf", Extensions: []string{".cbf"}, Read: record.WholeText(readCBF), Detect: func(head []byte) bool {
		return bytes.Contains(head, []byte("<ChineseChessRecord"))
	}},
	&record.Format{
		Name: "dhtmlxq", Extensions: []string{".dhtmlxq", ".ubb"}, Detect: isDhtmlXQ, Read: record.WholeText(readDhtmlXQ),
		Write: func(o *record.Output, g *record.Game) error { return writeDhtmlXQ(o, g, false) },
	},
	&record.Format{
		Name: "html", Extensions: []string{".html", ".htm"}, Detect: isDhtmlXQ, Read: record.WholeText(readDhtmlXQ),
		Write: func(o *record.Output, g *record.Game) error { return writeDhtmlXQ(o, g, true) },
	},
	&record.Format{Name: "wxf", Extensions: []string{".wxf"}, Read: record.WholeText(readWXF), Detect: func(head []byte) bool {
		return bytes.Contains(head, []byte(wxfStart)) && !record.HasTag(head)
	}},
	&record.Format{Name: "list", Detect: isList, Read: record.WholeText(readList)},
	record.Moves,
)

func startPos(g *record.Game) *xiangqi.Position { return g.Start.(*xiangqi.Position) }

// outcomes are the results of XQStudio and CCBridge.
var outcomes = []engine.Outcome{engine.Ongoing, engine.FirstWins, engine.SecondWins, engine.Draw, engine.Draw}

func outcomeOf(code byte) engine.Outcome {
	if int(code) < len(outcomes) {
		return outcomes[code]
	}
	return engine.Ongoing
}
