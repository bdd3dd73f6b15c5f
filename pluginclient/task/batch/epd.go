package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// epdSink is a Sink that writes Extended Position Description: a line for each input position, which is the one after
// the moves, with the operations below, and then those of the input that they do not replace, since a dm of the input
// next to the ce of the answer would look like the engine's score. The fields of an Item are operations too, see
// fieldOps. A line that is not a position becomes a comment:
// # error: line 9: 2 ranks instead of 10: 9/9 w ;id "x";. [DecodeEPD] reads it back.
type epdSink struct {
	w io.Writer

	lostFields, lostIn int // ids and fields that EPD could not hold, and answers that had some
}

func (e *epdSink) lossMessage() string {
	if e.lostFields == 0 {
		return ""
	}
	return fmt.Sprintf("EPD cannot hold %d ids and own fields of %s as they were: it has no quotes within a text, no lists and objects, "+
		"and no blanks or quotes in a name; json, csv and sqlite have them all", e.lostFields, printable.Plural(e.lostIn, "answer"))
}

// The operations of an answer, besides those of op.go. Those of the second hint end in 2, and so on. If the input has
// moves to find or to avoid, these are bm and am, and the engine's move is the first of pv.
const (
	opScore  = "ce" // centipawns, for the side to move
	opMate   = "dm" // or the moves to mate, negative when the side to move is mated
	opPV     = "pv"
	opDepth  = "acd"
	opNodes  = "acn"
	opWDL    = "wdl"    // ours
	opTime   = "acs"    // of an earlier answer; qhsh writes nothing that differs between runs
	opSolved = "solved" // 1 or 0 if the input has moves to find or to avoid, or a dm; or engineBest
	opOver   = "over"   // how a finished game has ended
	opError  = "error"
	opLimits = "limits"
	opFound  = "history" // how far the search had come when it found the best move, as limits
)

// answerCodes are those of an answer without its hints.
var answerCodes = []string{opBest, opAvoid, opSolved, opOver, opError, opLimits, opFound, opHalfmoveClock, opFullmoveNumber}

// engineBest is the value of solved if bm is the engine's own move.
const engineBest = "-"

// hasEngineBest reports whether the bm among ops is an engine's move.
func hasEngineBest(ops []Op) bool {
	op, ok := findOp(ops, opSolved)
	return ok && op.text() == engineBest
}

// badEPD starts the comment that replaces a bad line.
const badEPD = "# error: "

func (e *epdSink) Write(a Answer) error {
	line, lost := toEPD(a)
	e.lostFields += lost
	e.lostIn += boolToInt(lost > 0)
	_, err := io.WriteString(e.w, line+"\n")
	return err
}

// toEPD returns an answer's line; lost counts the ids and fields that the line cannot hold
// unchanged.
func toEPD(a Answer) (line string, lost int) {
	own, lost := fieldOps(a.Item)
	if a.IsBad() {
		line = fmt.Sprintf("%s%s: %v: %s", badEPD, Location(a.Item), a.Err, a.Input)
		if len(own) > 0 {
			line += badLineOps + FormatOps(own)
		}
		return printable.Line(line), lost
	}
	var counters []Op // of a FEN, which become operations
	fields, quiet, number := CutCounters(a.Position())
	if quiet != "0" {
		counters = append(counters, Op{opHalfmoveClock, quiet})
	}
	if number != "1" {
		counters = append(counters, Op{opFullmoveNumber, number})
	}
	line = fields + " " + FormatOps(slices.Concat(answerOps(a), counters, own, keptOps(a)))
	return printable.Line(strings.Join(strings.FieldsFunc(line, isBreak), " ")), lost
}

// CutCounters cuts the counters of a FEN, its last two fields, off the text of a position. Without them it is
// the text, 0 and 1.
func CutCounters(text string) (position, quiet, number string) {
	if words := strings.Fields(text); len(words) == 6 {
		return strings.Join(words[:4], " "), words[4], words[5]
	}
	return text, "0", "1"
}

// isBreak reports whether r is white space that EPD does not allow within a line.
func isBreak(r rune) bool { return r != ' ' && unicode.IsSpace(r) }

