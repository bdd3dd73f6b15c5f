package train

// The functions in this file are where the time goes. Each product is converted to float32 before
// something is added to it, which keeps compilers from fusing both: a fused operation rounds once, and
// not every processor has it. Slices are converted to arrays of lanes elements, so that bounds
// are checked once for all of them.

// lanes is the number of elements that are computed together. Lengths are multiples of it.
const lanes = 8

// sumRows sets sum to the sum of rows of table. The length of a row is that of sum.
func sumRows(sum, table []float32, rows []uint16) {
	n := len(sum)
	for at := 0; at < n; at += lanes {
		var a0, a1, a2, a3, a4, a5, a6, a7 float32
		for _, row := range rows {
			w := (*[lanes]float32)(table[int(row)*n+at:])
			a0 += w[0]
			a1 += w[1]
			a2 += w[2]
			a3 += w[3]
			a4 += w[4]
			a5 += w[5]
			a6 += w[6]
			a7 += w[7]
		}
		*(*[lanes]float32)(sum[at:]) = [lanes]float32{a0, a1, a2, a3, a4, a5, a6, a7}
	}
}

// addToRows adds delta to rows of table. The length of a row is that of delta.
func addToRows(table, delta []float32, rows []uint16) {
	n := len(delta)
	for _, row := range rows {
		add(table[int(row)*n:][:n], delta)
	}
}

// add adds src to dst.
func add(dst, src []float32) {
	for at := 0; at < len(src); at += lanes {
		d, s := (*[lanes]float32)(dst[at:]), (*[lanes]float32)(src[at:])
		d[0] += s[0]
		d[1] += s[1]
		d[2] += s[2]
		d[3] += s[3]
		d[4] += s[4]
		d[5] += s[5]
		d[6] += s[6]
		d[7] += s[7]
	}
}

// activate returns the sum of the clipped and squared neurons times their weights.
func activate(neurons, weights []float32) float32 {
	var sum [lanes]float32
	for at := 0; at < len(neurons); at += lanes {
		x, w := (*[lanes]float32)(neurons[at:]), (*[lanes]float32)(weights[at:])
		for i := range lanes {
			c := clip(x[i])
			sum[i] += float32(float32(c*c) * w[i])
		}
	}
	return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]))
}

// backpropagate adds to gradient what the derivative of the loss by the output means for weights, and
// replaces neurons by the derivatives of the loss by them.
func backpropagate(neurons, weights, gradient []float32, derivative float32) {
	for at := 0; at < len(neurons); at += lanes {
		x, w, g := (*[lanes]float32)(neurons[at:]), (*[lanes]float32)(weights[at:]), (*[lanes]float32)(gradient[at:])
		for i := range lanes {
			c := clip(x[i])
			g[i] += float32(float32(c*c) * derivative)
			if x[i] != c {
				c = 0
			}
			x[i] = float32((c+c)*w[i]) * derivative
		}
	}
}

// clip returns the value in the range from 0 to 1 that is nearest to x.
func clip(x float32) float32 {
	if x < 0 {
		return 0
	}
	if x > 1 {
		return 1
	}
	return x
}
