package record

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// A list is a text for people: headings, numbered moves in Chinese notation in columns, comments between them, and lines of
// dashes and a last line about the program, as XQStudio, dpxq.com and magazines write it.

// listNames are the tags for the words before a colon.
var listNames = map[string]string{
	"标题": "Title", "棋局标题": "Title", "棋谱标题": "Title", "局名": "Title",
	"赛事": "Event", "比赛名称": "Event", "赛事名称": "Event", "日期": "Date", "比赛日期": "Date", "比赛时间": "Date",
	"地点": "Site", "比赛地点": "Site", "轮次": "Round", "布局": "Opening", "布局类型": "Opening", "开局类型": "Opening",
	"红方": "Red", "红方棋手": "Red", "红方姓名": "Red", "红方团体": "RedTeam", "红方等级分": "RedElo",
	"黑方": "Black", "黑方棋手": "Black", "黑方姓名": "Black", "黑方团体": "BlackTeam", "黑方等级分": "BlackElo",
	"记时规则": "TimeControl", "用时规则": "TimeControl", "评论": "Annotator", "棋谱评论员": "Annotator",
	"作者": "Author", "棋谱作者": "Author", "文件作者": "Author", "棋谱主人": "Owner",
	"结果": listResult, "比赛结果": listResult, "棋谱结果": listResult, "FEN": listFEN, "局面": listFEN, "初始局面": listFEN,
}

// The at of a line before its first move, and of one that begins with no number.
const unnumbered, noMove = -1, -2

// What is no tag.
const (
	listResult = "="
	listFEN    = "FEN"
)

var (
	// listWord matches a line of a word and a value.
	listWord = lazyregexp.New(`^\s*(\p{Han}{2,6}|FEN)\s*[:：]\s*(.*?)\s*$`)
	// listMove matches a move, and listNumbered a line that begins with one, or with dots in its place, after a number.
	listMove     = lazyregexp.New(listMovePattern)
	listNumbered = lazyregexp.New(`^\s*(\d{1,3})\s*[.．、:：)]?\s*(?:` + listMovePattern + `|[.．…·。]{2,})`)
	// listBegins matches a line that begins with a piece after a number: what is no move there is told as such.
	listBegins = lazyregexp.New(`^\s*\d{1,3}\s*[.．、:：)]?\s*(?:[前中后後]?[` + listPieces + `]|[A-Za-z])`)
	// listOther matches a line of moves in another notation.
	listOther = lazyregexp.New(`^\s*\d{1,3}\s*[.．、]\s*[A-Za-z]`)
	// listUnnumbered matches a line of moves alone, perhaps with a mistake.
	listUnnumbered = lazyregexp.New(`^\s*` + listMovePattern + `[^\p{Han}]*(?:[前中后後进進退平` + listPieces + listNumbers + `]|[^\p{Han}])*$`)
	// listGap matches what may stand between moves: numbers, dots, signs and marks of variations and comments.
	listGap = lazyregexp.New(`^(?:[\s.．…·。、,，;；:：)*#]|\d{1,3}\s*[.．、:：)]?|[!！?？]|[①-⑳]|\{\d*\})*$`)
	// listPlayers matches a heading of the players with the result between them.
	listPlayers = lazyregexp.New(`^\s*(\S(?:.{0,20}?\S)??)\s*[(（]?\s*(?:红方?)?先(胜|负|負|和)\s*[)）]?\s*(\S.{0,24}?)\s*$`)
	// listRule matches a line of dashes, and listColumns one of the heads of columns.
	listRule    = lazyregexp.New(`^[\s\-=_*~─━═—－＝]{4,}$`)
	listColumns = lazyregexp.New(`^(?:[\s|│]|回合|序号|着法|红[方棋先]?|黑[方棋]?)+$`)
	// listVariation matches the heading of a variation: its number, the line that it leaves, and the number of the move.
	listVariation = lazyregexp.New(`^\s*(?:【变(\d+)-(\d+)-\d+】|变([①-⑳])接(主变|变([①-⑳]))第\s*\d+\s*(?:回合|着))\s*$`)
	listMainLine  = lazyregexp.New(`^\s*【(?:主变|副图主变)(?:[:：]\s*(.*?))?】\s*$`)
	listBoard     = lazyregexp.New(`^\s*\{[^{}]*/[^{}]*\}\s*$`) // where a variation begins, as a FEN
	// listFooter matches the last line of a program.
	listFooter = lazyregexp.New(`棋谱由.*(?:生成|制作|输出)|(?i)XQStudio|象棋演播室`)
	// listDrawing matches a line of a drawn board.
	listDrawing = lazyregexp.New(`[┌┐└┘├┤┬┴┼│＼／]|(?:[\[(（][车马相象士仕帅将炮兵卒][\])）]\s*){2}`)
)

