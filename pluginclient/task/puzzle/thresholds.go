package puzzle

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// DefaultThresholds returns 80 %, as for +5.00, and 55 %, as for +0.84.
func DefaultThresholds() Thresholds { return Thresholds{Win: .80, Other: .55} }

var errThresholds = errors.New("want two percentages, the winning move's and, below it, that of all others, such as 80,55")

// ParseThresholds parses two percentages, such as "80,55".
func ParseThresholds(text string) (Thresholds, error) {
	win, other, _ := strings.Cut(text, ",")
	w, err := strconv.ParseFloat(strings.TrimSpace(win), 64)
	o, otherErr := strconv.ParseFloat(strings.TrimSpace(other), 64)
	if err != nil || otherErr != nil || !(0 <= o && o < w && w <= 100) {
		return Thresholds{}, errThresholds
	}
	return Thresholds{w / 100, o / 100}, nil
}

// String formats the thresholds in the syntax of ParseThresholds.
func (t Thresholds) String() string { return fmt.Sprintf("%.4g,%.4g", 100*t.Win, 100*t.Other) }
