package raster

import (
	"bytes"
	"image"
	imagedraw "image/draw"
	"image/gif"
	"testing"
	"time"
)

// TestGIF decodes a moving picture and compares each frame with its image. Only what differs is stored.
func TestGIF(t *testing.T) {
	frames := []Frame{
		{document(`<rect width="100" height="80" fill="#f0d9b5"/><circle cx="20" cy="20" r="10" fill="#c00000"/>`), time.Second},
		{document(`<rect width="100" height="80" fill="#f0d9b5"/><circle cx="60" cy="20" r="10" fill="#c00000"/>`), 250 * time.Millisecond},
		{document(`<rect width="100" height="80" fill="#f0d9b5"/><circle cx="60" cy="20" r="10" fill="#c00000"/>`), 3 * time.Second},
	}
	var b bytes.Buffer
	if err := GIF(&b, frames, 100); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&b)
	if err != nil {
		t.Fatal(err)
	}
	canvas := image.NewRGBA(g.Image[0].Rect)
	for i, f := range frames {
		want, err := rasterize(f.SVG, 100)
		if err != nil {
			t.Fatal(err)
		}
		imagedraw.Draw(canvas, g.Image[i].Rect, g.Image[i], g.Image[i].Rect.Min, imagedraw.Src)
		for at := range want.Pix {
			if d := int(want.Pix[at]) - int(canvas.Pix[at]); d < -8 || d > 8 {
				t.Fatalf("frame %d: byte %d is %d, want %d", i, at, canvas.Pix[at], want.Pix[at])
			}
		}
		if wantDelay := []int{100, 25, 300}[i]; g.Delay[i] != wantDelay {
			t.Errorf("frame %d is shown for %d hundredths, want %d", i, g.Delay[i], wantDelay)
		}
	}
	for i, want := range []image.Rectangle{image.Rect(0, 0, 100, 80), image.Rect(10, 10, 70, 30), image.Rect(0, 0, 1, 1)} {
		if g.Image[i].Rect != want {
			t.Errorf("frame %d covers %v, want %v", i, g.Image[i].Rect, want)
		}
	}
}

// TestManyColours has more colours than a GIF.
func TestManyColours(t *testing.T) {
	var sums [32 * 32 * 32][4]int
	for at := range 400 {
		sums[at*80] = [4]int{at % 256 * (at + 1), 0, 0, at + 1}
	}
	palette, index := choosePalette(sums[:])
	if len(palette) != 256 || index[399*80] != 0 || index[398*80] != 1 {
		t.Errorf("%d colours; the most frequent are %d and %d", len(palette), index[399*80], index[398*80])
	}
	if r, _, _, _ := palette[index[0]].RGBA(); r != 0 { // as black as one of the 256
		t.Errorf("a rare colour becomes %v", palette[index[0]])
	}
}
