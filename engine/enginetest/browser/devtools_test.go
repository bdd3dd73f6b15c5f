package browser_test

import (
	"encoding/json"
	"fmt"
	"image"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/enginetest/golden"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m, browser.Stop)) }

// page notes what is done with it.
const page = `<!doctype html><html lang="en"><title>page</title><link rel="icon" href="data:,">
<style>
body { margin: 0; background: #fff }
@media (prefers-color-scheme: dark) { body { background: #123 } }
body > * { position: absolute; left: 10px; width: 80px; height: 20px; box-sizing: border-box }
#input { top: 50px } #under, #over { top: 100px } #low { top: 3000px } img { top: 150px }
</style>
<button id="button">a</button><input id="input"><button id="under">under</button><div id="over">over</div><button id="low">low</button>
<img src="missing.png" alt="">
<script>
const notes = [], note = (...all) => notes.push(all.join(" ")), take = () => notes.splice(0)
for (const type of ["pointerdown", "pointermove", "pointerup", "click", "contextmenu"])
	addEventListener(type, e => note(type, e.clientX, e.clientY, e.button, e.buttons, e.pointerType, e.target.id))
addEventListener("keydown", e => note(e.key, e.keyCode, e.ctrlKey, e.shiftKey, document.activeElement.id))
</script>`

// TestTab compares what the page, and a test that fails, see of a tab.
func TestTab(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Security-Policy", "connect-src 'none'")
			_, _ = io.WriteString(w, page)
		case "/next":
			_, _ = io.WriteString(w, `<title>next</title><link rel="icon" href="data:,">`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	tab := browser.Open(t, server.URL+"/", 400, 300)
	var seen strings.Builder
	eval := func(expression string) { fmt.Fprintf(&seen, "%s: %s\n", expression, tab.Eval(t, expression)) }
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"values", func() {
			eval("1 + 1")
			eval("({b: [true, null, '<é中'], a: 0.5})")
			eval("Promise.resolve('later')")
			eval("undefined")
			eval("document.hidden")
			eval("[innerWidth, innerHeight, devicePixelRatio]")
			eval("new Promise(done => requestAnimationFrame(() => done(1)))")
		}},
		{"click", func() { tab.Click(t, "#low"); tab.Click(t, "#button") }},
		{"drag", func() { tab.Drag(t, 200, 100, 210, 140, "left") }},
		{"right button", func() { tab.Drag(t, 200, 100, 200, 100, "right") }},
		{"keys", func() {
			tab.Click(t, "#input")
			tab.Press(t, "a", "B", "c", "中", "+", " ", "Backspace", "ArrowLeft", "7", "Enter")
			eval("input.value")
			tab.Press(t, "Control+a", "x", "Control+z", "Control+Shift+z", "Shift+Tab", "Enter")
			eval("input.value")
		}},
		{"failures", func() {
			for _, do := range []func(t testing.TB){
				func(t testing.TB) { tab.Eval(t, "null.x") },
				func(t testing.TB) { tab.Eval(t, "Promise.reject('why')") },
				func(t testing.TB) { tab.Eval(t, "1 +") },
				func(t testing.TB) { tab.Wait(t, "missing.value") },
				func(t testing.TB) { tab.Click(t, "#missing") },
				func(t testing.TB) { tab.Click(t, "#under") },
			} {
				seen.WriteString(failure(t, do) + "\n")
			}
		}},
		{"console", func() {
			tab.Eval(t, `console.warn("one", 2, true, null, undefined, {}, 3 > 4)`)
			tab.Eval(t, `fetch("/next").catch(e => console.error(e.message))`)
			tab.Eval(t, `setTimeout(() => { throw "thrown" }); new Promise(done => setTimeout(done, 10))`)
			policy := regexp.MustCompile(`.*(Content Security Policy).*`) // Chromium's words change
			console := policy.ReplaceAllString(strings.Join(tab.Console(t), "\n"), "error: $1")
			seen.WriteString(strings.Join(slices.Compact(strings.Split(console, "\n")), "\n") + "\n")
		}},
	} {
		fmt.Fprintf(&seen, "# %s\n", c.name)
		c.do()
		var notes []string
		if err := json.Unmarshal([]byte(tab.Eval(t, "take()")), &notes); err != nil {
			t.Fatal(err)
		}
		for _, note := range notes {
			fmt.Fprintf(&seen, "%q\n", note)
		}
	}
	golden.Compare(t, "testdata/tab.txt", strings.ReplaceAll(seen.String(), server.URL, "http://host"))

	tab.Size(t, 320, 200)
	tab.Media(t, "prefers-color-scheme", "dark")
	tab.Wait(t, `innerWidth == 320 && matchMedia("(prefers-color-scheme: dark)").matches`)
	shot := tab.Screenshot(t)
	if size, corner := shot.Bounds(), fmt.Sprint(shot.At(200, 199)); size != image.Rect(0, 0, 320, 200) || corner != "{17 34 51 255}" {
		t.Errorf("a screenshot of size %v with %s", size, corner)
	}
	tab.Eval(t, `setTimeout(() => location.href = "/next", 100)`)
	tab.Wait(t, `document.title == "next"`)
}

// A failing test records the message of Fatalf.
type failing struct {
	testing.TB
	message string
}

func (f *failing) Fatalf(format string, args ...any) {
	f.message = fmt.Sprintf(format, args...)
	panic(f)
}

// failure returns the message with which do fails.
func failure(t *testing.T, do func(testing.TB)) (message string) {
	f := &failing{TB: t}
	defer func() {
		if e := recover(); e != any(f) {
			panic(e)
		}
		message = f.message
	}()
	do(f)
	return ""
}
