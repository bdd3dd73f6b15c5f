package raster

import (
	"image"
	"image/color"
	"image/gif"
	"io"
	"slices"
	"time"
)

// A Frame is an SVG image that a GIF shows for a time, in steps of 10 ms.
type Frame struct {
	SVG  string
	Time time.Duration
}

// GIF writes images of the same size as a moving picture that begins again at its end, width pixels wide: 1000 by
// default, at most [MaxWidth]. Each frame has only what differs from the one before. The colours are the 256 that most pixels have, to
// a 32nd of each component; others become the nearest of these.
func GIF(w io.Writer, frames []Frame, width int) error {
	const steps = 32 * 32 * 32
	var shown []*image.Paletted
	var coarse [][]uint16  // the colours of the pixels of each, a 32nd of each component
	var sums [steps][4]int // red, green, blue, pixels
	for _, f := range frames {
		img, err := rasterize(f.SVG, width)
		if err != nil {
			return err
		}
		pixels := make([]uint16, len(img.Pix)/4)
		for i := range pixels {
			r, g, b := int(img.Pix[4*i]), int(img.Pix[4*i+1]), int(img.Pix[4*i+2])
			at := r>>3<<10 | g>>3<<5 | b>>3
			sums[at] = [4]int{sums[at][0] + r, sums[at][1] + g, sums[at][2] + b, sums[at][3] + 1}
			pixels[i] = uint16(at)
		}
		shown, coarse = append(shown, image.NewPaletted(img.Rect, nil)), append(coarse, pixels)
	}
	palette, index := choosePalette(sums[:])
	g := gif.GIF{}
	for i, img := range shown {
		img.Palette = palette
		changed := img.Rect
		for at, c := range coarse[i] {
			img.Pix[at] = index[c]
		}
		if i > 0 {
			changed = differing(shown[i-1], img)
		}
		g.Image = append(g.Image, img.SubImage(changed).(*image.Paletted))
		g.Delay = append(g.Delay, int(frames[i].Time/(10*time.Millisecond)))
	}
	return gif.EncodeAll(w, &g)
}

// choosePalette returns the colours that most pixels have, and the place among them of every colour or of what comes nearest. sums
// are the components of all pixels with a colour, and their number.
func choosePalette(sums [][4]int) (palette color.Palette, index []uint8) {
	used := []int{}
	for at, sum := range sums {
		if sum[3] > 0 {
			used = append(used, at)
		}
	}
	slices.SortStableFunc(used, func(a, b int) int { return sums[b][3] - sums[a][3] })
	index = make([]uint8, len(sums))
	for _, at := range used {
		n := sums[at][3]
		c := color.RGBA{uint8(sums[at][0] / n), uint8(sums[at][1] / n), uint8(sums[at][2] / n), 255}
		if len(palette) < 256 {
			palette = append(palette, c)
		}
		index[at] = uint8(palette.Index(c))
	}
	return palette, index
}

// differing returns the smallest rectangle outside which two images are equal; at least a pixel.
func differing(a, b *image.Paletted) image.Rectangle {
	found := image.Rectangle{}
	for y := b.Rect.Min.Y; y < b.Rect.Max.Y; y++ {
		for x := b.Rect.Min.X; x < b.Rect.Max.X; x++ {
			if a.ColorIndexAt(x, y) != b.ColorIndexAt(x, y) {
				found = found.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if found.Empty() {
		found = image.Rect(b.Rect.Min.X, b.Rect.Min.Y, b.Rect.Min.X+1, b.Rect.Min.Y+1)
	}
	return found
}
