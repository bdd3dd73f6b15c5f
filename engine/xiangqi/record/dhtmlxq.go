package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// DhtmlXQ has tags such as [DhtmlXQ_red]...[/DhtmlXQ_red] within [DhtmlXQ]...[/DhtmlXQ], often in
// a web page. A point is two digits: the file from Red's left and the rank from Black's side.
// movelist has the moves of the main line, four digits each. move_P_N_C is the variation C, which
// leaves line P at move N, counted from the start; the main line is 0. commentN is the comment
// after move N of the main line, commentC_N that of line C. binit has the points of the pieces, 99
// for a captured one.
//
// In pages of dpxq.com the tag movelist may be empty. The moves are in a variable of a script then, which
// is named like the tag: as digits, within a tag, or as segments [P_N_C]...[/P_N_C] like move_P_N_C.

const (
	dhtmlOpen  = "[DhtmlXQ]"
	dhtmlClose = "[/DhtmlXQ]"
	dhtmlTag   = "[DhtmlXQ_"

	dhtmlNewline = "||" // in comments
)

// isDhtmlXQ also detects a list of digits without tags.
func isDhtmlXQ(head []byte) bool {
	if bytes.Contains(head, []byte(dhtmlTag)) || isPage(string(head)) && dhtmlVariable().Match(head) {
		return true
	}
	head = bytes.TrimSpace(head)
	return len(head) >= 8 && len(bytes.Trim(head, "0123456789\r\n")) == 0
}

// dhtmlNames are the names of tags in DhtmlXQ, in lower case, and in PGN.
var dhtmlNames = [][2]string{
	{"title", "Title"},
	{"event", "Event"},
	{"date", "Date"},
	{"place", "Site"},
	{"round", "Round"},
	{"red", "Red"},
	{"redname", "Red"},
	{"redteam", "RedTeam"},
	{"black", "Black"},
	{"blackname", "Black"},
	{"blackteam", "BlackTeam"},
	{"open", "Opening"},
	{"timerule", "TimeControl"},
	{"remark", "Annotator"},
	{"author", "Author"},
	{"owner", "Owner"},
}

// dhtmlIgnored are tags about the web page or the format, not the game.
const dhtmlIgnored = " init pver ver viewurl adddate editdate hits firstnum length sortid oldowner type "

// isDhtmlReserved reports whether a tag's name has a meaning in the format, or is ignored.
func isDhtmlReserved(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "comment") || strings.HasPrefix(name, "move") ||
		strings.Contains(" binit fen result"+dhtmlIgnored, " "+name+" ")
}

func readDhtmlXQ(s *record.Source, text string, yield func(*record.Game, error) bool) {
	page := isPage(text)
	if !page && !strings.Contains(text, dhtmlTag) {
		g, err := readDigits(s, text)
		yield(g, s.LineError(0, 1, err))
		return
	}
	unescape := func(value string) string { return value }
	if page {
		unescape = html.UnescapeString
	}
	line, number := 1, 0
	several := strings.Count(text, dhtmlOpen) > 1
	var script []dhtmlScript // of the next game
	for i, more := 0, true; more; i++ {
		var block string
		block, text, more = strings.Cut(text, dhtmlOpen)
		lines := strings.Count(block, "\n")
		if page {
			var variables []dhtmlScript
			block, variables = cutVariables(block, line)
			script = append(script, variables...)
		}
		if hasTags := strings.Contains(block, dhtmlTag); hasTags || !more && len(script) > 0 {
			if several {
				number = i
			}
			d := newDhtmlGame(s, line)
			if hasTags {
				d.readTags(block, line, i > 0, unescape)
			}
			d.readScript(script)
			script = nil
			g := d.game(page)
			if !yield(g, s.LineError(number, d.errs.Line, d.errs.Err())) {
				return
			}
		}
		line += lines
	}
}

// isPage reports whether a text is a web page: it has an element before the first tag.
func isPage(text string) bool {
	before, _, _ := strings.Cut(text, dhtmlTag)
	return strings.Contains(before, "<")
}