const listMovePattern = `(?:[前中后後一二三四五][` + listPieces + `][` + listNumbers + `]?|[` + listPieces + `][` + listNumbers + `])[进進退平][` + listNumbers + `]`

const (
	wideBlank   = "\u3000"
	listPieces  = "车車俥马馬傌炮砲包相象仕士帅帥将將兵卒"
	listNumbers = "一二三四五六七八九1-9１-９"
)

// isList reports whether a text is a list with more than moves, which would be plain moves. A text of tags is none.
func isList(head []byte) bool {
	if !bytes.ContainsFunc(head, func(r rune) bool { return r >= 0x80 }) || record.HasTag(head) {
		return false
	}
	moves, more := false, false
	for line := range strings.Lines(new(record.Decoder).Decode(head)) {
		line = strings.TrimRight(strings.ReplaceAll(line, wideBlank, " "), "\r\n")
		m := listWord().FindStringSubmatch(line)
		switch {
		case listOther().MatchString(line):
			return false
		case listNumbered().MatchString(line):
			moves = true
		case listRule().MatchString(line), listFooter().MatchString(line), listMainLine().MatchString(line), m != nil && listNames[m[1]] != "",
			strings.TrimSpace(line) != "" && listColumns().MatchString(line), listPlayers().MatchString(line):
			more = true
		}
	}
	return moves && more
}

// A listGame is a game that is being read.
type listGame struct {
	tags    record.Tags
	heading []string
	players string // the line of the heading with the players
	result  string // of the heading
	fen     string
	fenLine int
	drawing []string // of the start
	drawn   int      // its first line
	lines   []*listMoves
	number  map[string]int // of lines, by their names
	moves   int
}

// listMoves are a line of moves, with what it leaves.
type listMoves struct {
	parent, at int // the index of the line that it leaves, and of the move there
	plies      []listPly
	before     []string // comments before its first move
}

// A listPly is a move as PGN has it, with the comments after it.
type listPly struct {
	text     string
	line     int
	comments []string
}

// readList yields the games of a list. A game begins with a move 1 after moves, and what stands before it is its heading.
func readList(s *record.Source, text string, yield func(*record.Game, error) bool) {
	var g listGame
	var loose []string // lines after the last move, which are comments on it, or the heading of another game
	var looseAt []int
	count := 0
	flush := func() bool {
		if len(g.lines) == 0 {
			return true
		}
		count++
		game, err := g.read(s, count)
		g = listGame{}
		return yield(game, err)
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, " \r\n")
		if !listDrawing().MatchString(line) {
			line = strings.TrimRight(strings.ReplaceAll(line, wideBlank, " "), " ")
		}
		m := listNumbered().FindStringSubmatch(line)
		isMoves := m != nil || listUnnumbered().MatchString(line) || len(g.lines) > 0 && listBegins().MatchString(line)
		switch {
		case strings.TrimSpace(line) == "", listRule().MatchString(line), listBoard().MatchString(line), listColumns().MatchString(line):
		case !isMoves:
			loose, looseAt = append(loose, line), append(looseAt, number)
		case m != nil && m[1] == "1" && len(g.lines) > 0 && !slices.ContainsFunc(loose, listVariation().MatchString):
			if !flush() {
				return
			}
			fallthrough
		default:
			for i, text := range loose {
				g.addLoose(text, looseAt[i])
			}
			loose, looseAt = nil, nil
			g.addMoves(line, number)
		}
	}
	for i, text := range loose {
		g.addLoose(text, looseAt[i])
	}
	flush()
}

