package tune

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"qhsh/engine/xiangqi/eval"
)

// pair matches a weight as eval.WriteWeights writes it.
var pair = regexp.MustCompile(`\{(-?\d+), (-?\d+)\}`)

// ReadWeights reads the output of eval.WriteWeights. It is an error if the file does not have one
// weight per feature of this evaluation.
func ReadWeights(r io.Reader) (*[eval.Features]eval.Weight, error) {
	weights, n := new([eval.Features]eval.Weight), 0
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		code, _, _ := strings.Cut(lines.Text(), "//")
		for _, numbers := range pair.FindAllStringSubmatch(code, -1) {
			w, err := parseWeight(numbers[1], numbers[2])
			if err != nil {
				return nil, fmt.Errorf("weights: line %d: %w", number, err)
			}
			if n < len(weights) {
				weights[n] = w
			}
			n++
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	if n != len(weights) {
		return nil, fmt.Errorf("weights: the file has %d, the evaluation %d", n, len(weights))
	}
	return weights, nil
}

func parseWeight(full, bare string) (w eval.Weight, err error) {
	for _, part := range []struct {
		text string
		to   *int16
	}{{full, &w.Full}, {bare, &w.Bare}} {
		n, err := strconv.ParseInt(part.text, 10, 16)
		if err != nil {
			return w, err
		}
		*part.to = int16(n)
	}
	return w, nil
}
