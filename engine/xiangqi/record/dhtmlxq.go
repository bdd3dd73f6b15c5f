package record

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"qhsh/engine/xiangqi"
)

// DhtmlXQ is pairs of tags, [DhtmlXQ_red]...[/DhtmlXQ_red], within [DhtmlXQ]...[/DhtmlXQ] and
// often within a web page. A point is two digits: the file from Red's left hand and the
// rank from Black's side. The moves of the main line stand in movelist, four digits each.
// move_P_N_C is the variation C, which leaves the line P with the move N, counted from the
// start; the main line is 0. commentN stands behind move N of the main line, commentC_N
// behind that of line C. binit is where the pieces stand, 99 for one that is not there.

const (
	dhtmlOpen = "[DhtmlXQ]"
	dhtmlTag  = "[DhtmlXQ_"
)

// isDhtmlXQ knows the moves alone, too.
func isDhtmlXQ(head []byte) bool {
	if bytes.Contains(head, []byte(dhtmlTag)) {
		return true
	}
	head = bytes.TrimSpace(head)
	return len(head) >= 8 && len(bytes.Trim(head, "0123456789\r\n")) == 0
}

// dhtmlNames are PGN's names of what DhtmlXQ has in lower case.
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

// dhtmlForms are tags about the page and the form, not the game.
const dhtmlForms = " init pver ver viewurl adddate editdate hits firstnum length sortid oldowner type "

// readDhtmlXQ yields the games of a file.
func readDhtmlXQ(s *source, yield func(*Game, error) bool) {
	raw, ok := s.whole(yield)
	if !ok {
		return
	}
	text := decode(raw)
	if !strings.Contains(text, dhtmlTag) {
		g, err := readDigits(text)
		if err != nil {
			err = s.at(0, 1, err)
		}
		yield(g, err)
		return
	}
	unescape := func(value string) string { return value }
	if strings.Contains(text[:strings.Index(text, dhtmlTag)], "<") {
		unescape = html.UnescapeString
	}
	line := 1
	blocks := strings.Split(text, dhtmlOpen)
	for i, block := range blocks {
		if strings.Contains(block, dhtmlTag) {
			at := line + strings.Count(block[:strings.Index(block, dhtmlTag)], "\n")
			g, err := readDhtmlGame(block, unescape)
			if err != nil {
				number := i
				if len(blocks) <= 2 {
					number = 0
				}
				err = s.at(number, at, err)
			}
			if !yield(g, err) {
				return
			}
		}
		line += strings.Count(block, "\n")
	}
}

var dhtmlPair = regexp.MustCompile(`(?is)\[DhtmlXQ_([0-9a-z_]+)\](.*?)\[/DhtmlXQ_([0-9a-z_]+)\]`)

// A dhtmlGame is the pairs of a game.
type dhtmlGame struct {
	tags       Tags
	values     map[string]string // those of the form itself, in lower case
	comments   map[string]string // by line and move, as in "0_12"
	variations []dhtmlLine
}

// A dhtmlLine is a variation.
type dhtmlLine struct {
	parent, from, id int
	moves            string
}

func readDhtmlGame(block string, unescape func(string) string) (*Game, error) {
	d := dhtmlGame{values: map[string]string{}, comments: map[string]string{}}
	for _, pair := range dhtmlPair.FindAllStringSubmatch(block, -1) {
		d.add(pair[1], unescape(pair[2]))
	}
	moves := d.values["movelist"]
	if moves == "" {
		moves = d.values["move_0_1_0"]
	}
	start, err := d.start(moves)
	if err != nil {
		return nil, err
	}
	g := NewGame(start)
	g.Tags = d.tags
	g.setResult(d.values["result"])
	g.Root.Comment = d.comments["0_0"]
	return g, d.plant(g, moves)
}

// add takes a pair.
func (d *dhtmlGame) add(name, value string) {
	lower := strings.ToLower(name)
	switch {
	case strings.HasPrefix(lower, "comment"):
		id := lower[len("comment"):]
		if !strings.Contains(id, "_") {
			id = "0_" + id
		}
		d.comments[id] = manyLines(strings.ReplaceAll(value, "||", "\n"))
	case lower == "movelist", lower == "binit", lower == "fen", lower == "result", lower == "move_0_1_0":
		d.values[lower] = strings.TrimSpace(value)
	case strings.HasPrefix(lower, "move_"):
		var l dhtmlLine
		if _, err := fmt.Sscanf(lower, "move_%d_%d_%d", &l.parent, &l.from, &l.id); err == nil {
			l.moves = value
			d.variations = append(d.variations, l)
		}
	case strings.Contains(dhtmlForms, " "+lower+" "):
	default:
		if strings.Trim(value, "0-?. ") != "" {
			d.tags.add(dhtmlName(name), value)
		}
	}
}

