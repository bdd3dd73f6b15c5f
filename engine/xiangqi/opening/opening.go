// Package opening has the names of openings of Xiangqi.
//
// A name stands for the positions that its lines reach, whatever the order of the moves, and for the same with left and
// right exchanged; the last one that a game reaches names it. The names are those that players use for the first moves.
// A new one is a line of the table: its tests say if a position has a name already.
package opening

import (
	"fmt"
	"strings"
	"sync"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// An entry is a name with its lines, separated by semicolons.
type entry struct{ chinese, english, lines string }

// Beginnings of several entries.
const (
	screen  = "炮二平五 马8进7 马二进三 车9平8 车一平二 马2进3 "
	river   = screen + "兵七进一 卒7进1 车二进六 "
	trade   = river + "炮8平9 车二平三 炮9退1 "
	pawns   = screen + "兵三进一 卒3进1 马八进九 卒1进1 "
	sameWay = "炮二平五 炮8平5 马二进三 马8进7 "
)

var table = []entry{
	{"中炮", "Central Cannon", "炮二平五; 炮二平五 马8进7 马二进三; 炮二平五 马2进3 马二进三"},
	{"顺炮", "Same-Side Cannons", "炮二平五 炮8平5"},
	{"顺炮直车对横车", "Same-Side Cannons, Straight Rook against Cross Rook", sameWay + "车一平二 车9进1"},
	{"顺炮直车对缓开车", "Same-Side Cannons, Straight Rook against Delayed Rook", sameWay + "车一平二 卒7进1"},
	{"顺炮横车对直车", "Same-Side Cannons, Cross Rook against Straight Rook", sameWay + "车一进一 车9平8"},
	{"列炮", "Opposite-Side Cannons", "炮二平五 炮2平5"},
	{"中炮对单提马", "Central Cannon against Single Horse", "炮二平五 马8进7 马二进三 马2进1; 炮二平五 马8进7 马二进三 车9平8 车一平二 马2进1"},
	{"中炮对反宫马", "Central Cannon against Sandwiched Horses", "炮二平五 马2进3 马二进三 炮8平6; 炮二平五 马2进3 马二进三 炮8平6 车一平二 马8进7"},
	{"中炮对左炮封车", "Central Cannon against Left Cannon Blockade", "炮二平五 马8进7 马二进三 车9平8 车一平二 炮8进4"},
	{"中炮对左炮封车转列炮", "Central Cannon against Left Cannon Blockade and Opposite Cannon", "炮二平五 马8进7 马二进三 车9平8 车一平二 炮8进4 兵三进一 炮2平5"},
	{"中炮对左三步虎", "Central Cannon against Three-Step Tiger", "炮二平五 马8进7 马二进三 车9平8 兵七进一 炮8平9; 炮二平五 马8进7 马二进三 炮8平9 车一平二 车9平8"},
	{"中炮对龟背炮", "Central Cannon against Turtle-Back Cannon", "炮二平五 马8进7 马二进三 车9进1 车一平二 炮8退1"},
	{"中炮对屏风马", "Central Cannon against Screen Horses", "炮二平五 马8进7 马二进三 马2进3; " + screen + "; 炮二平五 马8进7 马二进三 车9平8 兵七进一 卒7进1 马八进七 马2进3"},
	{"中炮横车七路马对屏风马", "Central Cannon with Cross Rook and Left Horse against Screen Horses", "炮二平五 马8进7 马二进三 车9平8 兵七进一 卒7进1 马八进七 马2进3 车一进一"},
	{"中炮直横车对屏风马两头蛇", "Central Cannon with Two Rooks against Screen Horses and Two-Headed Snake", screen + "马八进七 卒3进1 车九进一 卒7进1"},
	{"中炮巡河车对屏风马", "Central Cannon with Riverbank Rook against Screen Horses", screen + "兵七进一 卒7进1 车二进四; " + screen + "车二进四"},
	{"中炮过河车对屏风马", "Central Cannon with River-Crossing Rook against Screen Horses", screen + "车二进六; " + river},
	{"中炮过河车对屏风马左马盘河", "Central Cannon with River-Crossing Rook against Screen Horses and Riverbank Horse", river + "马7进6"},
	{"中炮过河车对屏风马平炮兑车", "Central Cannon with River-Crossing Rook against Screen Horses and Rook Exchange", river + "炮8平9; " + trade},
	{"五九炮过河车对屏风马平炮兑车", "Central and Edge Cannons with River-Crossing Rook against Screen Horses and Rook Exchange", trade + "马八进七 士4进5 炮八平九; " + trade + "炮八平九"},
	{"中炮过河车急进中兵对屏风马平炮兑车", "Central Cannon with River-Crossing Rook and Central Pawn against Screen Horses and Rook Exchange", trade + "兵五进一; " + trade + "马八进七 士4进5 兵五进一"},
	{"五六炮对屏风马", "Central and Sixth-File Cannons against Screen Horses", screen + "马八进九 卒7进1 炮八平六; " + screen + "炮八平六"},
	{"五七炮对屏风马", "Central and Seventh-File Cannons against Screen Horses", screen + "马八进九 卒7进1 炮八平七"},
	{"五七炮互进三兵对屏风马", "Central and Seventh-File Cannons with Third Pawns against Screen Horses", pawns + "炮八平七"},
	{"五八炮互进三兵对屏风马", "Central and Eighth-File Cannons with Third Pawns against Screen Horses", pawns + "炮八进四"},

	{"仙人指路", "Pointing Immortal", "兵七进一"},
	{"仙人指路对卒底炮", "Pointing Immortal against Cannon behind the Pawn", "兵七进一 炮2平3"},
	{"仙人指路转左中炮对卒底炮", "Pointing Immortal with Left Central Cannon against Cannon behind the Pawn", "兵七进一 炮2平3 炮八平五"},
	{"仙人指路转右中炮对卒底炮", "Pointing Immortal with Right Central Cannon against Cannon behind the Pawn", "兵七进一 炮2平3 炮二平五"},
	{"仙人指路转飞相对卒底炮", "Pointing Immortal with Elephant against Cannon behind the Pawn", "兵七进一 炮2平3 相三进五; 兵七进一 炮2平3 相七进五"},
	{"对兵局", "Opposing Pawns", "兵七进一 卒7进1"},
	{"对兵转兵底炮", "Opposing Pawns with Cannon behind the Pawn", "兵七进一 卒7进1 炮二平三"},
	{"对兵互进马", "Opposing Pawns with Horses", "兵七进一 卒7进1 马八进七 马8进7"},
	{"仙人指路对中炮", "Pointing Immortal against Central Cannon", "兵七进一 炮8平5; 兵七进一 炮2平5"},
	{"仙人指路对飞象", "Pointing Immortal against Elephant", "兵七进一 象3进5; 兵七进一 象7进5"},
	{"仙人指路对起马", "Pointing Immortal against Horse", "兵七进一 马8进7; 兵七进一 马2进3"},

	{"飞相局", "Elephant Opening", "相三进五"},
	{"飞相对左中炮", "Elephant against Left Central Cannon", "相三进五 炮8平5"},
	{"飞相对右中炮", "Elephant against Right Central Cannon", "相三进五 炮2平5"},
	{"飞相对左过宫炮", "Elephant against Left Cross-Palace Cannon", "相三进五 炮8平4"},
	{"飞相对右过宫炮", "Elephant against Right Cross-Palace Cannon", "相三进五 炮2平6"},
	{"飞相对左士角炮", "Elephant against Left Palace-Corner Cannon", "相三进五 炮8平6"},
	{"飞相对右士角炮", "Elephant against Right Palace-Corner Cannon", "相三进五 炮2平4"},
	{"飞相对进左马", "Elephant against Left Horse", "相三进五 马8进7"},
	{"飞相对进右马", "Elephant against Right Horse", "相三进五 马2进3"},
	{"飞相对挺卒", "Elephant against Pawn", "相三进五 卒7进1; 相三进五 卒3进1"},
	{"顺相局", "Same-Side Elephants", "相三进五 象7进5"},
	{"列相局", "Opposite-Side Elephants", "相三进五 象3进5"},

	{"起马局", "Horse Opening", "马八进七"},
	{"起马对挺卒", "Horse against Pawn", "马八进七 卒3进1; 马八进七 卒7进1"},
	{"起马对中炮", "Horse against Central Cannon", "马八进七 炮8平5; 马八进七 炮2平5"},
	{"边马局", "Edge Horse", "马八进九"},

	{"过宫炮", "Cross-Palace Cannon", "炮二平六"},
	{"过宫炮对中炮", "Cross-Palace Cannon against Central Cannon", "炮二平六 炮8平5; 炮二平六 炮2平5"},
	{"过宫炮对进左马", "Cross-Palace Cannon against Left Horse", "炮二平六 马8进7"},
	{"过宫炮对进右马", "Cross-Palace Cannon against Right Horse", "炮二平六 马2进3"},
	{"士角炮", "Palace-Corner Cannon", "炮二平四"},
	{"士角炮对中炮", "Palace-Corner Cannon against Central Cannon", "炮二平四 炮8平5; 炮二平四 炮2平5"},
	{"金钩炮", "Golden Hook Cannon", "炮二平七"},
	{"兵底炮", "Cannon behind the Pawn", "炮二平三"},
	{"边炮局", "Edge Cannon", "炮二平一"},
	{"巡河炮局", "Riverbank Cannon", "炮二进二"},
	{"过河炮局", "River-Crossing Cannon", "炮二进四"},
	{"上仕局", "Advisor Opening", "仕四进五"},
	{"九尾龟", "Edge Pawn", "兵一进一"},
}

// Names returns the English names of positions by their keys. The map must not be changed.
var Names = sync.OnceValue(func() map[uint64]string {
	names := map[uint64]string{}
	for _, e := range table {
		for line := range strings.SplitSeq(e.lines, ";") {
			for _, pos := range reached(line) {
				names[pos.Key()] = e.english
			}
		}
	}
	return names
})

// Chinese returns the Chinese names by the English ones.
func Chinese() map[string]string {
	names := map[string]string{}
	for _, e := range table {
		names[e.english] = e.chinese
	}
	return names
}

// reached returns the position after a line, and that with left and right exchanged.
func reached(line string) [2]*xiangqi.Position {
	pos, mirrored := xiangqi.Start(), xiangqi.Start()
	for text := range strings.FieldsSeq(line) {
		m, err := notation.Read(pos, text)
		if err == nil {
			mirrored, err = mirrored.PlayMove(m.Mirrored())
		}
		if err == nil {
			pos, err = pos.PlayMove(m)
		}
		if err != nil {
			panic(fmt.Sprintf("%s: %v", line, err)) // the table is wrong
		}
	}
	return [2]*xiangqi.Position{pos, mirrored}
}
