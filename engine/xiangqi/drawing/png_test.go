package drawing

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/render"
	"qhsh/engine/render/raster"
	"qhsh/engine/xiangqi"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m, browser.Stop)) }

// draw renders a PNG and decodes it.
func draw(t *testing.T, p *xiangqi.Position, o render.SVGOptions) image.Image {
	t.Helper()
	var file bytes.Buffer
	if err := raster.PNG(&file, Look().SVG(Items(p), o), o.Width); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// hex returns the colour of the pixel at a point given in SVG coordinates.
func hex(picture image.Image, x, y int) string {
	scale := picture.Bounds().Dx()
	c := color.NRGBAModel.Convert(picture.At(x*scale/width, y*scale/width)).(color.NRGBA)
	const digits = "0123456789abcdef"
	var b strings.Builder
	b.WriteByte('#')
	for _, v := range []uint8{c.R, c.G, c.B} {
		b.WriteByte(digits[v>>4])
		b.WriteByte(digits[v&15])
	}
	return b.String()
}

// TestPNG checks the colours of some pixels.
func TestPNG(t *testing.T) {
	enginetest.SkipUnderRace(t)
	p, last := afterCannon(t)
	plain := render.SVGOptions{Last: last, Marks: []string{"E4"}, Arrows: [][]string{{"A6", "A3"}}}
	turned := plain
	turned.Flip, turned.Width = true, 300
	for _, o := range []render.SVGOptions{plain, turned} {
		picture := draw(t, p, o)
		want := image.Rect(0, 0, 1000, 1100)
		if o.Width == 300 {
			want = image.Rect(0, 0, 300, 330)
		}
		if picture.Bounds() != want {
			t.Errorf("the picture is %v, want %v", picture.Bounds(), want)
		}
		at := func(point string, dx, dy int) string {
			p := Look().Points[point]
			if o.Flip {
				p.X, p.Y = width-p.X, height-p.Y
			}
			return hex(picture, p.X+dx, p.Y+dy)
		}
		for _, c := range []struct {
			what, got, want string
		}{
			{"the edge", hex(picture, 2, 2), colorBoard},
			{"the river", hex(picture, width/2, height/2), colorBoard},
			{"a piece of Red's", at("I0", 0, 17), colorPiece},
			{"its line", at("I0", 21, 0), colorRed},
			{"the line of one of Black's", at("I9", 21, 0), colorBlack},
			{"a frame", at("H2", 23, 0), colorMarked},
			{"its inside", at("H2", 10, 10), colorBoard},
			{"a target", at("E4", 0, 0), colorMarked},
			{"an arrow's head", at("A3", 0, 0), colorArrow},
		} {
			if c.got != c.want {
				t.Errorf("flip %v: %s is %s, want %s", o.Flip, c.what, c.got, c.want)
			}
		}
	}
}

// TestPNGWidth: a negative width means the default, and a tiny one is used as it is.
func TestPNGWidth(t *testing.T) {
	enginetest.SkipUnderRace(t)
	if got := draw(t, xiangqi.Start(), render.SVGOptions{Width: -3}).Bounds().Dx(); got != 1000 {
		t.Errorf("%d wide", got)
	}
	if got := draw(t, xiangqi.Start(), render.SVGOptions{Width: 1}).Bounds(); got != image.Rect(0, 0, 1, 1) {
		t.Errorf("a picture of width 1 is %v", got)
	}
}

// TestPNGIsTheSVG compares the PNG with Chromium's rendering of the SVG. It needs Chromium.
func TestPNGIsTheSVG(t *testing.T) {
	enginetest.SkipUnderRace(t)
	p, err := xiangqi.ParseFEN("3k5/P8/4b3n/9/pN5Rc/r1B4pP/9/8B/9/4K4 b")
	if err != nil {
		t.Fatal(err)
	}
	o := render.SVGOptions{Chinese: true}
	for _, o.Letters = range []bool{false, true} {
		o.Width = 500
		ours := draw(t, p, o)
		theirs := browser.Screenshot(t, "board.svg", Look().SVG(Items(p), o), o.Width, (o.Width*height+width/2)/width)
		if theirs.Bounds() != ours.Bounds() {
			t.Fatalf("the screenshot is %v, the picture %v", theirs.Bounds(), ours.Bounds())
		}
		if d := difference(ours, theirs); d > 0.5 {
			t.Errorf("letters %v: the pictures differ by %.2f of 255 on average", o.Letters, d)
		}
	}
}

// difference returns the mean difference of two pictures per colour channel of a pixel.
func difference(a, b image.Image) float64 {
	sum := 0
	bounds := a.Bounds()
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			r, g, bl, _ := a.At(x, y).RGBA()
			r2, g2, bl2, _ := b.At(x, y).RGBA()
			for _, d := range []int{int(r>>8) - int(r2>>8), int(g>>8) - int(g2>>8), int(bl>>8) - int(bl2>>8)} {
				sum += max(d, -d)
			}
		}
	}
	return float64(sum) / float64(3*bounds.Dx()*bounds.Dy())
}
