// Package suggest finds the word that was probably meant by an unknown one.
package suggest

import "strings"

// Closest returns the word that was probably meant by an unknown one, or "" if none is similar.
// The words must be in lower case.
func Closest(word string, words []string) string {
	word = strings.ToLower(word)
	best, bestDistance := "", 1+max(1, (len(word)+2)/3)
	for _, w := range words {
		d := distance(word, w)
		if d > 1 && len(word) > 1 && strings.HasPrefix(w, word) {
			d = 1
		}
		if d < bestDistance {
			best, bestDistance = w, d
		}
	}
	return best
}

// distance returns the number of letters to insert, drop or replace, or of neighbours to swap, to
// turn a into b (optimal string alignment).
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
