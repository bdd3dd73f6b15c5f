package batch

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"qhsh/engine"
)

// An Op is an operation of EPD (PGN standard, section 16.2): an opcode and its operands, such as bm
// e7e8 or c0 "a comment".
type Op struct {
	Code string
	Args string // unchanged in the input, with their quotes; may be empty
}

// The opcodes that qhsh uses.
const (
	opBest           = "bm"   // the moves that solve the position
	opAvoid          = "am"   // the moves that do not
	opID             = "id"   // the position's name
	opComment        = "c0"   // a comment, or points for moves
	opHalfmoveClock  = "hmvc" // the fifth field of a FEN
	opFullmoveNumber = "fmvn" // the sixth
)

func (o Op) String() string {
	if o.Args == "" {
		return o.Code
	}
	return o.Code + " " + o.Args
}

// text returns the operand without quotes.
func (o Op) text() string {
	if n := len(o.Args); n >= 2 && o.Args[0] == '"' && o.Args[n-1] == '"' {
		return o.Args[1 : n-1]
	}
	return o.Args
}

// maxSplits is the greatest number of splits that are tried: each takes time in proportion to the line,
// and no position has as many words that look like an opcode.
const maxSplits = 16

// splitCandidates returns the possible splits of an EPD line into the position and its operations, most
// likely first. These start at the first word that can be an opcode: at least two letters or digits, which a
// side is not, from the second word on. Both the standard's trailing semicolon and a leading
// one, as some programs write, are accepted. But the words before a later opcode may belong to the
// position, and there may be no operations at all.
func splitCandidates(line string) iter.Seq2[string, []Op] {
	return func(yield func(string, []Op) bool) {
		word, inside, splits := -1, false, 0
		for i, r := range line {
			if splits == maxSplits {
				break
			}
			if unicode.IsSpace(r) {
				inside = false
				continue
			}
			if inside {
				continue
			}
			inside = true
			if word++; word < 1 || !isOpcode(line[i:]) {
				continue
			}
			if splits++; !yield(strings.TrimSpace(line[:i]), ParseOps(line[i:])) {
				return
			}
		}
		yield(line, nil)
	}
}

// isOpcode reports whether text begins with an opcode. The castling rights of a chess FEN are none.
func isOpcode(text string) bool {
	if text[0] == ';' {
		return true
	}
	n := 0
	for n < len(text) && (isLetter(text[n]) || n > 0 && ('0' <= text[n] && text[n] <= '9' || text[n] == '_')) {
		n++
	}
	return n >= 2 && strings.Trim(text[:n], "KQkq") != "" && (n == len(text) || text[n] == ';' || text[n] == ' ' || text[n] == '\t')
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// ParseOps parses operations separated by semicolons. A semicolon in quotes is part of a string.
// Nothing is an error: unknown text is kept, and an unterminated string ends with the input.
func ParseOps(text string) []Op {
	var ops []Op
	for text != "" {
		var one string
		one, text = cutOp(text)
		if one = strings.TrimSpace(strings.ToValidUTF8(one, "\ufffd")); one == "" {
			continue
		}
		op := Op{Code: one}
		if i := strings.IndexFunc(one, unicode.IsSpace); i >= 0 {
			op = Op{one[:i], strings.TrimSpace(one[i:])}
		}
		ops = append(ops, op)
	}
	return ops
}

// damageOf returns why operations, and the line that they are from, may not say what was meant; nil if they do.
func damageOf(line string, ops []Op) error {
	if strings.Count(line, `"`)%2 != 0 {
		return errors.New(`missing closing quote (")`)
	}
	args := map[string]string{} // by code
	for _, op := range ops {
		if first, again := args[op.Code]; again && first != op.Args {
			return fmt.Errorf("%s is there twice: %q and %q", op.Code, Excerpt(first), Excerpt(op.Args))
		}
		args[op.Code] = op.Args
		if _, err := strconv.Atoi(op.text()); op.Code == opMate && err != nil {
			return fmt.Errorf("%s: want a number of moves, not %q", op.Code, Excerpt(op.Args))
		}
	}
	return nil
}

// cutOp splits off the first operation.
func cutOp(text string) (op, rest string) {
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ';' && !quoted:
			return text[:i], text[i+1:]
		}
	}
	if quoted {
		text = strings.TrimRight(text, "; \t") + `"`
	}
	return text, ""
}