func answerOps(a Answer) (ops []Op) {
	for _, given := range []struct {
		code  string
		moves []string
	}{{opBest, a.BM}, {opAvoid, a.AM}} {
		op, ok := findOp(a.Ops, given.code)
		switch {
		case len(given.moves) > 0:
			ops = append(ops, Op{given.code, JoinMoves(given.moves)})
		case ok:
			ops = append(ops, op)
		}
	}
	solved, scored := a.Solved()
	own := ops == nil && !scored && len(a.Hints) > 0
	if own {
		ops = []Op{{opBest, JoinMoves([]string{a.Hints[0].Move})}}
	}
	for i, h := range a.Hints {
		score := h.Score.JSON()
		for _, op := range []Op{
			{opScore, formatOptional(score.CP)},
			{opMate, formatOptional(score.Mate)},
			{opPV, JoinMoves(h.PV)},
			{opDepth, formatCount(h.Depth)},
			{opNodes, formatCount(h.Nodes)},
			{opWDL, h.WDL.String()},
		} {
			if op.Args != "" {
				ops = append(ops, Op{rankedName(op.Code, i+1), op.Args})
			}
		}
	}
	switch {
	case own:
		ops = append(ops, Op{opSolved, engineBest})
	case scored:
		ops = append(ops, Op{opSolved, strconv.Itoa(boolToInt(solved))})
	}
	switch {
	case a.Err != nil:
		ops = append(ops, Op{opError, Quoted(a.Err.Error())})
	case a.Over != "":
		ops = append(ops, Op{opOver, Quoted(a.Over)})
	}
	if limits := a.Limits.format(); limits != "" {
		ops = append(ops, Op{opLimits, Quoted(limits)})
	}
	if found := a.Found.format(); found != "" {
		ops = append(ops, Op{opFound, Quoted(found)})
	}
	return ops
}

// keptOps returns the input's operations that the answer does not replace.
func keptOps(a Answer) []Op {
	var kept []Op
	for _, op := range a.Ops {
		_, _, ofHint := hintOp(op.Code)
		if !slices.Contains(answerCodes, op.Code) && !(len(a.Hints) > 0 && (ofHint || op.Code == opTime)) {
			kept = append(kept, op)
		}
	}
	return kept
}

// hintOp splits an opcode such as pv2 into its base and its rank; ok is false if it does not belong
// to a hint.
func hintOp(code string) (bare string, rank int, ok bool) {
	bare = strings.TrimRight(code, "0123456789")
	if !slices.Contains([]string{opScore, opMate, opPV, opDepth, opNodes, opWDL}, bare) {
		return "", 0, false
	}
	if bare == code {
		return bare, 1, true
	}
	rank, err := strconv.Atoi(code[len(bare):])
	return bare, rank, err == nil && rank > 1 && rankedName(bare, rank) == code
}

// DecodeEPD parses a line that [epdSink] has written; ok is false for a comment or a blank line.
// The answer has no Pos, its errors are plain strings, its moves are unchanged. It has neither a
// line number nor an engine.
func DecodeEPD(line string) (a Answer, ok bool, err error) {
	line = strings.TrimSpace(line)
	if text, bad := strings.CutPrefix(line, badEPD); bad {
		return decodeBad(text), true, nil
	}
	if line == "" || line[0] == '#' {
		return a, false, nil
	}
	var text string
	var ops []Op
	for text, ops = range splitCandidates(line) { // the first is the most likely one
		break
	}
	a.Item = Item{Text: withCounters(text, ops), Ops: ops}
	_, isOver := findOp(ops, opOver)
	_, failed := findOp(ops, opError)
	for _, op := range ops {
		if _, _, ofHint := hintOp(op.Code); ofHint && (isOver || failed) {
			continue // it belongs to the input
		}
		if err := a.decodeOp(op); err != nil {
			return a, true, fmt.Errorf("operation %s: %w", op.Code, err)
		}
	}
	if len(a.Hints) == 0 && a.Err == nil && a.Over == "" {
		return a, true, errors.New("no operation pv, over or error")
	}
	if _, scored := findOp(ops, opSolved); !scored || hasEngineBest(ops) {
		a.BM, a.AM = nil, nil
	}
	return a, true, nil
}