// addLoose adds a line without moves.
func (g *listGame) addLoose(line string, number int) {
	inHeading := len(g.lines) == 0
	if m := listVariation().FindStringSubmatch(line); m != nil && !inHeading {
		// The number of the move is that of its first move: a start with Black to move has its own numbers.
		name, parent := m[1]+m[3], m[2]+m[5]
		if m[4] == "主变" {
			parent = "0"
		}
		g.number[name] = len(g.lines)
		at, ok := g.number[parent]
		if !ok {
			at = -1
		}
		g.lines = append(g.lines, &listMoves{parent: at, at: unnumbered})
		return
	}
	if m := listMainLine().FindStringSubmatch(line); m != nil {
		if m[1] != "" {
			g.result = m[1]
		}
		return
	}
	if !inHeading {
		last := g.lines[len(g.lines)-1]
		comment := strings.TrimSpace(line)
		switch n := len(last.plies); {
		case listFooter().MatchString(comment), listDrawing().MatchString(line): // a board between the moves shows what they say
		case n == 0:
			last.before = append(last.before, comment)
		default:
			last.plies[n-1].comments = append(last.plies[n-1].comments, comment)
		}
		return
	}
	if m := listPlayers().FindStringSubmatch(line); m != nil {
		if g.players != "" { // of a game without moves
			g.heading = append(g.heading, g.players)
		}
		g.players, g.result = strings.TrimSpace(line), "先"+m[2]
		g.tags.Set("Red", m[1])
		g.tags.Set("Black", m[3])
		return
	}
	m := listWord().FindStringSubmatch(line)
	if m == nil || listNames[m[1]] == "" {
		switch {
		case listDrawing().MatchString(line):
			if g.drawing == nil {
				g.drawn = number
			}
			g.drawing = append(g.drawing, line)
		case !listFooter().MatchString(line):
			g.heading = append(g.heading, strings.TrimSpace(line))
		}
		return
	}
	switch name := listNames[m[1]]; name {
	case listResult:
		g.result = m[2]
	case listFEN:
		g.fen, g.fenLine = m[2], number
	case "Red", "Black":
		g.tags.Set(name, m[2]) // the name alone comes after that with the team
	default:
		g.tags.Add(name, m[2])
	}
}

// addMoves adds a line that begins with a move.
func (g *listGame) addMoves(line string, number int) {
	if len(g.lines) == 0 {
		g.lines, g.number = []*listMoves{{parent: -1}}, map[string]int{"0": 0}
	}
	to := g.lines[len(g.lines)-1]
	if len(to.plies) == 0 && to.at == unnumbered {
		to.at = noMove
		if m := listNumbered().FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			to.at = 2 * (n - 1)
			if !listMove().MatchString(m[0]) {
				to.at++
			}
		}
	}
	end, lead := 0, ""
	for _, at := range append(listMove().FindAllStringIndex(line, -1), []int{len(line), len(line)}) {
		gap := strings.TrimSpace(line[end:at[0]])
		n := len(to.plies)
		after := strings.TrimLeft(gap, "!！?？")
		if n > 0 && len(after) < len(gap) && end > 0 {
			to.plies[n-1].text += width.Narrow.String(gap[:len(gap)-len(after)])
		}
		word := strings.TrimLeft(after, " .．…·。、:：)0123456789")
		if fields := strings.Fields(word); len(fields) > 0 {
			word = fields[0]
		}
		switch {
		case listGap().MatchString(after):
			lead = listNumber(after)
		case listBegins().MatchString("1. "+word) && utf8.RuneCountInString(word) <= 5: // which is told as no move
			to.plies = append(to.plies, listPly{text: listNumber(after) + word, line: number})
		case n == 0:
			to.before = append(to.before, strings.TrimSpace(after))
		default:
			to.plies[n-1].comments = append(to.plies[n-1].comments, strings.TrimSpace(after))
		}
		if g.moves++; g.moves > record.MaxMoves+1 {
			return // that they are too many is told when they are read
		}
		if at[0] < len(line) {
			to.plies = append(to.plies, listPly{text: lead + line[at[0]:at[1]], line: number})
			lead = ""
		}
		end = at[1]
	}
}

// listNumber returns the number between moves as PGN has it, or "".
func listNumber(gap string) string {
	digits := strings.IndexFunc(gap, func(r rune) bool { return r >= '0' && r <= '9' })
	if digits < 0 {
		return ""
	}
	number := gap[digits:]
	number = number[:len(number)-len(strings.TrimLeft(number, "0123456789"))]
	if strings.ContainsAny(gap, "…·") || strings.Contains(gap, "..") || strings.Contains(gap, "。。") {
		return number + "... "
	}
	return number + ". "
}