// FormatOps returns operations in EPD syntax.
func FormatOps(ops []Op) string {
	var b strings.Builder
	for i, op := range ops {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(op.String())
		b.WriteByte(';')
	}
	return b.String()
}

// findOp returns the last operation with a code.
func findOp(ops []Op, code string) (Op, bool) {
	for i := len(ops) - 1; i >= 0; i-- {
		if ops[i].Code == code {
			return ops[i], true
		}
	}
	return Op{}, false
}

// withoutOps returns ops without those that have one of the codes.
func withoutOps(ops []Op, codes ...string) []Op {
	return slices.DeleteFunc(slices.Clone(ops), func(op Op) bool { return slices.Contains(codes, op.Code) })
}

// Quoted returns a string operand. EPD has no escapes, so single quotes replace double ones, and
// U+FFFD replaces control characters.
func Quoted(text string) string {
	return `"` + strings.Map(func(r rune) rune {
		switch {
		case r == '"':
			return '\''
		case unicode.IsControl(r):
			return unicode.ReplacementChar
		}
		return r
	}, text) + `"`
}

// nameByOp sets the ID from the operation id, if it is not set. Without quotes it may be a number.
func (i *Item) nameByOp(ops []Op) {
	if op, ok := findOp(ops, opID); ok && i.ID == "" {
		i.ID, i.IDNumber = op.text(), isNumeric(op.Args)
	}
}

// movesOf parses the moves of an operation, or the given ones. A move that appears twice, such as
// in two notations, counts once.
func (i *Item) movesOf(game engine.Game, code string, given []string) []string {
	if op, ok := findOp(i.Ops, code); ok && len(given) == 0 {
		given = SplitMoves(op.text())
		if _, err := nameMove(game, i.Pos, op.text()); err == nil {
			given = []string{op.text()} // one move, which may contain a blank
		}
	}
	var moves []string
	for _, text := range engine.JoinMoves(game, given) {
		name, err := nameMove(game, i.Pos, text)
		if err != nil {
			i.Unscored = fmt.Errorf("%s: %w", code, err)
			return nil
		}
		if !slices.Contains(moves, name) {
			moves = append(moves, name)
		}
	}
	return moves
}

// nameMove converts a move to the game's notation, ignoring annotations such as + or !.
func nameMove(game engine.Game, pos engine.Position, text string) (string, error) {
	m, err := ReadMove(game, pos, text)
	if err != nil {
		if bare := strings.TrimRight(text, "+#!?"); bare != text {
			return nameMove(game, pos, bare)
		}
		return "", err
	}
	return pos.Format(m), nil
}

// Solved reports whether the best hint is in BM, if any, and not in AM; or, where there are neither, whether
// it is a mate in at most the moves of the operation dm. scored reports whether the position has one of
// these and there is a hint. A line of EPD that is read back says it itself, since its dm is the engine's.
func (a Answer) Solved() (solved, scored bool) {
	if op, ok := findOp(a.Ops, opSolved); ok {
		return op.text() == "1", op.text() != engineBest
	}
	mate := a.mateToFind()
	if a.Err != nil || len(a.Hints) == 0 || len(a.BM)+len(a.AM)+mate == 0 {
		return false, false
	}
	best := a.Hints[0]
	if len(a.BM)+len(a.AM) == 0 {
		moves, isMate := best.Score.Mate()
		return isMate && 0 < moves && moves <= mate, true
	}
	found := len(a.BM) == 0 || slices.Contains(a.BM, best.Move)
	return found && !slices.Contains(a.AM, best.Move), true
}

