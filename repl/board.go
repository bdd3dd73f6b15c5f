package repl

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/render"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// look is how boards are drawn, until something else is chosen.
type look struct {
	style render.Style
	flip  bool
}

// boardCommands are those that look at the board and change it.
func boardCommands() []*command {
	commands := []*command{
		{
			name: ".board", aliases: []string{".b"}, usage: "[SQUARE] [-style NAME] [-flip]", needs: anEngine,
			summary: "draw the board, with the last move and the legal targets of SQUARE marked",
			help: `The board is the shell's own, so it works on every engine. The styles are ` + strings.Join(render.StyleNames(), ", ") + `.
Style and side stay until others are chosen; -flip=false turns the board back.
`,
			complete: boardWords, run: runBoard,
		},
		{
			name: ".fen", needs: anEngine,
			summary: "tell the position as a FEN",
			run:     runFEN,
		},
		{
			name: ".moves", usage: "[SQUARE] " + notationUsage, needs: anEngine,
			summary:  "list the legal moves by piece, or those of one piece",
			complete: withNotation(ownSquares), run: runMoves,
		},
		{
			name: ".history", usage: notationUsage, needs: anEngine,
			summary:  "list the moves that led here",
			complete: withNotation(nil), run: runHistory,
		},
		{
			name: ".notation", usage: "[" + strings.Join(notationNames(), "|") + "]", needs: nothing,
			summary: "tell or choose the notation in which moves of Xiangqi are shown",
			help: `H2-E2 is ICCS, h2e2 is UCI, C2=5 WXF, 炮二平五 Chinese in simplified or in traditional
characters, Che2 SAN. It holds for .moves, .history, .hints, .tree and completion; -notation
chooses another for one of them. Moves are read in all of these at any time, a list of moves
that is typed or in a file. The words of the protocol have ICCS.
`,
			complete: words(notationNames()...), run: runNotation,
		},
		{
			name: ".judge", usage: "[RULES]", needs: anEngine,
			summary:  "say how the game stands by the rules on repetition, asian, wxf, chinese or computer",
			complete: words(ruleNames()...), run: runJudge,
		},
		{
			name: ".undo", usage: "[N]", needs: anEngine,
			summary: "take back N moves, or one, also from an engine without UNDO",
			run:     runUndo,
		},
	}
	for _, c := range commands {
		c.group, c.many = groupBoard, true
	}
	return commands
}

// runBoard is .board.
func runBoard(c *call) error {
	chosen, style := c.shell.look, ""
	operands, err := c.flags(func(fs *flag.FlagSet) {
		fs.StringVar(&style, "style", "", "")
		fs.BoolVar(&chosen.flip, "flip", chosen.flip, "")
	}, 1)
	if err != nil {
		return err
	}
	if style != "" {
		known := false
		if chosen.style, known = render.ParseStyle(style); !known {
			return c.misuse("there is no style %q: there are %s", style, strings.Join(render.StyleNames(), ", "))
		}
	}
	if text, ok := drawing(c.engine.session.Position()); ok {
		if style != "" || chosen.flip || len(operands) > 0 {
			return c.misuse("boards of %s are drawn in one way", engine.Title(c.engine.session.Position().Game()))
		}
		fmt.Fprint(c.out, text)
		fmt.Fprintln(c.out, status(c.engine.session.Position()))
		return nil
	}
	pos, err := c.position()
	if err != nil {
		return err
	}
	out, colour := c.canvas()
	o := render.Options{Style: chosen.style, Flip: chosen.flip, Color: colour}
	o.Last, _ = pos.LastMove()
	if len(operands) == 1 {
		moves, err := movesFrom(pos, operands[0])
		if err != nil {
			return fmt.Errorf(".board: %w", err)
		}
		for _, m := range moves {
			o.Targets = append(o.Targets, m.To())
		}
	}
	c.shell.look = chosen
	fmt.Fprint(out, render.Board(pos, o))
	fmt.Fprintln(c.out, standing(pos))
	return nil
}

// standing tells in a line how the game stands.
func standing(pos *xiangqi.Position) string {
	side := strings.ToLower(pos.Side().String())
	switch result := pos.Result(); {
	case result.Over():
		return fmt.Sprintf("%s is to move and has lost by %s", side, result.Reason)
	case pos.InCheck():
		return side + " to move, in check"
	}
	return side + " to move"
}

// movesFrom are the legal moves of the piece on a square.
func movesFrom(pos *xiangqi.Position, text string) ([]xiangqi.Move, error) {
	sq, err := parseSquare(text)
	if err != nil {
		return nil, err
	}
	switch piece := pos.At(sq); {
	case piece == xiangqi.Empty:
		return nil, fmt.Errorf("there is no piece on %v", sq)
	case piece.Side() != pos.Side():
		return nil, fmt.Errorf("the %v on %v is not to move", piece.Kind(), sq)
	}
	var moves []xiangqi.Move
	for _, m := range pos.LegalMoves() {
		if m.From() == sq {
			moves = append(moves, m)
		}
	}
	return moves, nil
}

// parseSquare reads a point such as H2, in any case.
func parseSquare(text string) (xiangqi.Square, error) {
	m, err := xiangqi.ParseMove(text + text)
	if err != nil || len(text) != 2 {
		return 0, fmt.Errorf("%q is no square: want a letter from A to I and a digit", text)
	}
	return m.From(), nil
}

