package record

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"qhsh/engine/lazyregexp"
)

// PGN is text with tags and moves in any notation; see [PGNStyle].
var PGN = &Format{
	Name: "pgn", Extensions: []string{".pgn", ".pdn", ".xqn"},
	Detect: func(head []byte) bool { return tagName(bytes.TrimSpace(head)) != nil }, Read: readPGN, Write: writePGN,
}

// A splitter splits a PGN file into games before decoding: in GB18030 and Big5 the second byte of a
// character may be a brace, but no line begins with one.
type splitter struct {
	r        *bufio.Reader
	line     int    // of the next line
	nextGame []byte // the first line of the next game
}

// next returns a game and the line where it begins; io.EOF if there is none. Text before the first
// tag, or after a result, belongs to the game before.
func (s *splitter) next() (game []byte, line int, err error) {
	line = s.line
	if s.nextGame != nil {
		game, s.nextGame = s.nextGame, nil
		line--
	}
	first, moves, blank := tagName(game), false, false
	for {
		from := len(game)
		game, err = s.appendLine(game)
		text := bytes.TrimSpace(game[from:])
		if err != nil && len(text) == 0 {
			if (errors.Is(err, io.EOF) || errors.Is(err, errNotUTF16)) && len(bytes.TrimSpace(game)) > 0 {
				err = nil
			}
			return game, line, err
		}
		s.line++
		name := tagName(text)
		switch {
		case name != nil && (moves || blank && bytes.Equal(name, first)) && !laterNumber().MatchString(narrowNumber(behindTags(string(text)))):
			s.nextGame = bytes.Clone(game[from:])
			return game[:from], line, nil
		case name != nil:
			if first == nil {
				first = bytes.Clone(name)
			}
			moves = moves || startsMoves(behindTags(string(text)))
		case len(text) == 0:
			blank = true
		case !moves && isBrokenTag(text):
			// a damaged tag belongs to this game
		default:
			moves = true
		}
		if len(game) > MaxGame {
			return game, line, errGameTooLarge
		}
		if err != nil {
			return game, line, nil
		}
	}
}

// appendLine appends a line including its newline.
func (s *splitter) appendLine(dst []byte) ([]byte, error) {
	for {
		part, err := s.r.ReadSlice('\n')
		if len(dst) >= MaxLine && len(dst)+len(part) > cap(dst) {
			dst = slices.Grow(dst, len(dst))
			collect(len(dst))
		}
		dst = append(dst, part...)
		if !errors.Is(err, bufio.ErrBufferFull) || len(dst) > MaxGame {
			return dst, err
		}
	}
}

// tagName returns the name of the tag that a line begins with; nil if there is none.
func tagName(line []byte) []byte {
	line = bytes.TrimLeft(bytes.TrimPrefix(line, []byte(bom)), " \t")
	if len(line) < 4 || line[0] != '[' || !isLetter(line[1]) {
		return nil
	}
	n := 2
	for n < len(line) && (isLetter(line[n]) || '0' <= line[n] && line[n] <= '9' || line[n] == '_') {
		n++
	}
	if rest := bytes.TrimLeft(line[n:], " \t"); len(rest) == 0 || len(rest) == len(line[n:]) || rest[0] != '"' {
		return nil
	}
	return line[1:n]
}

// laterNumber matches a move number other than 1. Behind a tag it shows that the tag is within a game.
var laterNumber = lazyregexp.New(`^(?:[02-9]|\d{2,})\.`)

// isBrokenTag reports whether a line before the moves looks like a damaged tag.
func isBrokenTag(line []byte) bool {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte(bom)))
	if len(line) == 0 || line[0] == '{' || tagName(line) != nil {
		return false
	}
	return line[0] == '[' || bytes.HasSuffix(line, []byte(`"]`))
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// readPGN yields the games of a PGN file. It reads some ahead, and those on all cores.
func readPGN(s *Source, yield func(*Game, error) bool) {
	split := &splitter{r: s.r, line: 1}
	var last error
	for count := 0; ; {
		var blocks []*pgnBlock
		var line int
		for size := 0; size < peekSize && last == nil; {
			var raw []byte
			if raw, line, last = split.next(); last == nil {
				size += len(raw)
				text, errs := s.decodeGame(raw)
				blocks = append(blocks, &pgnBlock{text: text, line: line, errs: errs})
			}
		}
		var reading sync.WaitGroup
		var next atomic.Int64
		for range min(runtime.GOMAXPROCS(0), len(blocks)) {
			reading.Go(func() {
				for i := next.Add(1); i <= int64(len(blocks)); i = next.Add(1) {
					blocks[i-1].read(s.lib)
				}
			})
		}
		reading.Wait()
		for _, b := range blocks {
			for _, p := range b.games {
				count++
				if !yield(p.game, s.LineError(count, p.errs.Line, p.errs.Err())) {
					return
				}
			}
		}
		switch {
		case last == nil:
			continue
		case errors.Is(last, errNotUTF16) && s.r != s.raw:
			s.open(s.raw)
			split.r, last = s.r, nil
			continue
		case !errors.Is(last, io.EOF):
			yield(nil, s.LineError(count+1, line, last))
		}
		return
	}
}

