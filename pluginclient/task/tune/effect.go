package tune

import "math"

// effect returns by how many Elo a Step of a parameter made players stronger, and the half width of its
// 95 % confidence interval: the slope of a line through the origin that is fitted to the scores of the
// steps and the differences of the players' values in them. A step counts by its games. The other
// parameters differed at random, so they only add noise. It is of the whole run, that is, about the
// values on its way, and NaN where the steps do not show it.
func (r *Result) effect(i int) (elo, margin float64) {
	p := r.Config.Params[i]
	var xx, xy, yy float64
	for _, record := range r.Records {
		plus, _ := record.Plus[p.Name].Float64() // numbers of the run itself
		minus, _ := record.Minus[p.Name].Float64()
		games := float64(record.Wins + record.Draws + record.Losses)
		x, y := (plus-minus)/p.Step, float64(record.Wins-record.Losses)/games
		xx, xy, yy = xx+games*x*x, xy+games*x*y, yy+games*y*y
	}
	free := len(r.Records) - 1
	slope := xy / xx
	variance := (yy - slope*xy) / float64(free) // of a game
	if free < minFree || !(variance > 1e-9) || xx == 0 {
		return math.NaN(), math.NaN()
	}
	return slope * eloOfWin, quantile(free) * math.Sqrt(variance/xx) * eloOfWin
}

// eloOfWin is the slope of Elo differences at equality, in Elo for a game more won than lost a game
// played.
const eloOfWin = 200 / math.Ln10 * 4

// minFree is the least number of steps beside one: with fewer, chance often makes them too much alike.
const minFree = 4

// quantile returns the 97.5 % quantile of Student's t distribution with at least minFree degrees of
// freedom, within 0.3 %: the beginning of its expansion in their inverse (Abramowitz and Stegun, 26.7.5).
func quantile(free int) float64 {
	const z = 1.959964 // of the normal distribution
	const z3, z5, z7 = z * z * z, z * z * z * z * z, z * z * z * z * z * z * z
	n := float64(free)
	return z + (z3+z)/(4*n) + (5*z5+16*z3+3*z)/(96*n*n) + (3*z7+19*z5+17*z3-15*z)/(384*n*n*n)
}