// ToSolve reports whether the position has a bm, am or dm, also if the engine has failed at it.
func (a Answer) ToSolve() bool {
	_, scored := a.Solved()
	return scored || a.Err != nil && len(a.BM)+len(a.AM)+a.mateToFind() > 0
}

// Points returns the points of the best hint, and the most that a move of the position has, by its
// operation c0, as the Strategic Test Suite writes it: c0 "h2e2=10, b2e2=7". most is 0 if that is absent or
// another comment: none of its parts is a move with points.
func (a Answer) Points(game engine.Game) (points, most int, err error) {
	op, _ := findOp(a.Ops, opComment)
	if !strings.Contains(op.Args, "=") {
		return 0, 0, nil
	}
	pos := a.Pos
	if pos == nil {
		item := Record{Text: a.Text, Moves: a.Moves}.Item(game)
		if pos = item.Pos; item.Err != nil {
			return 0, 0, item.Err
		}
	}
	best := ""
	if len(a.Hints) > 0 {
		best, _ = nameMove(game, pos, a.Hints[0].Move)
	}
	parts, read, looks := strings.Split(strings.TrimRight(op.text(), ", "), ","), 0, 0
	for _, part := range parts {
		at := strings.LastIndexByte(part, '=') // WXF has others
		n, wrong := strconv.ParseInt(strings.TrimSpace(part[at+1:]), 10, 32)
		if wrong == nil && at > 0 {
			move := strings.TrimSpace(part[:at])
			if !strings.Contains(move, " ") {
				looks++
			}
			if move, wrong = nameMove(game, pos, move); wrong == nil {
				read++
				most = max(most, int(n))
				if move == best {
					points = int(n)
				}
				continue
			}
		}
		err = cmp.Or(err, fmt.Errorf("%s: want MOVE=POINTS with a legal move, not %q", opComment, Excerpt(part)))
	}
	switch {
	case read == 0 && looks < len(parts):
		return 0, 0, nil
	case err != nil:
		return 0, 0, err
	}
	return points, most, nil
}

// mateToFind returns the number of moves of the operation dm, or 0. Beside operations of an analysis dm
// is the engine's.
func (i *Item) mateToFind() (moves int) {
	for _, op := range i.Ops {
		_, _, ofHint := hintOp(op.Code)
		switch {
		case op.Code == opMate:
			moves, _ = strconv.Atoi(op.text())
		case ofHint || i.Unscored != nil:
			return 0
		}
	}
	return max(moves, 0)
}

// OtherOps returns the operations that no field of the Item represents.
func (i *Item) OtherOps() []Op {
	said := []string{opID}
	if i.Unscored == nil {
		said = append(said, opBest, opAvoid)
	}
	return withoutOps(i.Ops, said...)
}

// Remarks returns what the input says about the position besides its name, its moves, and an earlier answer.
func (i *Item) Remarks() Fields {
	kept := keptOps(Answer{Item: *i, Hints: make([]Hint, 1)})
	return append(opFields(withoutOps(kept, opID)), i.Fields...)
}

// Data returns what the input has about the position besides its name: the moves to find and those to
// avoid, the other operations, and the Fields.
func (i *Item) Data() (all Fields) {
	for _, f := range []struct {
		name  string
		moves []string
	}{{opBest, i.BM}, {opAvoid, i.AM}} {
		if len(f.moves) > 0 {
			all = append(all, Field{f.name, quoteJSON(f.moves)})
		}
	}
	all = append(all, opFields(i.OtherOps())...)
	if i.Unscored != nil {
		all = append(all, TextField("unscored", i.Unscored.Error()))
	}
	return append(all, i.Fields...)
}

// opFields returns operations as fields. An operand that is a number is one.
func opFields(ops []Op) (all Fields) {
	for _, op := range ops {
		if isNumeric(op.Args) {
			all = append(all, Field{op.Code, json.RawMessage(op.Args)})
		} else {
			all = append(all, TextField(op.Code, op.text()))
		}
	}
	return all
}