// A pgnBlock is a part of a PGN file from the first tag of a game to the next game's.
type pgnBlock struct {
	text  string
	line  int
	errs  Errors    // of the decoding, with lines from 0
	games []pgnGame // more than one if later ones have no tags
}

// read reads the games of the block. Text behind them is a trailer.
func (b *pgnBlock) read(lib *Library) {
	collect(len(b.text))
	for text, line := b.text, b.line; text != ""; {
		p := pgnGame{lib: lib}
		rest := p.read(text, line)
		if !p.found {
			break
		}
		next := line + strings.Count(text[:len(text)-len(rest)], "\n")
		if invalid := b.line + b.errs.Line; rest == "" || invalid < next {
			p.errs.AddAt(invalid, b.errs.First())
			b.errs = Errors{}
		}
		b.games = append(b.games, p)
		line, text = next, rest
	}
	b.text = ""
}

type pgnGame struct {
	lib      *Library
	game     *Game
	tags     Tags  // as the file has them
	tagLines []int // line numbers of the tags
	found    bool  // something has been read
	errs     Errors
}

// read reads a game and returns the text after it.
func (p *pgnGame) read(text string, line int) (rest string) {
	moves := p.readTags(text, line)
	p.found = len(p.tags) > 0
	for i, t := range p.tags {
		if name := p.otherGame(t); name != "" {
			p.fail(p.tagLines[i], p.lib.otherGame("a game of "+name, name))
			return ""
		}
	}
	line += strings.Count(text[:len(text)-len(moves)], "\n")
	if !p.found && !isMoveText(moves) {
		return ""
	}
	p.found = true
	fen := p.tags.Get("FEN")
	if isUnknown(fen) {
		fen = ""
	}
	start, err := p.lib.startOf(p.tags, fen, p.lib.defaultStart)
	if err != nil {
		at := slices.IndexFunc(p.tags, func(t Tag) bool {
			return strings.EqualFold(t.Name, "FEN") || p.lib.Variants != nil && strings.EqualFold(t.Name, p.lib.Variants.Tag)
		})
		p.fail(p.tagLines[at], cmp.Or(p.unnamedGame(text), err))
		return ""
	}
	t := p.lib.readMoveText(moves, start, fen)
	p.game = t.game
	if err := t.errs.Err(); err != nil {
		if t.plies == 0 && p.lacksVariant() {
			if other := p.unnamedGame(text[:len(text)-len(t.rest())]); other != nil {
				p.fail(line+t.errs.Line, other)
				return t.rest()
			}
			err = fmt.Errorf("%w (no tag %s names the variant)", err, p.lib.Variants.Tag)
		}
		if tags := p.errs.First(); tags != nil && (IsDropped(tags) || !IsDropped(err)) {
			err = fmt.Errorf("%w (and in line %d, %v)", err, p.errs.Line, p.errs.Err())
			p.errs = Errors{}
		}
		p.errs.AddAt(line+t.errs.Line, err)
	}
	p.game.Result = t.result
	p.setTags()
	p.game.Result = p.lib.PGN.outcome(p.game.Result)
	return t.rest()
}

// fail makes err the only error of a game that cannot be read.
func (p *pgnGame) fail(line int, err error) {
	p.game, p.errs = nil, Errors{}
	p.errs.AddAt(line, err)
}

// foreignGames are games that other programs store as PGN, by what the tags Game and Variant say: lichess.org
// calls Western chess Standard. The errors have the names on the right.
var foreignGames = map[string]string{
	"chess": "Western chess", "standard": "Western chess", "from position": "Western chess",
	"chess960": "Chess960", "fischerandom": "Chess960", "crazyhouse": "Crazyhouse", "atomic": "Atomic chess", "antichess": "Antichess",
	"janggi": "Janggi", "shogi": "Shogi", "makruk": "Makruk",
}

// otherGame returns the name of another game that a tag names; "" if it names none, or if the tag Game names
// the library's.
func (p *pgnGame) otherGame(t Tag) string {
	tag, value := strings.ToLower(t.Name), strings.TrimSpace(t.Value)
	own := []string{p.lib.Game.Name(), p.lib.PGN.Game}
	switch {
	case tag != "game" && tag != "variant", contains(own, value), contains(own, p.tags.Get("Game")):
		return ""
	case slices.ContainsFunc(p.lib.otherGames, func(o OtherGame) bool { return contains(o.Names, value) }):
		return value
	}
	return foreignGames[strings.ToLower(value)]
}

// lacksVariant reports whether a tag for the variant is missing.
func (p *pgnGame) lacksVariant() bool {
	return p.lib.Variants != nil && p.tags.Get(p.lib.Variants.Tag) == ""
}

// unnamedGame returns the error of another game that the text shows, if no tag names a variant; else nil.
func (p *pgnGame) unnamedGame(text string) error {
	if !p.lacksVariant() {
		return nil
	}
	if name := p.lib.Variants.Other(text); name != "" {
		return p.lib.otherGame("a game of "+name, name)
	}
	return nil
}