// runFEN is .fen.
func runFEN(c *call) error {
	if _, err := c.atMost(0); err != nil {
		return err
	}
	fmt.Fprintln(c.out, c.engine.session.Position())
	return nil
}

// runMoves is .moves.
func runMoves(c *call) error {
	square, style, err := c.notated()
	if err != nil {
		return err
	}
	if _, ok := drawing(c.engine.session.Position()); ok {
		return c.listMoves(square)
	}
	pos, err := c.position()
	if err != nil {
		return err
	}
	moves := pos.LegalMoves()
	if square != "" {
		if moves, err = movesFrom(pos, square); err != nil {
			return fmt.Errorf(".moves: %w", err)
		}
	}
	if len(moves) == 0 {
		c.say("no legal move: %s", standing(pos))
		return nil
	}
	fmt.Fprint(c.out, byPiece(pos, moves, style))
	return nil
}

// listMoves lists the moves of a game other than Xiangqi.
func (c *call) listMoves(beginning string) error {
	pos := c.engine.session.Position()
	rows := moveRows(pos, beginning)
	switch {
	case len(rows) > 0:
		fmt.Fprintln(c.out, strings.Join(rows, "\n"))
	case beginning != "" && !pos.Result().Over():
		return fmt.Errorf(".moves: no legal move begins with %q", beginning)
	default:
		c.say("no legal move: %s", status(pos))
	}
	return nil
}

// byPiece are moves with a line for each piece, in the order of the kinds.
func byPiece(pos *xiangqi.Position, moves []xiangqi.Move, style notation.Style) string {
	board := pos.Board()
	var rows [][]string
	for kind := xiangqi.Rook; kind <= xiangqi.Pawn; kind++ {
		row := map[xiangqi.Square]int{}
		for _, m := range moves {
			from := m.From()
			if pos.At(from).Kind() != kind {
				continue
			}
			i, known := row[from]
			if !known {
				i = len(rows)
				row[from] = i
				rows = append(rows, []string{kind.String() + " " + from.String(), ""})
			}
			rows[i][1] = strings.TrimSpace(rows[i][1] + " " + notation.Format(board, m, style))
		}
	}
	return columns(rows)
}

// runHistory is .history.
func runHistory(c *call) error {
	operand, style, err := c.notated()
	if err != nil {
		return err
	}
	if operand != "" {
		return c.misuse("%q is one word too many", operand)
	}
	start, moves := c.engine.session.Position().History()
	if start.String() != start.Game().Start().String() {
		fmt.Fprintln(c.out, start)
	}
	fmt.Fprint(c.out, numbered(start, moves, style))
	return nil
}

// numbered are moves with a line for each pair, numbered from 1.
func numbered(start engine.Position, moves []engine.Move, style notation.Style) string {
	var rows [][]string
	pos := start
	for i, text := range notation.Names(start, moves, style) {
		switch {
		case len(rows) > 0 && pos.Turn() == engine.Second && len(rows[len(rows)-1]) == 2:
			last := len(rows) - 1
			rows[last] = append(rows[last], text)
		case pos.Turn() == engine.Second:
			rows = append(rows, []string{number(rows), "...", text})
		default:
			rows = append(rows, []string{number(rows), text})
		}
		next, err := pos.Play(moves[i])
		if err != nil {
			break // a history that its own rules refuse is not there
		}
		pos = next
	}
	return columns(rows)
}

func number(rows [][]string) string { return fmt.Sprintf("%3d.", len(rows)+1) }

// runUndo is .undo.
func runUndo(c *call) error {
	text, err := c.only()
	if err != nil {
		return err
	}
	n := 1
	if text != "" {
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			return c.misuse("%q is not a number of moves", text)
		}
	}
	player, ok := c.engine.session.(interface {
		Undo(ctx context.Context) error
	})
	if !ok {
		return fmt.Errorf("%s: its moves cannot be taken back", c.engine.name)
	}
	if _, moves := c.engine.session.Position().History(); len(moves) < n {
		if len(moves) == 0 {
			return errors.New(".undo: there is no move to take back")
		}
		return fmt.Errorf(".undo: there %s only %s to take back", isAre(len(moves)), count(len(moves), "move"))
	}
	return c.shell.await(c.ctx, wait{engines: []*attached{c.engine}}, func(ctx context.Context) error {
		for range n {
			if err := c.engine.found(player.Undo(ctx)); err != nil {
				return c.shell.blame(c.engine, err)
			}
		}
		return nil
	})
}

func ruleNames() []string {
	var names []string
	for _, r := range xiangqi.RuleSets() {
		names = append(names, r.String())
	}
	return names
}

// runJudge is .judge.
func runJudge(c *call) error {
	name, err := c.only()
	if err != nil {
		return err
	}
	var rules xiangqi.RuleSet
	if name != "" {
		if rules, err = xiangqi.ParseRuleSet(name); err != nil {
			return c.misuse("%w", err)
		}
	}
	pos, err := c.position()
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, strings.TrimRight(rules.Judge(pos).String(), "\n"))
	return nil
}