func (g *listGame) read(s *record.Source, count int) (*record.Game, error) {
	if g.drawing != nil && g.fen == "" {
		var err error
		if g.fen, err = readDrawing(g.drawing, g.lines[0].plies); err != nil {
			return nil, s.LineError(count, g.drawn, err)
		}
		g.fenLine = g.drawn
	}
	start, err := s.Position(g.fen)
	if err != nil {
		return nil, s.LineError(count, g.fenLine, err)
	}
	var text strings.Builder
	var lines []int // of the file, by lines of text
	add := func(word string, line int) {
		text.WriteString(strings.ReplaceAll(word, "\n", " ") + "\n")
		lines = append(lines, line)
	}
	comment := func(texts []string, line int) {
		if len(texts) > 0 {
			add("{"+strings.NewReplacer("{", "(", "}", ")").Replace(strings.Join(texts, " "))+"}", line)
		}
	}
	variations := map[[2]int][]int{}
	for i, l := range g.lines[1:] {
		variations[[2]int{l.parent, l.at}] = append(variations[[2]int{l.parent, l.at}], i+1)
	}
	used := make([]bool, len(g.lines))
	var write func(index int)
	write = func(index int) {
		used[index] = true
		l := g.lines[index]
		for i, ply := range l.plies {
			if i == 0 {
				comment(l.before, ply.line)
			}
			add(ply.text, ply.line)
			comment(ply.comments, ply.line)
			for _, j := range variations[[2]int{index, i + l.at}] {
				add("(", ply.line)
				write(j)
				add(")", ply.line)
			}
		}
	}
	write(0)
	game, at, err := s.Moves(text.String(), start, g.fen)
	if err != nil {
		err = s.LineError(count, lines[min(at, len(lines)-1)], err)
	}
	for i, l := range g.lines {
		if err == nil && !used[i] && len(l.plies) > 0 {
			err = s.LineError(count, l.plies[0].line, errors.New("a variation of a move that is not there"))
		}
	}
	game.Tags = g.tags
	if main := g.lines[0].plies; len(main) > 0 {
		for _, text := range main[len(main)-1].comments {
			if o, _ := record.ParseResult(strings.Trim(text, "()（）")); o != engine.Ongoing {
				game.Result = o
			}
		}
	}
	if wrong := game.SetResult(g.result); wrong != nil && err == nil {
		err = s.LineError(count, lines[len(lines)-1], wrong)
	}
	game.Root.Comment = record.JoinLines(strings.Join(g.heading, "\n"), game.Root.Comment)
	return game, err
}

// readDrawing returns the position of a drawn board, Black's side above, as XQStudio and dpxq.com draw it: a point has four
// columns, where a character that is not ASCII has two. The pieces of Black are in brackets, those of Red in parentheses.
// The side to move is that of the first move.
func readDrawing(drawing []string, plies []listPly) (fen string, err error) {
	var g grid
	rank := 10
	for _, line := range drawing {
		if !strings.ContainsAny(line, "┌┐└┘├┤┬┴┼[(［（") {
			continue // between two ranks
		}
		if rank--; rank < 0 {
			return "", errors.New("the drawn board has more than 10 ranks")
		}
		column, left := 0, -1
		runes := []rune(line)
		for i, r := range runes {
			isPiece := strings.ContainsRune("[(［（", r)
			if left < 0 && (isPiece || strings.ContainsRune("┌└├", r)) {
				left = column
				if !isPiece {
					left-- // it is in the middle of its columns
				}
			}
			if isPiece {
				kind, side := xiangqi.NoKind, xiangqi.Red
				if i+1 < len(runes) && runes[i+1] >= utf8.RuneSelf {
					kind = notation.KindOf(runes[i+1])
				}
				if r == '[' || r == '［' {
					side = xiangqi.Black
				}
				file := (column - left) / 4
				if kind == xiangqi.NoKind || left < 0 || (column-left)%4 != 0 || file > 8 {
					return "", fmt.Errorf("rank %d of the drawn board: unknown piece, or not on a point", rank)
				}
				g[rank*9+file] = xiangqi.NewPiece(side, kind)
			}
			if column++; r >= 0x80 {
				column++
			}
		}
	}
	if rank > 0 {
		return "", fmt.Errorf("the drawn board has %d ranks instead of 10", 10-rank)
	}
	black := len(plies) > 0 && !strings.ContainsAny(plies[0].text, "一二三四五六七八九")
	return g.position(-1, black), nil
}