// A dhtmlScript is a variable of a script in a page.
type dhtmlScript struct {
	name string
	dhtmlValue
}

// cutVariables returns a part of a page without the variables of its scripts, and these. A value may be
// the sum of several strings, or be assigned in several steps.
func cutVariables(block string, line int) (rest string, variables []dhtmlScript) {
	var b strings.Builder
	end := 0
	for _, at := range dhtmlVariable().FindAllStringSubmatchIndex(block, record.MaxTags) {
		b.WriteString(block[end:at[0]])
		line += strings.Count(block[end:at[0]], "\n")
		var text strings.Builder
		for _, part := range dhtmlString().FindAllString(block[at[4]:at[5]], -1) {
			text.WriteString(part[1 : len(part)-1])
		}
		value := dhtmlSegment().ReplaceAllString(strings.ReplaceAll(text.String(), `\/`, "/"), "${1}DhtmlXQ_move_$2")
		name := block[at[2]:at[3]]
		if i := slices.IndexFunc(variables, func(v dhtmlScript) bool { return v.name == name }); i >= 0 {
			variables[i].text += value
		} else {
			variables = append(variables, dhtmlScript{name, dhtmlValue{value, line}})
		}
		lines := strings.Count(block[at[0]:at[1]], "\n")
		b.WriteString(strings.Repeat("\n", lines))
		line += lines
		end = at[1]
	}
	b.WriteString(block[end:])
	return b.String(), variables
}

var (
	dhtmlBegin    = lazyregexp.New(`(?i)\[DhtmlXQ_([0-9a-z_]+)\]`)
	dhtmlEnd      = lazyregexp.New(`(?i)\[/DhtmlXQ_([0-9a-z_]+)\]`)
	dhtmlVariable = lazyregexp.New(`(?i)\bDhtmlXQ_([0-9a-z_]+)\s*\+?=\s*((?:'[^']*'|"[^"]*")(?:\s*\+\s*(?:'[^']*'|"[^"]*"))*)`)
	dhtmlString   = lazyregexp.New(`'[^']*'|"[^"]*"`)
	dhtmlSegment  = lazyregexp.New(`(\[/?)(\d+_\d+_\d+\])`)
	dhtmlPartial  = lazyregexp.New(`(?i)\[/?(D(h(t(m(l(X(Q[^\]]*)?)?)?)?)?)?)?$`)
)

type dhtmlGame struct {
	src        *record.Source
	tags       record.Tags
	values     map[string]dhtmlValue // tags with a meaning in the format; names in lower case
	comments   map[string]string     // by line and move, as in "0_12"
	variations []dhtmlLine
	errs       record.Errors
	line       int // of the block
}

// A dhtmlValue is the value of a tag, and its line number in the file.
type dhtmlValue struct {
	text string
	line int
}

type dhtmlLine struct {
	parent, from, id int
	dhtmlValue
}

// newDhtmlGame returns the game of a block that begins in a line.
func newDhtmlGame(s *record.Source, line int) *dhtmlGame {
	return &dhtmlGame{src: s, line: line, values: map[string]dhtmlValue{}, comments: map[string]string{}}
}