// decodeBad parses the comment for a bad line: "line 9: why: text" or "FILE:9: why: text".
func decodeBad(text string) (a Answer) {
	if place, why, ok := strings.Cut(text, ": "); ok {
		file, line := "", strings.TrimPrefix(place, "line ")
		if i := strings.LastIndexByte(place, ':'); i >= 0 && i+1 < len(place) {
			file, line = place[:i], place[i+1:]
		}
		if n, err := strconv.Atoi(line); err == nil {
			a.File, a.Line, text = file, n, why
		}
	}
	text, a.Ops = splitBadLineOps(text)
	a.nameByOp(a.Ops)
	a.Ops = withoutOps(a.Ops, opID)
	a.Err = errors.New(text)
	a.Input, a.Item.Err = Excerpt(text), a.Err
	return a
}

func (a *Answer) decodeOp(op Op) (err error) {
	switch op.Code {
	case opID:
		a.ID, a.IDNumber = op.text(), isNumeric(op.Args)
	case opBest:
		a.BM = SplitMoves(op.text())
	case opAvoid:
		a.AM = SplitMoves(op.text())
	case opOver:
		a.Over = op.text()
	case opError:
		a.Err = errors.New(op.text())
	case opLimits:
		a.Limits, err = parseLimits(op.text())
	case opFound:
		a.Found, err = parseLimits(op.text())
	default:
		if bare, rank, ok := hintOp(op.Code); ok {
			err = a.decodeHint(op.text(), bare, rank)
		}
	}
	return err
}

// decodeHint reads the operand of an operation of a hint. Ranks must appear in order.
func (a *Answer) decodeHint(text, bare string, rank int) (err error) {
	if rank == len(a.Hints)+1 {
		a.Hints = append(a.Hints, Hint{})
	}
	if rank > len(a.Hints) {
		return fmt.Errorf("hint %d is missing before it", rank-1)
	}
	h := &a.Hints[rank-1]
	switch bare {
	case opPV:
		if h.PV = SplitMoves(text); len(h.PV) > 0 {
			h.Move = h.PV[0]
		}
		return nil
	case opWDL:
		h.WDL, err = engine.ParseWDL(text)
		return err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("not a number: %q", Excerpt(text))
	}
	switch bare {
	case opScore:
		h.Score = engine.Centipawns(int(n))
	case opMate:
		h.Score = engine.MateIn(int(n))
	case opDepth:
		h.Depth = int(n)
	case opNodes:
		h.Nodes = n
	}
	return nil
}

// fieldOps returns operations for the ID, unless the input had an id operation, and for the fields:
// numbers, true, false and null verbatim, strings in quotes. lost counts the values that do not
// read back the same, such as lists, which become strings, and those whose name clashes with an
// answer's operation, which are omitted.
func fieldOps(i Item) (ops []Op, lost int) {
	add := func(op Op, same bool) {
		ops = append(ops, op)
		lost += boolToInt(!same)
	}
	if _, ok := findOp(i.Ops, opID); !ok && i.ID != "" {
		add(i.idField().op())
	}
	for _, f := range i.Fields {
		op, same := f.op()
		if _, _, ofHint := hintOp(op.Code); ofHint || slices.Contains(append([]string{"", opID, opTime}, answerCodes...), op.Code) {
			lost++
		} else {
			add(op, same)
		}
	}
	return ops, lost
}

// op returns a field as an operation; same reports whether it holds the whole value.
func (f Field) op() (op Op, same bool) {
	op.Code = strings.Join(strings.FieldsFunc(f.Name, endsOpName), "_")
	same = op.Code == f.Name
	var text string
	switch f.Value[0] {
	case '"':
		_ = json.Unmarshal(f.Value, &text) // which has been read as JSON
		op.Args = Quoted(text)
		return op, same && op.text() == text && printable.Line(text) == text && !strings.ContainsFunc(text, isBreak)
	case '[', '{':
		op.Args = Quoted(string(f.Value))
		return op, false
	}
	op.Args = string(f.Value)
	return op, same
}

// endsOpName reports whether r cannot be part of an opcode.
func endsOpName(r rune) bool {
	return r == '"' || r == ';' || unicode.IsSpace(r) || printable.Line(string(r)) != string(r)
}

// badLineOps separates a bad line from the id and fields that follow it.
const badLineOps = " ;"

// splitBadLineOps splits a bad line from the operations that follow badLineOps.
func splitBadLineOps(text string) (line string, ops []Op) {
	for at := range len(text) {
		rest, ok := strings.CutPrefix(text[at:], badLineOps)
		if !ok {
			continue
		}
		if ops = ParseOps(rest); len(ops) > 0 && FormatOps(ops) == rest {
			return text[:at], ops
		}
	}
	return text, nil
}
