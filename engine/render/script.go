package render

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed board.js
var boardJS string

// Script returns JavaScript for a page. It defines a constant with five functions, as package games
// describes them:
//
//	board.draw(fen, {letters, flip, chinese, last, targets, arrows})
//	board.points(move, flip)
//	board.moves(fen)
//	board.play(fen, move)
//	board.name(fen, move, notation)
//
// draw returns what [SVG] returns for the position of a FEN: the same bytes. A page
// of many positions is small with it. The options have the meaning of [SVGOptions]
// and may each be missing; moves and points are texts such as "H2-E2" and "H2". The
// FEN is one that package xiangqi has written; the pieces of any other are drawn as
// far as they are known. moves and play are the rules of package xiangqi, without
// those on repetition, so that a reader can try moves without an engine; name
// writes a move in the notations chinese, traditional and wxf.
//
// The script is a constant and has no sequence that ends a script element.
func Script() string {
	parts := map[string]any{
		"headHanzi": headHanzi(), "headLetters": headLetters(), "river": river(), "names": groupNames, "chineseNames": groupChineseNames(),
		"last": groupLast, "targets": groupTargets,
		"red": groupRed, "black": groupBlack, "arrows": groupArrows, "groupEnd": groupEnd, "end": svgEnd,
		"letters": letters, "hanzi": hanzi, "unit": unit, "height": height,
		"topNames": topNames, "bottomNames": bottomNames, "leftNames": leftNames, "rightNames": rightNames,
		"redFiles": redFiles, "blackFiles": blackFiles,
		"scaleName": scaleName, "scalePiece": scalePiece,
	}
	text, err := json.Marshal(parts) // it escapes < and >
	if err != nil {
		return "" // strings and numbers always have a form
	}
	return strings.Replace(boardJS, "PARTS", string(text), 1)
}