// dhtmlName is PGN's name of a tag.
func dhtmlName(name string) string {
	for _, pair := range dhtmlNames {
		if name == pair[0] {
			return pair[1]
		}
	}
	return name
}

// startBoard is the pieces of binit at the start of a game, in the order that binit has.
const startBoard = "8979695949392919097717866646260600102030405060708012720323436383"

// binitPieces are the pieces of binit.
const binitPieces = "RNBAKABNRCCPPPPPrnbakabnrccppppp"

func (d *dhtmlGame) start(moves string) (*xiangqi.Position, error) {
	if fen := d.values["fen"]; fen != "" {
		return position(fen)
	}
	binit := d.values["binit"]
	first := -1
	if len(moves) >= 4 {
		first, _ = dhtmlPoint(moves)
	}
	if binit == "" {
		binit = startBoard
	}
	if len(binit) != len(startBoard) {
		return nil, fmt.Errorf("binit has %d digits instead of %d", len(binit), len(startBoard))
	}
	var g grid
	for i := range binitPieces {
		sq, ok := dhtmlPoint(binit[2*i:])
		if ok {
			g[sq] = binitPieces[i]
		}
	}
	return g.start(first, false)
}

// dhtmlPoint is the point of two digits.
func dhtmlPoint(text string) (sq int, ok bool) {
	if len(text) < 2 {
		return -1, false
	}
	file, rank := text[0]-'0', text[1]-'0'
	if file > 8 || rank > 9 {
		return -1, false
	}
	return int(9-rank)*9 + int(file), true
}

// plant grows the main line, then the variations, each behind the line that it leaves.
func (d *dhtmlGame) plant(g *Game, moves string) error {
	p := newPlanter(g)
	lines := map[int][]*Node{}
	var errs []error
	grow := func(path []*Node, id int, moves string) {
		p.back(0)
		for _, n := range path[1:] {
			p.follow(n)
		}
		if err := p.digits(moves, func(n *Node) {
			n.Comment = d.comments[strconv.Itoa(id)+"_"+strconv.Itoa(p.depth())]
		}); err != nil {
			if id != 0 {
				err = fmt.Errorf("variation %d: %w", id, err)
			}
			errs = append(errs, err)
		}
		lines[id] = append([]*Node(nil), p.line...)
	}
	grow([]*Node{g.Root}, 0, moves)
	left := d.variations
	for len(left) > 0 {
		var later []dhtmlLine
		for _, v := range left {
			path, ok := lines[v.parent]
			switch {
			case !ok:
				later = append(later, v)
			case v.from < 1 || v.from > len(path):
				errs = append(errs, fmt.Errorf("variation %d leaves line %d at move %d, which is not there", v.id, v.parent, v.from))
				lines[v.id] = []*Node{}
			default:
				grow(path[:v.from], v.id, v.moves)
			}
		}
		if len(later) == len(left) {
			errs = append(errs, fmt.Errorf("variation %d leaves line %d, which is not there", later[0].id, later[0].parent))
			break
		}
		left = later
	}
	return several(errs)
}

// several is the first error and how many more there are.
func several(errs []error) error {
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return fmt.Errorf("%w (and %d more)", errs[0], len(errs)-1)
}

// digits plays moves of four digits.
func (p *planter) digits(moves string, each func(*Node)) error {
	moves = strings.Join(strings.Fields(moves), "")
	for ; len(moves) >= 4; moves = moves[4:] {
		from, ok := dhtmlPoint(moves)
		to, ok2 := dhtmlPoint(moves[2:])
		if !ok || !ok2 {
			return fmt.Errorf("move %d: %q is no move: want four digits", p.depth()+1, moves[:4])
		}
		if err := p.plantOne(twig{from: from, to: to}); err != nil {
			return err
		}
		each(p.here())
	}
	if moves != "" {
		return fmt.Errorf("move %d: %w", p.depth()+1, errDigits)
	}
	return nil
}

var errDigits = errors.New("digits are missing: a move has four")

// readDigits reads moves without tags. Some programs count ranks from Red's side; such a
// list would begin with Black.
func readDigits(text string) (*Game, error) {
	var best *Game
	var bestErr error
	for _, flip := range []bool{false, true} {
		moves := strings.Join(strings.Fields(text), "")
		if flip {
			moves = flipDigits(moves)
		}
		g := NewGame(xiangqi.Start())
		err := newPlanter(g).digits(moves, func(*Node) {})
		if best == nil || err == nil && bestErr != nil || bestErr != nil && g.Plies() > best.Plies() {
			best, bestErr = g, err
		}
	}
	return best, bestErr
}

// flipDigits counts ranks from the other side.
func flipDigits(moves string) string {
	text := []byte(moves)
	for i := 1; i < len(text); i += 2 {
		text[i] = '0' + '9' - text[i]
	}
	return string(text)
}
