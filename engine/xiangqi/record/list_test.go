package record

import (
	"fmt"
	"path"
	"strings"
	"testing"
)

// A list with a variation and another in it, as dpxq.com writes it.
const list = `标题: 甲 胜 乙
赛事: 大新杯
红方: 广东 甲
黑方: 湖北 乙
结果: 红方胜
日期: 2005.11.12
记时规则: 30分包干
棋局类型: 全局
红方团体: 广东
红方姓名: 甲
 
　　第一句
 
【主变: 红胜】
1.炮二平五 马８进７!

2.马二进三

红方出马。
　　2. …………　　车９平８ ①
3.车一平二 马２进３
 
变①接主变第2回合

{ rnbakab1r / 9 / 1c4nc1 / p1p1p1p1p / 9 / 9 / P1P1P1P1P / 1C2C1N2 / 9 / RNBAKAB1R b}
	2. …………　　卒７进１ ②

3.车一平二
如车一进一，马2进3。
　　3. …………　　车９平８

变②接变①第2回合
	2. …………　　炮２平５

棋谱由 http://www.dpxq.com/ 生成
`

// As XQStudio and magazines write games: in columns, between lines, with a line about the program.
const columns = `-----------------------------------------------
    第一站2001·8·14（上午）

    辽宁甲  红先胜  北京乙

  回合    红方        黑方
  1. 炮二平五  马８进７    2. 马二进三  车９平８
  3. 车一平二
-----------------------------------------------
辽宁丙  红先负  北京丁
上海戊红先和 广东己

1 兵七进一 卒7进1
2 后马进三

棋谱由象棋演播室制作
`

func TestList(t *testing.T) {
	const tags = "Title=甲 胜 乙 Event=大新杯 Red=甲 Black=湖北 乙 Date=2005.11.12 TimeControl=30分包干 RedTeam=广东 "
	const first = "Red=辽宁甲 Black=北京乙 {第一站2001·8·14（上午）} 1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 1-0"
	const second = "Red=上海戊 Black=广东己 {辽宁丙  红先负  北京丁} 1. c3c4 g6g5"
	const whole = "{棋局类型: 全局 第一句} 1. h2e2 h9g7 $1 2. h0g2 {红方出马。} 2... i9h9 (2... g6g5 3. i0h0 {如车一进一，马2进3。} 3... i9h9) (2... b7e7) 3. i0h0 b9c7 1-0"
	checkOutlines(t, library, []outlineCase{
		{"variations", list, tags + whole + "\n"},
		{"columns", columns, first + "\n" + second + " 1/2-1/2 !! line 14: game 2: move 2. 后马进三: red has no two horses on one file; possible: 马八进九 马八进七 马二进三 马二进一\n"},
		{"GB18030", string(gb18030(columns[:strings.Index(columns, "辽宁丙")])), first + "\n"},
		{"names of one character, and results in parentheses", "甲 红先胜 乙\n1. 炮二平五 马８进７\n丙(先和)丁\n1. 兵七进一 马８进７\n", "Red=甲 Black=乙 1. h2e2 h9g7 1-0\nRed=丙 Black=丁 1. c3c4 h9g7 1/2-1/2\n"},
		{"a result after the moves", "红方: 甲\n1. 炮二平五 马８进７\n（红胜）\n", "Red=甲 1. h2e2 h9g7 {（红胜）} 1-0\n"},
		{"two results", "甲 先负 乙\n1. 炮二平五 马８进７\n红胜\n", "Red=甲 Black=乙 1. h2e2 h9g7 {红胜} 0-1 !! line 2: game 1: result 0-1 in the tag, but 1-0 after the moves\n"},
		{"without headings", "1. 炮二平五  马８进７\n2. 马二进三", "1. h2e2 h9g7 2. h0g2 *\n"},
		{"a mistake", strings.Replace(columns, "  3. 车一平二", "  3. 车一平X", 1), strings.Replace(first, " 3. i0h0 1-0", " 1-0", 1) + " !! line 8: game 1: move 3. \"车一平X\": not a move: want one such as H2-E2, C2=5 or 炮二平五\n" +
			second + " 1/2-1/2 !! line 14: game 2: move 2. 后马进三: red has no two horses on one file; possible: 马八进九 马八进七 马二进三 马二进一\n"},
	})
}

