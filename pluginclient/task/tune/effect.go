package tune

import (
	"cmp"
	"math"
)

// effect returns by how many Elo the players with the higher value of a parameter were stronger, for each
// Step of the difference, and the half width of its 95 % confidence interval. The other parameters differed
// at random, so they only add noise. It is of the whole run, that is, about the values on its way, and NaN
// before the second step.
func (r *Result) effect(i int) (elo, margin float64) {
	if len(r.Records) < 2 {
		return math.NaN(), math.NaN()
	}
	name := r.Config.Params[i].Name
	var sum, squares float64
	for _, record := range r.Records {
		plus, _ := record.Plus[name].Float64() // numbers of the run itself
		minus, _ := record.Minus[name].Float64()
		excess := float64(record.Wins-record.Losses) / float64(record.Wins+record.Draws+record.Losses)
		excess *= float64(cmp.Compare(plus, minus))
		sum += excess
		squares += excess * excess
	}
	n := float64(len(r.Records))
	mean := sum / n
	return mean * eloOfWin / 2, 1.96 * math.Sqrt((squares/n-mean*mean)/(n-1)) * eloOfWin / 2
}

// eloOfWin is the slope of Elo differences at equality, in Elo for a game more won than lost a game
// played. Players of a step differ by two Steps.
const eloOfWin = 200 / math.Ln10 * 4