// isUnknown reports whether the value of a tag means that there is none.
func isUnknown(value string) bool { return strings.Trim(value, "?.- ") == "" }

// isMoveText reports whether a text without tags is a game's moves and not a trailer.
func isMoveText(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n\u3000"+bom)
	return hasNumber1(text[:min(len(text), maxNumber)])
}

// readTags reads the tags at the beginning of a text and returns the text after them. It skips
// damaged ones and records their errors.
func (p *pgnGame) readTags(text string, number int) (rest string) {
	for {
		line := strings.TrimLeft(text, " \t\r\n"+bom)
		number += strings.Count(text[:len(text)-len(line)], "\n")
		head, behind, _ := strings.Cut(line, "\n")
		switch {
		case tagName([]byte(head)) != nil:
			rest := p.readTagLine(strings.TrimSpace(head), number)
			switch {
			case rest == "":
			case startsMoves(rest) || p.lib.looksLikeMoves(rest):
				return line[strings.LastIndex(head, rest):]
			default:
				p.errs.AddAt(number, &DroppedError{fmt.Errorf("unknown text %.40q after a tag", rest), "ignored"})
			}
		case strings.HasPrefix(head, "%"):
		case isBrokenTag([]byte(head)):
			p.errs.AddAt(number, fmt.Errorf("invalid tag %.40q: use the form [Red \"name\"]", strings.TrimSpace(head)))
		default:
			return text
		}
		number, text = number+1, behind
	}
}

// readTagLine reads the tags of a line and returns the text behind them.
func (p *pgnGame) readTagLine(line string, number int) (behind string) {
	for {
		tag, rest, ok := cutTag(line)
		switch {
		case !ok:
			return line
		case len(p.tags) == 4*MaxTags:
			return "" // setTags tells it
		}
		line, tag.Value = rest, unescape.Replace(tag.Value)
		if first := p.tags.Get(tag.Name); !isUnknown(first) && first != tag.Value {
			p.errs.AddAt(number, &DroppedError{fmt.Errorf("another tag %s %.40q", tag.Name, tag.Value), "ignored"})
			continue
		}
		p.tags, p.tagLines = append(p.tags, tag), append(p.tagLines, number)
	}
}

// cutTag cuts the tag at the beginning of a line. Its value ends at the last quotation mark before a
// bracket, because many files do not escape quotation marks, but before other tags.
func cutTag(line string) (t Tag, behind string, ok bool) {
	name := string(tagName([]byte(line)))
	if name == "" {
		return Tag{}, line, false
	}
	value := line[strings.IndexByte(line, '"')+1:]
	for end := 0; ; {
		next := strings.Index(value[end:], `"]`)
		if next < 0 && end == 0 {
			return Tag{name, strings.TrimRight(value, `"] `)}, "", true
		}
		if next < 0 {
			return Tag{name, value[:end-2]}, strings.TrimSpace(value[end:]), true
		}
		end += next + 2
		if behind := strings.TrimSpace(value[end:]); behind == "" || anyTag().MatchString(behind) {
			return Tag{name, value[:end-2]}, behind, true
		}
	}
}

// anyTag matches a text with the beginning of a tag before any other quotation mark.
var anyTag = lazyregexp.New(`^[^"]*\[[A-Za-z][A-Za-z0-9_]*[ \t]+"`)

func behindTags(line string) string {
	for ok := true; ok; {
		_, line, ok = cutTag(line)
	}
	return line
}

// startsMoves reports whether a text behind a tag is moves: a number or a result.
func startsMoves(text string) bool {
	text = narrowNumber(text)
	return text != "" && ('0' <= text[0] && text[0] <= '9' || text[0] == '*')
}

var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// setTags sets the game's tags and its result: that of the tag or, if there is none, the one after
// the moves.
func (p *pgnGame) setTags() {
	for i, tag := range p.tags {
		value := CleanLine(tag.Value)
		switch strings.ToLower(tag.Name) {
		case "setup":
			if value == "1" && isUnknown(p.tags.Get("FEN")) {
				p.errs.AddAt(p.tagLines[i], &DroppedError{errors.New("the tag SetUp without a tag FEN"), "the game begins at the usual start"})
			}
			continue
		case "fen", "game", "format":
			continue
		case "result":
			err := p.game.SetResult(value)
			if err != nil && p.lib.lenient && !IsDropped(err) {
				err = &DroppedError{err, "that of the tag is kept"}
			}
			p.errs.AddAt(p.tagLines[i], err)
			continue
		}
		if isUnknown(value) {
			continue
		}
		if len(p.game.Tags) == MaxTags {
			p.errs.AddAt(p.tagLines[i], ErrTags)
			return
		}
		p.game.Tags.Add(p.lib.PGN.chessName(tag.Name), value)
	}
	if len(p.tags) == 4*MaxTags {
		p.errs.AddAt(p.tagLines[len(p.tags)-1], ErrTags)
	}
}
