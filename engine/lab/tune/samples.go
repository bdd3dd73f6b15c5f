package tune

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"qhsh/engine/xiangqi"
)

// WriteSamples writes one sample per line: FEN, score, result and game, separated by tabs.
func WriteSamples(w io.Writer, samples []Sample) error {
	out := bufio.NewWriter(w)
	for _, s := range samples {
		fmt.Fprintf(out, "%s\t%d\t%g\t%d\n", s.FEN, s.Score, s.Result, s.Game)
	}
	return out.Flush()
}

// ReadSamples reads the output of WriteSamples.
func ReadSamples(r io.Reader) ([]Sample, error) {
	var samples []Sample
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		s, err := parseSample(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("samples: line %d: %w", len(samples)+1, err)
		}
		samples = append(samples, s)
	}
	return samples, lines.Err()
}

func parseSample(text string) (s Sample, err error) {
	fields := strings.Split(text, "\t")
	if len(fields) != 4 {
		return s, fmt.Errorf("%d fields, want FEN, score, result and game", len(fields))
	}
	s.FEN = fields[0]
	if _, err = xiangqi.ParseFEN(s.FEN); err != nil {
		return s, err
	}
	if s.Score, err = strconv.Atoi(fields[1]); err != nil {
		return s, err
	}
	if s.Result, err = strconv.ParseFloat(fields[2], 64); err != nil {
		return s, err
	}
	if !(s.Result >= 0 && s.Result <= 1) {
		return s, fmt.Errorf("result %s: want 0 to 1", fields[2])
	}
	if s.Game, err = strconv.Atoi(fields[3]); err == nil && s.Game < 0 {
		err = fmt.Errorf("game %d: want 0 or more", s.Game)
	}
	return s, err
}