// readTags reads the tags of a block. line is the block's line number. An unclosed tag ends at the
// next one.
func (d *dhtmlGame) readTags(block string, line int, opened bool, unescape func(string) string) {
	block, behind, closed := strings.Cut(block, dhtmlClose)
	found := false
	for at := dhtmlBegin().FindStringSubmatchIndex(block); at != nil; found = true {
		if len(d.comments)+len(d.variations) >= record.MaxMoves {
			d.errs.AddAt(line, record.ErrTooManyMoves)
			return
		}
		line += strings.Count(block[:at[0]], "\n")
		name, rest := block[at[2]:at[3]], block[at[1]:]
		size := at[1] - at[0]
		block = block[at[0]:]
		if at = dhtmlBegin().FindStringSubmatchIndex(rest); at != nil {
			rest = rest[:at[0]]
			for i := range at {
				at[i] += size
			}
		}
		if ends := dhtmlEnd().FindAllStringSubmatch(rest, 2); len(ends) > 0 {
			if last := ends[len(ends)-1]; !strings.EqualFold(last[1], name) {
				d.errs.AddAt(line, fmt.Errorf("%.40s after [DhtmlXQ_%.20s]: a tag is damaged", last[0], name))
			}
			rest, _, _ = strings.Cut(rest, ends[0][0])
		} else {
			rest = dhtmlPartial().ReplaceAllString(rest, "")
			d.errs.AddAt(line, fmt.Errorf("unclosed tag [DhtmlXQ_%.20s]", name))
		}
		d.addTag(name, dhtmlValue{unescape(rest), line})
	}
	if d.errs.First() == nil && (opened && !closed || !found) {
		d.errs.AddAt(line+strings.Count(strings.TrimSpace(block), "\n"), errTruncated)
	}
	if strings.Contains(behind, dhtmlTag) {
		d.errs.AddAt(line+strings.Count(block, "\n"), errors.New("tags behind "+dhtmlClose+" are ignored"))
	}
}

// readScript adds what the tags lack and the variables of a script have.
func (d *dhtmlGame) readScript(script []dhtmlScript) {
	v := newDhtmlGame(d.src, d.line)
	for _, s := range script {
		switch {
		case dhtmlBegin().MatchString(s.text):
			v.readTags(s.text, s.line, false, strings.TrimSpace)
		case isDhtmlReserved(s.name) || dhtmlName(s.name) != s.name:
			v.addTag(s.name, s.dhtmlValue)
		}
	}
	for name, value := range v.values {
		if d.values[name].text == "" {
			d.values[name] = value
		}
	}
	for id, comment := range v.comments {
		d.comments[id] = cmp.Or(d.comments[id], comment)
	}
	for _, tag := range v.tags {
		d.tags.Add(tag.Name, tag.Value)
	}
	if len(d.variations) == 0 {
		d.variations = v.variations
	}
	d.errs.AddAt(v.errs.Line, v.errs.Err())
}

// errNothing is the error of a game of which nothing was read.
var errNothing = errors.New("neither moves nor a position")

// game builds the game from the tags; nil if the start cannot be read.
func (d *dhtmlGame) game(page bool) *record.Game {
	moves := d.values["movelist"]
	if moves.text == "" {
		moves = d.values["move_0_1_0"]
	}
	start, err := d.start(moves.text)
	if err != nil {
		d.errs.AddAt(cmp.Or(d.values["fen"].line, d.values["binit"].line, moves.line), err)
		return nil
	}
	g := record.NewGame(start)
	g.Tags = d.tags
	g.SetResult(d.values["result"].text)
	g.Root.Comment = d.comments["0_0"]
	d.buildTree(g, moves)
	_, named := d.values["movelist"]
	switch position := d.values["binit"].text + d.values["fen"].text; {
	case len(g.Root.Next) > 0 || d.errs.First() != nil:
	case page && (named || position == ""):
		d.errs.AddAt(d.line, errors.New("the page names DhtmlXQ, but no moves were found in it")) // in an unknown form, perhaps
	case position == "" && len(d.tags) == 0:
		d.errs.AddAt(d.line, errNothing)
	}
	return g
}

