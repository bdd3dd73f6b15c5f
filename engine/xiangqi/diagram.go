package xiangqi

import "strings"

// The grid lines of a diagram below each rank but the last, from rank 9 down.
var diagramLines = [9]string{
	`|  |  |  | \|/ |  |  |  |`,
	`|  |  |  | /|\ |  |  |  |`,
	`|  |  |  |  |  |  |  |  |`,
	`|  |  |  |  |  |  |  |  |`,
	`|                       |`,
	`|  |  |  |  |  |  |  |  |`,
	`|  |  |  |  |  |  |  |  |`,
	`|  |  |  | \|/ |  |  |  |`,
	`|  |  |  | /|\ |  |  |  |`,
}

// Diagram returns the board as drawn in section 4 of the QHPLUGIN specification: 21 lines, the
// first and the last with the files, Red's pieces as (R) and Black's as [r] in the letters rheakcp.
func (p *Position) Diagram() string {
	const files = "     A  B  C  D  E  F  G  H  I\n"
	var text strings.Builder
	text.WriteString(files)
	for rank := 9; rank >= 0; rank-- {
		name := string(rune('0' + rank))
		text.WriteString("  " + name + " ")
		for file := range 9 {
			piece := p.squares[rank*9+file]
			switch {
			case piece != Empty && piece.Side() == Red:
				text.WriteString("(" + string(letterOf(piece, wireLetters)) + ")")
			case piece != Empty:
				text.WriteString("[" + string(letterOf(piece, wireLetters)) + "]")
			case file == 0:
				text.WriteString(" |-")
			case file == 8:
				text.WriteString("-| ")
			case rank == 4 || rank == 5:
				text.WriteString("---")
			default:
				text.WriteString("-+-")
			}
		}
		text.WriteString(" " + name + "\n")
		if rank > 0 {
			text.WriteString("     " + diagramLines[9-rank] + "\n")
		}
	}
	text.WriteString(files)
	return text.String()
}
