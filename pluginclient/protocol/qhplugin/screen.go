package qhplugin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine/lazyregexp"
	"qhsh/engine/xiangqi"
)

// CompareScreen returns how a drawing differs from a board, or "" if it does not: how it is turned, or
// the first point that differs. ok reports whether the drawing can be parsed.
func CompareScreen(pos *xiangqi.Position, lines []string) (difference string, ok bool) {
	drawn, ok := readScreen(lines)
	if !ok {
		return "", false
	}
	turned := slices.Collect(slices.Chunk([]byte(drawn), files))
	slices.Reverse(turned)
	upside, right := string(slices.Concat(turned...)), boardLetters(pos)
	switch right {
	case drawn:
		return "", true
	case upside:
		return "its ranks are upside down", true
	case reversed(upside):
		return "its files are mirrored", true
	case reversed(drawn):
		return "it is turned around", true
	}
	for i := range drawn {
		if drawn[i] == '.' && right[i] != '.' {
			return fmt.Sprintf("on %c%d it has no piece", 'A'+i%files, ranks-1-i/files), true
		} else if drawn[i] != right[i] {
			return fmt.Sprintf("on %c%d it has %c", 'A'+i%files, ranks-1-i/files, drawn[i]), true
		}
	}
	return "", true
}

const files, ranks = 9, 10

func reversed(board string) string {
	letters := []byte(board)
	slices.Reverse(letters)
	return string(letters)
}

// boardLetters returns a board as 90 letters, from Black's back rank, with "." for empty points.
func boardLetters(pos *xiangqi.Position) string {
	board, _, _ := strings.Cut(pos.WireFEN(), " ")
	board = strings.ReplaceAll(board, "/", "")
	for n := 1; n <= files; n++ {
		board = strings.ReplaceAll(board, strconv.Itoa(n), strings.Repeat(".", n))
	}
	return board
}

// cell matches a piece in the diagram of section 4: a letter in brackets.
var cell = lazyregexp.New(`[\[(]([A-Za-z])[\])]`)

// readScreen parses a drawing of ten lines of nine letters, perhaps apart and with the rank's number, or one
// like the diagram of section 4.
func readScreen(lines []string) (board string, ok bool) {
	n := 0
	for _, line := range lines {
		if rank, ok := readRank(line); ok {
			board += rank
			n++
		}
	}
	return board, n == ranks
}

var (
	plainRank = lazyregexp.New(`^[rheakcpnbgRHEAKCPNBG.+*_-]{9}$`)
	// drawnRank matches a line with the rank's number at both ends. A point takes three columns.
	drawnRank = lazyregexp.New(`^\s*[0-9] (.{27}) [0-9]\b`)
)

func readRank(line string) (rank string, ok bool) {
	line = strings.TrimRight(line, " \t")
	if text := strings.ReplaceAll(strings.Trim(line, "0123456789| \t"), " ", ""); plainRank().MatchString(text) {
		return standardLetters(text), true
	}
	m := drawnRank().FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	row := []byte(".........")
	for i := range row {
		if piece := cell().FindStringSubmatch(m[1][3*i : 3*i+3]); piece != nil {
			row[i] = piece[1][0]
		}
	}
	return standardLetters(string(row)), true
}

// standardLetters replaces pieces by the letters of section 4, and empty points by ".".
func standardLetters(rank string) string {
	return strings.NewReplacer("n", "h", "N", "H", "b", "e", "B", "E", "g", "e", "G", "E", "+", ".", "-", ".", "*", ".", "_", ".").Replace(rank)
}