// TestBadLists: the error says what is wrong, and in which line.
func TestBadLists(t *testing.T) {
	for _, c := range []struct{ old, changed, want string }{
		{"3.车一平二 马２进３", "4.车一平二 马２进３", "line 21: game 1: move 3. 车一平二 has the number 4.: a move before it is missing, or the number is wrong"},
		{"3.车一平二 马２进３", "车一平二 马２进九", "line 21: game 1: move 3... 马２进九: no horse of black can move there; possible: 马７退５ 马２进１ 马２进３"},
		{"3.车一平二 马２进３", "3. i0h0 b9c7", "line 19: game 1: move 2... \"红方出马。\": not a move: want one such as H2-E2, C2=5 or 炮二平五"},
		{"3.车一平二 马２进３", "3.车一平二 马2X3", "line 21: game 1: move 3... \"马2X3\": not a move: want one such as H2-E2, C2=5 or 炮二平五"},
		{"变②接变①", "变②接变③", "line 33: game 1: a variation of a move that is not there"},
		{"2. …………　　炮２平５", "9. …………　　炮２平５", "line 33: game 1: a variation of a move that is not there"},
		{"2. …………　　炮２平５", "炮２平５", "line 33: game 1: a variation of a move that is not there"},
		{"红方: 广东 甲", "FEN: 3k5/9 w", "line 3: game 1: start position: 2 ranks instead of 10"},
		{"【主变: 红胜】", "　┌─┬─┬-(车)[将]-┬─┬─┬─┐ ", "line 14: game 1: the drawn board has 1 ranks instead of 10"},
	} {
		_, errs := readText([]byte(strings.Replace(list, c.old, c.changed, 1)))
		if len(errs) != 1 || errs[0].Error() != c.want {
			t.Errorf("%s: %v", c.changed, errs)
		}
	}
	endgame := strings.Replace(list[:strings.Index(list, "1.炮")], "赛事", "FEN: 3k5/9/9/9/9/9/9/9/9/R3K4 w\n赛事", 1) + "1. 车九进九 将４进１\n"
	games, errs := readText([]byte(endgame))
	if len(games) != 1 || errs != nil || uci(games[0]) != "a0a9 d9d8" {
		t.Errorf("a position: %v, %v", games, errs)
	}
}

// drawn is a drawn board of dpxq.com, with moves.
const drawn = `标题: 残局
初始局面:
　　　　　　　　 黑方　　　　　　　　 
　　　　　　　　　　　　　　　　　　　
　┌─┬─┬-[将]-┬─┬─┬─┬─┐ 
　│　│　│　│＼│／│　│　│　│　
　├─┼─┼─┼─※─┼─┼─┼─┤ 
　│　│　│　│／│＼│　│　│　│　
　├─┼─┼─┼─┼─┼─┼─┼─┤ 
　│　│　│　│　│　│　│　│　│　
　├─┼─┼─┼─┼─┼─┼─┼─┤ 
　│　│　│　│　│　│　│　│　│　
　├─┴-[卒]-┴─┴─┴─┴─┴─┤ 
　│　　　　　　　　　　　　　　　│　
　├─┬─┬─┬─┬─┬─┬─┬─┤ 
　│　│　│　│　│　│　│　│　│　
　├─┼─┼─┼─┼─┼─┼─┼─┤ 
　│　│　│　│　│　│　│　│　│　
　├─┼─┼─┼─┼─┼─┼─┼─┤ 
　│　│　│　│＼│／│　│　│　│　
　├─┼─┼─┼─※─┼─┼─┼─┤ 
　│　│　│　│／│＼│　│　│　│　
 (车)-┴─┴─┴-(帅)-┴─┴─┴─┘ 
　　　　　　　　　　　　　　　　　　　
　　　　　　　　 红方　　　　　　　　 
 
【主变】
1. 车九进一　　将４进１
`

func TestDrawnBoard(t *testing.T) {
	for _, c := range []struct{ old, changed, want string }{
		{"", "", "3k5/9/9/9/2p6/9/9/9/9/R3K4 w - - 0 1: a0a1 d9d8 []"},
		{"1. 车九进一　　将４进１", "1. 卒３进１", "3k5/9/9/9/2p6/9/9/9/9/R3K4 b - - 0 1: c5c4 []"},
		{"　├─┴-[卒]", " [卒]-┴─┴─", "3k5/9/9/9/p8/9/9/9/9/R3K4 w - - 0 1: a0a1 d9d8 []"},
		{" (车)-┴─┴", " (车)(车)-┴", "3k5/9/9/9/2p6/9/9/9/9/RR2K4 w - - 0 1: a0a1 d9d8 []"},
		{" (车)-", " (X)-", "[line 5: game 1: rank 0 of the drawn board: unknown piece, or not on a point]"},
		{" (车)-┴", " (车)  (车)", "[line 5: game 1: rank 0 of the drawn board: unknown piece, or not on a point]"},
		{"　├─┬─┬─┬─┬─┬─┬─┬─┤ \n", "", "[line 5: game 1: the drawn board has 9 ranks instead of 10]"},
		{"-[将]-", "─┬─", "[line 5: game 1: start position: no black king]"},
	} {
		games, errs := readText([]byte(strings.Replace(drawn, c.old, c.changed, 1)))
		got := fmt.Sprint(errs)
		for _, g := range games {
			got = startPos(g).FEN() + ": " + uci(g) + " " + got
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.changed, got, c.want)
		}
	}
}

// TestListData: the games of real lists are whole.
func TestListData(t *testing.T) {
	eachDataFile(t, []string{"formats"}, func(name, file string) {
		if path.Ext(name) != ".list" {
			return
		}
		if games, wrong := readFile(t, file); len(games) == 0 || wrong != "" {
			t.Errorf("%s: %d games, %s", name, len(games), wrong)
		}
	})
}
