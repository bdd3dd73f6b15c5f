package stats

import (
	"math"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// A Correlation is Pearson's coefficient of two files' scores, converted to chances of winning, see
// [batch.WinChance]. Unlike centipawns these can represent mates, and a few won positions do
// not dominate.
type Correlation struct {
	Pairs   int     `json:"pairs"`
	Pearson float64 `json:"pearson"` // from -1 to 1, to four decimals
}

// correlator accumulates a Correlation by Welford's method.
type correlator struct {
	n            int
	x, y         float64 // means
	xx, yy, both float64 // sums of the products of the distances from these
}

// add adds two scores of a position, if both are known.
func (c *correlator) add(first, second engine.Score) {
	x, ok := batch.WinChance(first, batch.DefaultScale)
	y, both := batch.WinChance(second, batch.DefaultScale)
	if !ok || !both {
		return
	}
	c.n++
	dx, dy := x-c.x, y-c.y
	c.x += dx / float64(c.n)
	c.y += dy / float64(c.n)
	c.xx += dx * (x - c.x)
	c.yy += dy * (y - c.y)
	c.both += dx * (y - c.y)
}

// correlation returns the result; nil if it is meaningless: with two positions it is always 1 or
// -1, and it is undefined if all scores of a file are equal.
func (c *correlator) correlation() *Correlation {
	of := math.Sqrt(c.xx * c.yy)
	if c.n < 3 || of == 0 {
		return nil
	}
	return &Correlation{c.n, math.Round(c.both/of*1e4) / 1e4}
}