func (d *dhtmlGame) addTag(name string, value dhtmlValue) {
	lower := strings.ToLower(name)
	switch {
	case strings.HasPrefix(lower, "comment"):
		id := lower[len("comment"):]
		if !strings.Contains(id, "_") {
			id = "0_" + id
		}
		d.comments[id] = record.CleanText(strings.ReplaceAll(value.text, dhtmlNewline, "\n"))
	case lower == "movelist", lower == "binit", lower == "fen", lower == "result", lower == "move_0_1_0":
		value.text = strings.TrimSpace(value.text)
		if first := d.values[lower].text; first != "" && first != value.text {
			d.errs.AddAt(value.line, fmt.Errorf("another tag [DhtmlXQ_%s], which differs", name))
		}
		d.values[lower] = value
	case strings.HasPrefix(lower, "move_"):
		l := dhtmlLine{dhtmlValue: value}
		if _, err := fmt.Sscanf(lower, "move_%d_%d_%d", &l.parent, &l.from, &l.id); err == nil {
			d.variations = append(d.variations, l)
		}
	case strings.Contains(dhtmlIgnored, " "+lower+" "):
	case strings.Trim(value.text, "0-?. ") == "":
	case len(d.tags) == record.MaxTags:
		d.errs.AddAt(value.line, record.ErrTags)
	default:
		d.tags.Add(dhtmlName(name), value.text)
	}
}

func dhtmlName(name string) string {
	for _, pair := range dhtmlNames {
		if name == pair[0] {
			return pair[1]
		}
	}
	return name
}

// binitPieces are the pieces in the order of binit.
const binitPieces = "RNBAKABNRCCPPPPPrnbakabnrccppppp"

func (d *dhtmlGame) start(moves string) (engine.Position, error) {
	if fen := d.values["fen"].text; fen != "" {
		return d.src.Position(fen)
	}
	first := -1
	if len(moves) >= 4 {
		first = dhtmlPoint(moves)
	}
	points := cmp.Or(d.values["binit"].text, binit(xiangqi.Start()))
	if len(points) != 2*len(binitPieces) {
		return nil, fmt.Errorf("binit has %d digits instead of %d", len(points), 2*len(binitPieces))
	}
	var g grid
	for i := range binitPieces {
		if sq := dhtmlPoint(points[2*i:]); sq >= 0 {
			g[sq] = xiangqi.PieceOf(binitPieces[i])
		}
	}
	return d.src.Position(g.position(first, false))
}

// dhtmlPoint parses a point of two digits, the first of a text; -1 if it is invalid.
func dhtmlPoint(text string) int { return pointOf(text[0]-'0', text[1]-'0') }

// maxReplayed limits the total number of moves replayed to reach the variations of a game: each is
// replayed from the start.
const maxReplayed = 5_000_000

type dhtmlBuilder struct {
	*treeBuilder
	*dhtmlGame
	lines    map[int][]*record.Node // by number, from the root
	replayed int
}

// buildTree builds the main line, then each variation after the line that it leaves.
func (d *dhtmlGame) buildTree(g *record.Game, moves dhtmlValue) {
	p := &dhtmlBuilder{treeBuilder: newTreeBuilder(d.src, g), dhtmlGame: d, lines: map[int][]*record.Node{}}
	p.addLine([]*record.Node{g.Root}, dhtmlLine{dhtmlValue: moves})
	pending := map[int][]dhtmlLine{} // variations by the line that they leave, which has not been read yet
	for _, v := range d.variations {
		if _, ok := p.lines[v.parent]; !ok {
			pending[v.parent] = append(pending[v.parent], v)
			continue
		}
		for ready := []dhtmlLine{v}; len(ready) > 0; ready = ready[1:] {
			v := ready[0]
			p.variation(v)
			ready = append(ready, pending[v.id]...)
			delete(pending, v.id)
		}
	}
	for _, v := range d.variations {
		if len(pending[v.parent]) > 0 {
			d.errs.AddAt(v.line, fmt.Errorf("variation %d of line %d, which does not exist", v.id, v.parent))
			return
		}
	}
}

// variation adds a variation of a line that exists.
func (p *dhtmlBuilder) variation(v dhtmlLine) {
	path := p.lines[v.parent]
	if v.from >= 1 && v.from <= len(path) {
		p.addLine(path[:v.from], v)
		return
	}
	err := fmt.Errorf("variation %d of line %d at move %d, which does not exist", v.id, v.parent, v.from)
	p.follow(path)
	comment := p.commentsOf(v)
	p.errs.AddAt(v.line, p.Current().Drop(p.lenient, err, func() string {
		text := digitsText(joinDigits(v.text), func(n int) string { return comment(n + v.from - 1) })
		return fmt.Sprintf("move %d: %s", v.from, text)
	}))
	p.lines[v.id] = nil
}

