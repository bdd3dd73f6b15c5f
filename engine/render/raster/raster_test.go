package raster

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m, browser.Stop)) }

// draw returns the pixels of an image of 100 by 80 units with some elements on white.
func draw(t *testing.T, elements string, width int) image.Image {
	t.Helper()
	var file bytes.Buffer
	if err := PNG(&file, document(elements), width); err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func document(elements string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 80">` +
		`<rect width="100" height="80" fill="#ffffff"/>` + elements + `</svg>`
}

// TestPixels checks colours at points, in SVG units.
func TestPixels(t *testing.T) {
	enginetest.SkipUnderRace(t)
	for _, c := range []struct {
		name, elements string
		want           map[image.Point]string
	}{
		{"rectangle", `<rect x="10" y="20" width="30" height="40" fill="#112233"/>`, map[image.Point]string{{9, 30}: "ffffff", {11, 30}: "112233", {38, 58}: "112233", {41, 30}: "ffffff"}},
		{"its line", `<rect x="10" y="20" width="30" height="40" fill="none" stroke="#112233" stroke-width="6"/>`, map[image.Point]string{{8, 18}: "112233", {12, 30}: "112233", {20, 30}: "ffffff", {38, 62}: "112233"}},
		{"round corners", `<rect x="10" y="20" width="40" height="40" rx="15" fill="#112233"/>`, map[image.Point]string{{11, 21}: "ffffff", {11, 40}: "112233", {30, 21}: "112233"}},
		{"opacity", `<rect width="50" height="50" fill="#000000" fill-opacity="0.6"/>`, map[image.Point]string{{20, 20}: "666666"}},
		{"circle with a line", `<circle cx="50" cy="40" r="20" fill="#ff0000" stroke="#0000ff" stroke-width="4"/>`, map[image.Point]string{{50, 40}: "ff0000", {70, 40}: "0000ff", {50, 60}: "0000ff", {75, 40}: "ffffff", {62, 52}: "ff0000"}},
		{"groups", `<g fill="#00ff00" stroke="none"><g><circle cx="50" cy="40" r="20"/></g></g>`, map[image.Point]string{{50, 40}: "00ff00"}},
		{"line", `<line x1="20" y1="40" x2="80" y2="40" stroke="#112233" stroke-width="10"/>`, map[image.Point]string{{50, 37}: "112233", {50, 46}: "ffffff", {17, 40}: "ffffff"}},
		{"round ends", `<line x1="20" y1="40" x2="80" y2="40" stroke="#112233" stroke-width="10" stroke-linecap="round"/>`, map[image.Point]string{{17, 40}: "112233", {83, 40}: "112233", {16, 44}: "ffffff"}},
		{"square ends", `<path d="M20 40L80 40" fill="none" stroke="#112233" stroke-width="10" stroke-linecap="square"/>`, map[image.Point]string{{16, 44}: "112233", {83, 36}: "112233"}},
		{"two lines", `<path d="M20 20L60 20m-20 10h0v30" fill="none" stroke="#112233" stroke-width="4"/>`, map[image.Point]string{{40, 20}: "112233", {40, 50}: "112233", {40, 25}: "ffffff"}},
		{"hole", `<path d="M10 10h60v60h-60zM30 30v20h20v-20z" fill="#112233"/>`, map[image.Point]string{{20, 20}: "112233", {40, 40}: "ffffff"}},
		{"definition", `<defs><path id="a" d="M-100-100h200v200h-200z"/></defs><use xlink:href="#a" transform="translate(50 40) scale(.1)" fill="#112233"/>`, map[image.Point]string{{42, 32}: "112233", {38, 40}: "ffffff"}},
		{"arrowhead", `<defs><marker id="m" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="4" markerHeight="4" orient="auto"><path d="M0 0 8 4 0 8z" fill="#ff0000"/></marker></defs>` +
			`<g stroke="#112233" stroke-width="8" marker-end="url(#m)"><path d="M50 10L50 50"/></g>`, map[image.Point]string{{50, 20}: "112233", {50, 50}: "ff0000", {40, 28}: "ff0000", {60, 28}: "ff0000", {50, 60}: "ffffff"}},
		{"outside", `<rect x="-50" y="-50" width="70" height="70" fill="#112233"/><rect x="200" width="5" height="5" fill="#112233"/>`, map[image.Point]string{{10, 10}: "112233", {30, 10}: "ffffff"}},
		{"text", `<text x="50" y="60" font-size="80" text-anchor="middle">I</text>`, map[image.Point]string{{50, 30}: "000000", {30, 30}: "ffffff"}},
		{"underlined text", `<text x="10" y="50" font-size="40" fill="#112233" text-decoration="underline"> </text>`, map[image.Point]string{{12, 55}: "112233"}},
		{"stretched text", `<text x="0" y="60" font-size="20" font-family="monospace" textLength="100">I I</text>`, map[image.Point]string{{6, 54}: "000000", {73, 54}: "000000", {40, 54}: "ffffff"}},
	} {
		got := draw(t, c.elements, 200)
		for at, want := range c.want {
			pixel := color.NRGBAModel.Convert(got.At(2*at.X, 2*at.Y)).(color.NRGBA)
			if code := fmt.Sprintf("%02x%02x%02x", pixel.R, pixel.G, pixel.B); code != want {
				t.Errorf("%s: %v is %s, want %s", c.name, at, code, want)
			}
		}
	}
}

// TestLikeBrowser compares an image of everything but text with Chromium's. It needs Chromium.
func TestLikeBrowser(t *testing.T) {
	enginetest.SkipUnderRace(t)
	const elements = `<defs><marker id="m" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="4" markerHeight="4" orient="auto"><path d="M0 0 8 4 0 8z" fill="#1565c0"/></marker></defs>` +
		`<rect x="5" y="5" width="30" height="20" rx="6" fill="none" stroke="#2e7d32" stroke-width="4"/>` +
		`<circle cx="60" cy="30" r="20" fill="#fff8e7" stroke="#b71c1c" stroke-width="3"/>` +
		`<path d="M10 70L60 40m-10 0h10v10" fill="none" stroke="#1565c0" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>` +
		`<path d="M70 10c10 0 20 10 20 20 0 10-10 20-20 20z" fill="#8a6533" fill-opacity=".5"/>` +
		`<g stroke="#1565c0" stroke-width="4" stroke-opacity=".75" stroke-linecap="round" marker-end="url(#m)"><path d="M95 75L70 60"/></g>`
	ours := draw(t, elements, 200)
	theirs := browser.Screenshot(t, "image.svg", document(elements), 200, 160)
	if theirs.Bounds() != ours.Bounds() {
		t.Fatalf("the screenshot is %v, the image %v", theirs.Bounds(), ours.Bounds())
	}
	sum := 0
	for y := range 160 {
		for x := range 200 {
			a, b := color.GrayModel.Convert(ours.At(x, y)).(color.Gray), color.GrayModel.Convert(theirs.At(x, y)).(color.Gray)
			sum += max(int(a.Y)-int(b.Y), int(b.Y)-int(a.Y))
		}
	}
	if mean := float64(sum) / (200 * 160); mean > .5 {
		t.Errorf("the images differ by %.2f of 255 on average", mean)
	}
}

func TestUnsupported(t *testing.T) {
	for _, c := range []struct{ svg, want string }{
		{"nonsense", "raster: EOF"},
		{`<svg viewBox="1 1 5 5"/>`, `raster: viewBox "1 1 5 5" is not supported`},
		{document(`<ellipse/>`), "raster: element <ellipse> is not supported"},
		{document(`<g><rect width="1" height="1" fill="red"/></g>`), `raster: colour "red" is not supported: want #rrggbb or #rgb`},
		{document(`<use xlink:href="#a"/>`), `raster: "#a" is not defined`},
		{document(`<path d="M0 0c1 1 2 2 3 3" fill="none" stroke="#000000"/>`), `raster: path "M0 0c1 1 2 2 3 3": the line of a curved or closed path is not supported`},
	} {
		if err := PNG(&bytes.Buffer{}, c.svg, 10); err == nil || err.Error() != c.want {
			t.Errorf("%.60s: %v, want %s", c.svg, err, c.want)
		}
	}
}

func TestSize(t *testing.T) {
	enginetest.SkipUnderRace(t)
	for width, want := range map[int]image.Point{1: {1, 1}, 250: {250, 200}, -3: {1000, 800}, 0: {1000, 800}} {
		if got := draw(t, "", width).Bounds().Size(); got != want {
			t.Errorf("width %d: %v, want %v", width, got, want)
		}
	}
}

// TestShortColour: #777 is #777777.
func TestShortColour(t *testing.T) {
	short, err := parseColor("#7a0", 1)
	if err != nil {
		t.Fatal(err)
	}
	if long, err := parseColor("#77aa00", 1); err != nil || short != long {
		t.Errorf("%v is not %v: %v", short, long, err)
	}
}
