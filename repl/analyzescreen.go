package repl

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

// narrowest is the width of a column in cells below which engines are shown one below the other.
const narrowest = 34

func (a *analysis) draw(stopping bool) {
	width, height := a.shell.host.size()
	a.mu.Lock()
	rows := a.rows(width, height, stopping)
	a.mu.Unlock()
	a.shell.console.drawScreen(rows, width, height)
}

// rows returns the rows of the screen: the board if there is room for it, the engines, the keys.
func (a *analysis) rows(width, height int, stopping bool) []string {
	pos := a.place.pos()
	engines := a.engineRows(pos, width)
	head, foot := a.head(), []string{"", "arrows, Home, End: step  Enter: set board  1-9, 0: variations  other keys: end"}
	if stopping {
		foot[1] = "stopping; Ctrl-C twice kills the engines"
	}
	rows := append(head, a.board(pos, width, height-len(head)-len(engines)-len(foot))...)
	rows = append(rows, engines...)
	if len(rows)+len(foot) <= height {
		rows = append(rows, foot...)
	}
	return rows
}

// board returns the rows of the board and an empty one, in the first style that fits: that of the user's
// boards if the game has it, or else its usual one, and then its others. It returns none if none fits.
func (a *analysis) board(pos engine.Position, width, height int) []string {
	styles := a.shell.host.Games.Row(pos.Game()).Styles
	first := ""
	if slices.Contains(styles, a.shell.look.style) {
		first = a.shell.look.style
	}
	for _, style := range append([]string{first}, styles...) {
		rows := strings.Split(a.shell.host.Games.Draw(pos, games.TextOptions{Style: style, Flip: a.shell.look.flip, Last: true}), "\n")
		if len(rows) <= height && !slices.ContainsFunc(rows, func(row string) bool { return printable.Width.StringWidth(row) >= width }) {
			return rows
		}
	}
	return nil
}

// head returns the rows that describe the place shown.
func (a *analysis) head() []string {
	line := a.shell.headline(a.place, a.style)
	if pos := a.place.pos(); !pos.Result().Over() && pos.Turn() != engine.Chance {
		line += "  scores for " + engine.SideName(pos.Game(), pos.Turn())
	}
	rows := []string{line}
	for row := range strings.Lines(a.shell.notes(a.place, a.style)) {
		rows = append(rows, strings.TrimSuffix(row, "\n"))
	}
	return rows
}

// engineRows returns the rows of all engines, side by side if they fit.
func (a *analysis) engineRows(pos engine.Position, width int) (rows []string) {
	const gap = 2
	column := (width - gap*(len(a.engines)-1)) / len(a.engines)
	for i, e := range a.engines {
		block := a.block(e, pos)
		if column < narrowest {
			rows = append(rows, block...)
			continue
		}
		for k, row := range block {
			block[k] = printable.Width.Truncate(row, column, "")
		}
		rows = beside(rows, block, i*(column+gap))
	}
	return rows
}

// chances returns what a line says of the chances of a win, a draw and a loss, in percent.
func chances(l engine.Line) string {
	if !l.WDL.Known() {
		return ""
	}
	return fmt.Sprintf("W%d D%d L%d  ", (l.WDL[0]+5)/10, (l.WDL[1]+5)/10, (l.WDL[2]+5)/10)
}

// block returns the rows of an engine, as many whatever it has found.
func (a *analysis) block(e *analyst, pos engine.Position) []string {
	title := e.name
	if len(e.lines) > 0 {
		title += "  " + speed(e.lines[0].Nodes, e.spent)
	}
	if e.state != "" {
		title += "  " + e.state
	}
	if e.err != nil {
		title = printable.Line(pluginclient.BriefAs(e.err, e.name))
	}
	rows := []string{title}
	for i := range a.wanted {
		row := ""
		if i < len(e.lines) {
			line := e.lines[i]
			names := a.shell.host.Games.MoveNames(pos, line.Moves, a.style)
			row = fmt.Sprintf("%2d %7s %3d  %s%s", i+1, line.Score.Pawns(), line.Depth, chances(line), strings.Join(names, " "))
		}
		rows = append(rows, row)
	}
	return rows
}