// follow plays the moves of a path; none if it is empty.
func (p *dhtmlBuilder) follow(path []*record.Node) {
	p.BackTo(0)
	for _, n := range path[min(1, len(path)):] {
		p.Follow(n)
	}
}

// commentsOf returns a function that returns the comment of a line after so many moves.
func (p *dhtmlBuilder) commentsOf(v dhtmlLine) func(number int) string {
	return func(number int) string { return p.comments[strconv.Itoa(v.id)+"_"+strconv.Itoa(number)] }
}

// addLine plays a line after the nodes of path.
func (p *dhtmlBuilder) addLine(path []*record.Node, v dhtmlLine) {
	if p.replayed += len(path); p.replayed > maxReplayed {
		p.errs.AddAt(v.line, fmt.Errorf("variation %d is ignored: more than %d moves would be replayed for the variations", v.id, maxReplayed))
		return
	}
	p.follow(path)
	err := p.playDigits(v.text, p.commentsOf(v))
	if err != nil && v.id != 0 {
		err = fmt.Errorf("variation %d: %w", v.id, err)
	}
	p.errs.AddAt(v.dhtmlValue.line, err)
	p.lines[v.id] = p.Path()
}

// playDigits plays moves of four digits each. comment returns the comment after so many moves.
func (p *treeBuilder) playDigits(moves string, comment func(number int) string) error {
	for moves = joinDigits(moves); len(moves) >= 4; moves = moves[4:] {
		number := p.Depth() + 1
		t := digitsMove(moves, comment(number))
		var err error
		if t.isOnBoard() {
			err = p.addMove(t)
		} else {
			err = fmt.Errorf("move %d: invalid move %q: use four digits", number, moves[:4])
		}
		if err != nil {
			return p.Current().Drop(p.lenient, err, func() string {
				return digitsText(moves, func(n int) string { return comment(n + number - 1) })
			})
		}
	}
	if moves != "" {
		return fmt.Errorf("move %d: missing digits: a move has four", p.Depth()+1)
	}
	return nil
}

// digitsMove decodes the first four digits.
func digitsMove(moves, comment string) binaryMove {
	return binaryMove{from: dhtmlPoint(moves), to: dhtmlPoint(moves[2:]), comment: comment}
}

// digitsText formats moves of four digits each with their comments in braces.
func digitsText(moves string, comment func(number int) string) string {
	var all skippedTree
	for number := 1; len(moves) >= 4; number++ {
		t := digitsMove(moves, comment(number))
		all.add(t.text())
		if moves = moves[4:]; all.left > 0 {
			all.left += len(moves) / 4
			break
		}
	}
	if moves != "" && all.left == 0 {
		all.add(moves)
	}
	return all.String()
}

// joinDigits returns moves without the space between them.
func joinDigits(moves string) string { return strings.Join(strings.Fields(moves), "") }

// readDigits reads moves without tags. Some programs count ranks from Red's side; read with the
// usual count, such a game would begin with a move of Black.
func readDigits(s *record.Source, text string) (*record.Game, error) {
	var best *record.Game
	var bestErr error
	for _, flip := range []bool{false, true} {
		moves := joinDigits(text)
		if flip { // the ranks
			digits := []byte(moves)
			for i := 1; i < len(digits); i += 2 {
				digits[i] = '0' + '9' - digits[i]
			}
			moves = string(digits)
		}
		g := record.NewGame(xiangqi.Start())
		err := newTreeBuilder(s, g).playDigits(moves, func(int) string { return "" })
		if best == nil || err == nil && bestErr != nil || bestErr != nil && g.Plies() > best.Plies() {
			best, bestErr = g, err
		}
	}
	return best, bestErr
}
