//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/pluginclient/attach"
)

// A reader is somebody who works on a page of qhsh serve. What the page shows goes into a transcript.
type reader struct {
	*browser.Tab
	t   *testing.T
	out strings.Builder
}

// note writes what an expression shows on the page, when that does not change any more.
func (r *reader) note(what, expression string) {
	r.t.Helper()
	r.Wait(r.t, isIdle)
	text, err := strconv.Unquote(r.Eval(r.t, "(async () => String("+expression+"))()"))
	if err != nil {
		r.t.Fatal(err)
	}
	// When an engine has said what a move is worth depends on the machine.
	fmt.Fprintf(&r.out, "%s: %s\n", what, strings.Join(strings.Fields(moveValue.ReplaceAllString(text, "")), " "))
}

var moveValue = regexp.MustCompile(`[+−]\d\.\d\d$|[+−]\d\.\d\d\s`)

// evalMark is what an engine has said in PGN, and the number of a move that is repeated behind it.
var evalMark = regexp.MustCompile(`\{\[%eval [^}]*\}\s*|\d+\.\.\.\s*`)

// The expressions for parts of the page.
const (
	movesText    = "document.querySelector('#moves').innerText"
	fenText      = "document.querySelector('#position').value"
	aboutText    = "document.querySelector('#about').innerText"
	linesText    = "[...document.querySelectorAll('.engine')].map((e) => e.querySelector('label').innerText + ': ' + e.querySelector('.lines').innerText).join(' | ')"
	alertText    = "document.querySelector('#message').innerText"
	validityText = "document.querySelector('#validity').innerText"
	tableText    = "document.querySelector('#explorer').innerText"
	isIdle       = "document.querySelector('main').getAttribute('aria-busy') === 'false'"
	gameText     = "JSON.stringify((await (await fetch('/game?file=1')).json()).%s)"
	pointPlace   = "(() => { const m = document.querySelector('#board svg').getScreenCTM(), [file, rank] = '%s'; return ['ABCDEFGHI'.indexOf(file) * 50 + 50, 500 - 50 * rank].map((v, i) => i ? v * m.d + m.f : v * m.a + m.e).join(' ') })()"
)

// drag drags from one point of the board to another.
func (r *reader) drag(from, to, button string) {
	r.t.Helper()
	var at [4]float64
	for i, name := range []string{from, to} {
		text, _ := strconv.Unquote(r.Eval(r.t, fmt.Sprintf(pointPlace, name)))
		if _, err := fmt.Sscanf(text, "%f %f", &at[2*i], &at[2*i+1]); err != nil {
			r.t.Fatal(err)
		}
	}
	r.Drag(r.t, at[0], at[1], at[2], at[3], button)
}

// serveFor starts qhsh serve and opens its page. The server must end well.
func serveFor(t *testing.T, width, height int, args ...string) *reader {
	t.Helper()
	enginetest.SkipUnderRace(t)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	p := startQhsh(t, nil, append([]string{"serve", "-open=false", "-addr", "127.0.0.1:0", "-wait-quit", "20s"}, args...)...)
	address := strings.TrimSpace(p.line(t))
	t.Cleanup(func() {
		_ = p.cmd.Process.Signal(os.Interrupt)
		if status := p.status(t); status != exitOK {
			t.Errorf("status %d: %s", status, p.stderr.String())
		}
	})
	return &reader{Tab: browser.Open(t, address, width, height), t: t}
}

// TestServe works on a page: plays, enters the lines of engines, marks, comments, undoes, explores, annotates,
// plays against an engine, and opens a game of every kind.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "game.pgn")
	if err := os.WriteFile(file, []byte("[Red \"Hu\"]\n[Black \"Xu\"]\n[Date \"1998.??.??\"]\n\n1. H2-E2 H9-G7 2. H0-G2 I9-H9 1-0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(dir, "games.db")
	if got := runQhsh(t.Context(), nil, "explore", "-db", db, "add", file); got.status != exitOK {
		t.Fatal(got)
	}
	r := serveFor(t, 1400, 1000, "-db", db, "-engine", "fake=fakeplugin", "-engine", "dies=fakeplugin -die", file)
	click := func(id string) { r.Click(t, "#"+id) }
	set := func(id, value string) {
		r.Eval(t, fmt.Sprintf("(() => { const field = document.getElementById('%s'); field.value = '%s'; field.dispatchEvent(new Event('change')) })()", id, value))
	}
	r.Wait(t, "document.querySelector('.line')")
	r.note("title", "document.title")
	r.note("moves", movesText)
	r.note("lines", linesText)
	r.note("explorer", tableText)
	r.Press(t, "ArrowRight", "ArrowRight")
	r.note("two moves on", "location.hash + ' ' + "+fenText)
	r.Wait(t, aboutText+".includes('chance')")
	r.note("about", aboutText)
	r.drag("B0", "C2", "left")
	r.note("a move by dragging", movesText)
	r.drag("H7", "E7", "right")
	r.note("a mark", fmt.Sprintf(gameText, "line[2].others[0][0].marks"))
	set("comment", "a good move")
	set("glyph", "1")
	r.note("with a comment and a sign", movesText)
	click("promote")
	r.note("promoted", movesText)
	click("undo")
	r.note("undone", movesText)
	click("remove")
	r.note("removed", movesText)
	r.Wait(t, "document.querySelector('.line')")
	r.Press(t, " ")
	r.note("the best move", movesText)
	r.Wait(t, "document.querySelector('.line')")
	r.Eval(t, "document.querySelector('.line .move:nth-of-type(1)').click()")
	r.note("a line entered", movesText)
	r.Eval(t, "document.querySelectorAll('.engine input')[1].click()")
	r.Wait(t, "document.querySelector('.lines .blunder')")
	r.note("an engine that dies", "document.querySelector('.lines .blunder').innerText.slice(0, 60)")
	r.Eval(t, "document.querySelectorAll('.engine input')[1].click()")
	click("save")
	r.note("saved", "document.querySelector('#save').disabled + ' ' + "+alertText)
	set("position", "4k4/9")
	r.note("a position with an error", alertText)
	set("position", "4k4/9/9/9/9/9/9/9/9/3K4R w")
	r.note("a position", fmt.Sprintf(gameText, "start.position"))
	click("undo")
	click("edit")
	r.Eval(t, "document.querySelectorAll('#pieces p:nth-of-type(2) button')[1].click()") // clear
	r.note("an empty board", validityText)
	r.Eval(t, "document.querySelectorAll('.palette button')[2].click()")
	r.drag("E0", "E0", "left")
	r.note("a king", validityText)
	r.drag("E0", "E0", "right")
	r.note("taken away", fenText)
	set("position", "4k4/9/9/9/9/9/9/9/9/3K4R b")
	r.note("a text in the editor", validityText)
	r.Eval(t, "document.querySelectorAll('#pieces p:nth-of-type(3) button')[1].click()") // cancel
	click("swap")
	r.note("swapped", "document.title + ' ' + "+movesText)
	click("undo")
	r.Press(t, "l", "Home")
	r.note("in Chinese", movesText+" + document.querySelector('#toolbar').innerText")
	r.Press(t, "l")
	set("opponent", "fake")
	r.Eval(t, "document.querySelector('.engine input').click()")
	r.drag("B2", "E2", "left")
	r.Wait(t, isIdle+" && location.hash === '#0.1.1'")
	r.note("an opponent's answer", movesText)
	click("takeBack")
	r.note("taken back", "location.hash")
	r.Press(t, "f")
	r.Wait(t, "location.hash === '#0.2.0'")
	r.note("an opponent that begins", "location.hash")
	r.Press(t, "f")
	r.Wait(t, "location.hash === '#0.2.1'")
	r.Eval(t, `(() => { // what the button says when the first judgement is shown
		const button = document.querySelector('#annotate'), moves = document.querySelector('#moves')
		new MutationObserver(() => { if (moves.innerText.includes('Judged')) window.word ??= button.innerText }).observe(moves, {childList: true, subtree: true})
	})()`)
	click("annotate")
	r.Wait(t, "document.querySelector('#moves').innerText.includes('Judged by')")
	r.note("while it annotates", "word")
	r.note("annotated", movesText)
	r.Eval(t, "document.querySelector('.engine input').click()")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&r.out, "the file: %s\n", strings.Join(strings.Fields(evalMark.ReplaceAllString(string(text), "")), " "))
	for _, kind := range []string{"quoridor", "qchess", "checkers"} {
		set("fresh", kind)
		r.Wait(t, "document.querySelector('#data')?.textContent.includes('\"kind\":\""+kind+"') && document.querySelector('.line') && "+isIdle)
		r.Press(t, " ")
		r.note(kind, "location.hash + ' ' + "+alertText)
	}
	for _, line := range r.Console(t) {
		if !strings.Contains(line, "422") { // which the position with an error has
			t.Errorf("console: %s", line)
		}
	}
	golden.Compare(t, filepath.Join("testdata", "serve.txt"), r.out.String())
}

// TestEmbeddedSpec names the embedded engines of games with options.
func TestEmbeddedSpec(t *testing.T) {
	all := games.Default
	for _, c := range []struct {
		game   string
		values games.Values
		want   string
	}{
		{"xiangqi", nil, "builtin"},
		{"quoridor", nil, "quoridor"},
		{"quoridor", games.Values{"size": "5"}, "quoridor,size=5,walls=3"},
		{"checkers", games.Values{"variant": "russian"}, "checkers,variant=russian"},
	} {
		game, err := all.New(c.game, c.values)
		if err != nil {
			t.Fatal(err)
		}
		got := embeddedSpec(all, game)
		if e, err := attach.Parse(got, attach.Options{Games: all}); got != c.want || err != nil || all.Describe(e.Game) != all.Describe(game) {
			t.Errorf("%s: %s, %v; want %s", all.Describe(game), got, err, c.want)
		}
	}
}

// TestServeEngines chooses engines of engines.json on a page, and sets their options. Some die, hang or do not start, and
// the others go on.
func TestServeEngines(t *testing.T) {
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	if err := os.Mkdir(filepath.Join(config, "qhsh"), 0o700); err != nil {
		t.Fatal(err)
	}
	names := `{"fake": "fakeplugin", "dies": "fakeplugin -die", "hangs": "fakeplugin -hang", "absent": "no-such-program", "silent": "uci:sleep 1000",
		"universal": "uci,Hash=32:qhsh -uci", "wrong": "builtin,nosuch=1", "other": "quoridor", "small": "quoridor,size=5"}`
	if err := os.WriteFile(filepath.Join(config, "qhsh", "engines.json"), []byte(names), 0o600); err != nil {
		t.Fatal(err)
	}
	r := serveFor(t, 1400, 1000, "-wait", "start=10m,late=1s,quit=1s")
	r.Wait(t, "document.querySelector('.line')")
	r.Eval(t, "(() => { localStorage.setItem('qhsh.seconds', '1'); document.querySelector('#engines > .panel').open = true })()")
	const chooserText = "document.querySelector('#engines > .panel').innerText + ' | ' + [...document.querySelectorAll('#engines > .blunder, #engines > .facts')].map((e) => e.innerText.slice(0, 60)).join(' | ')"
	const labelOf = "[...document.querySelectorAll('.panel label')].find((e) => e.innerText.trim().startsWith('%s'))"
	choose := func(name string) { r.Eval(t, fmt.Sprintf("("+labelOf+").querySelector('input').click()", name)) }
	section := func(name string) string {
		return fmt.Sprintf("[...document.querySelectorAll('.engine')].find((e) => e.querySelector('label').innerText.includes('%s'))", name)
	}
	r.note("offered", chooserText)
	choose("silent")
	r.Wait(t, chooserText+".includes('silent: starts')")
	choose("absent")
	r.Wait(t, chooserText+".includes('absent: ')")
	r.note("two that do not start", chooserText)
	choose("silent")
	choose("absent")
	for i, name := range []string{"fake", "dies", "hangs"} {
		choose(name)
		r.Wait(t, fmt.Sprintf("document.querySelectorAll('.engine').length === %d", i+2))
	}
	r.Wait(t, section("dies")+".querySelector('.blunder') && "+section("hangs")+".querySelector('.line') && "+section("fake")+".querySelector('.line')")
	r.note("lines", "[...document.querySelectorAll('.engine')].slice(1).map((e) => e.querySelector('label').innerText + ': ' + (e.querySelector('.blunder, .line:last-child .move')?.innerText || '').slice(0, 60)).join(' | ')")
	for _, name := range []string{"dies", "hangs", "fake", "builtin"} {
		choose(name)
	}
	choose("universal")
	r.Wait(t, "document.querySelectorAll('.engine').length === 1 && document.querySelector('.line') && document.querySelector('.engine .panel:last-child label')")
	const optionsText = "[...document.querySelectorAll('.engine .panel:last-child label')].map((e) => `${e.querySelector('.facts').innerText.replace(/–\\d{4,}/, '–…')} ${e.firstChild.data}= ${e.querySelector('input, select').value}`).join(' | ')"
	r.Eval(t, "document.querySelector('.engine .panel:last-child').open = true")
	r.note("options", optionsText)
	set := func(value string) {
		r.Wait(t, fmt.Sprintf(labelOf, "Hash")) // which the page draws again whenever the engine starts
		r.Eval(t, fmt.Sprintf("(() => { const field = (%s).querySelector('input'); field.value = '%s'; field.dispatchEvent(new Event('change')) })()", fmt.Sprintf(labelOf, "Hash"), value))
	}
	set("0")
	set("8")
	const chosen = "(await (await fetch('/engines?file=1')).json()).engines"
	r.Wait(t, "document.querySelector('.engine .panel:last-child button') && document.querySelector('.line')")
	r.note("an option set", "document.querySelector('.engine .panel:last-child').open + ' ' + "+optionsText+" + JSON.stringify("+chosen+".filter(({on}) => on).map(({engine, set}) => ({engine, set})))")
	r.Eval(t, "document.querySelector('.engine .panel:last-child button').click()")
	r.Wait(t, "!document.querySelector('.engine .panel:last-child button') && document.querySelector('.line')")
	r.note("as usual", optionsText)

	const traceText = "[...document.querySelectorAll('.said')].map((e) => e.textContent).join('')"
	r.Eval(t, "(() => { document.querySelector('.said').parentElement.open = true })()")
	r.Wait(t, traceText+".lastIndexOf('Hash value 32') > "+traceText+".lastIndexOf('Hash value 8')")
	r.note("what is said", traceText+`.split('\n').map((line) => line.replace(/^ *[-\d.]+ *\+[\d.]+ */, '')).filter((line) => line.includes('> setoption name Hash')).at(-1)`)
	r.Eval(t, "(() => { document.querySelector('.said').parentElement.open = false })()")
	r.Press(t, "x")
	const arrows = "[...new Set([...document.querySelectorAll('#marks path[stroke-width]')].map((e) => e.getAttribute('stroke')))].join()"
	r.Wait(t, "document.querySelector('.threat') && "+arrows+" === '#c62828'")
	r.note("a threat", "document.querySelector('.threat').innerText + ' ' + [...document.querySelectorAll('.line .number')][0].innerText + ' ' + /[A-I][5-9]-/.test(document.querySelector('.line .move').innerText)")
	setField := func(id, value string) {
		r.Eval(t, fmt.Sprintf("(() => { const field = document.getElementById('%s'); field.value = '%s'; field.dispatchEvent(new Event('change')) })()", id, value))
	}
	setField("position", "4k4/4R4/9/9/9/9/9/9/9/3K5 b")
	r.Wait(t, "document.querySelector('#threat').disabled && document.querySelector('.line') && !document.querySelector('.threat')")
	r.note("in check", arrows)
	setField("position", "3k5/9/9/9/9/9/9/9/R8/4K4 w")
	choose("fake")
	r.Wait(t, "document.querySelectorAll('.engine').length === 2 && "+isIdle)
	setField("opponent", "fake")
	setField("strength", "clock")
	const clocks = "document.querySelector('#clocks').innerText"
	r.Click(t, "#startClock")
	r.Wait(t, clocks+".includes('4:5')")
	r.drag("A1", "A2", "left")
	r.Wait(t, isIdle+" && location.hash === '#2'")
	r.note("an answer within its time", movesText+" + "+clocks+".replace(/\\d:\\d\\d/g, 'm:ss')")
	setField("minutes", "0")
	setField("increment", "0")
	r.Click(t, "#startClock")
	r.Wait(t, alertText+".includes('time')")
	r.note("lost on time", alertText+" + "+clocks+" + document.querySelector('#result').value")
	for _, line := range r.Console(t) {
		t.Errorf("console: %s", line)
	}
	golden.Compare(t, filepath.Join("testdata", "serve_engines.txt"), r.out.String())
}

// TestServeMeanwhile enters a line that is drawn anew while the mouse is down, and writes a comment that is of the move
// at which it was begun.
func TestServeMeanwhile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "game.pgn")
	if err := os.WriteFile(file, []byte("1. H2-E2 {[%cal Gzz-qq,Rh2-h2]} H9-G7 2. H0-G2 I9-H9 *\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := serveFor(t, 1400, 1000, "-engine", "fake=fakeplugin", file)
	r.Wait(t, "document.querySelector('.line')")
	r.Press(t, "ArrowRight")
	r.Click(t, "#comment")
	r.Press(t, "o", "k")
	r.Click(t, "#graph")
	r.note("a comment", "location.hash + ' ' + "+movesText)
	r.Press(t, "End")
	r.Wait(t, isIdle+" && document.querySelector('.line')")
	var x, y float64
	text, _ := strconv.Unquote(r.Eval(t, "(() => { const box = document.querySelector('.line .move').getBoundingClientRect(); return `${box.x + 9} ${box.y + 9}` })()"))
	if _, err := fmt.Sscan(text, &x, &y); err != nil {
		t.Fatal(err)
	}
	r.Mouse(t, "mousePressed", x, y, "left")
	r.Eval(t, "document.querySelector('.engine select').dispatchEvent(new Event('change'))")
	r.Mouse(t, "mouseReleased", x, y, "left")
	r.note("a line", "location.hash + ' ' + "+movesText)
	if want := "a comment: #2 1. H2-E2 ok 1. … H9-G7 2. H0-G2 I9-H9 *\na line: #5 1. H2-E2 ok 1. … H9-G7 2. H0-G2 I9-H9 3. A0-A1 *\n"; r.out.String() != want {
		t.Errorf("got %s", r.out.String())
	}
	for _, line := range r.Console(t) {
		t.Errorf("console: %s", line)
	}
}

// TestServeNarrow has the page of a phone: the lines stand directly below the board, and nothing is wider than it.
func TestServeNarrow(t *testing.T) {
	r := serveFor(t, 360, 740, "-engine", "fake=fakeplugin")
	r.Wait(t, "document.querySelector('.line')")
	for _, language := range []string{"en", "zh"} {
		r.note(language, "document.documentElement.lang + ' ' + (document.documentElement.scrollWidth <= 360) + ' ' + "+
			"(document.querySelector('#engines').getBoundingClientRect().top - document.querySelector('#stage').getBoundingClientRect().bottom < 40)")
		r.Press(t, "l")
	}
	if want := "en: en true true\nzh: zh-Hans true true\n"; r.out.String() != want {
		t.Errorf("got %s", r.out.String())
	}
	for _, line := range r.Console(t) {
		t.Errorf("console: %s", line)
	}
}

// TestServeExercises solves the puzzles of a file, with a wrong move and on the board and by the list of moves, and
// retries the mistakes of a game, which stays as it was.
func TestServeExercises(t *testing.T) {
	dir := t.TempDir()
	game, puzzles := filepath.Join(dir, "game.pgn"), filepath.Join(dir, "puzzles.epd")
	for name, text := range map[string]string{
		game: "1. H2-E2 H9-G7?! (1... B9-C7 {[%eval 0.1] [%qhsh line]}) 2. A0-A1?? (2. H0-G2 {[%eval 0.9] [%qhsh line]} I9-H9) *\n",
		puzzles: "1r2ka3/4a4/4b4/p3Cn3/2N6/2P6/P8/4BA3/4A4/c3K4 w - - bm C5-D7; dm 2; pv C5-D7 E9-D9 E6-D6; c0 \"mate in 2: checkmate\";\n" +
			"3k1ab2/4a4/8n/p2rp1N1p/3R5/4c4/P7P/4C3B/1nC1A4/1NB1KA3 b - - bm D6-D5; dm 3; pv D6-D5;\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := serveFor(t, 360, 740, "-engine", "fake=fakeplugin", game, puzzles)
	play := func(move string) {
		r.Eval(t, fmt.Sprintf("document.querySelector('#move').value = '%s'", move))
		r.Click(t, "#play")
	}
	shown := "document.querySelector('#train').innerText + ' | ' + " + fenText + " + ' | ' + ['engines', 'moves'].filter((id) => document.getElementById(id).checkVisibility())"
	r.Wait(t, "document.querySelector('.line') && "+isIdle)
	r.Click(t, "#exercises")
	r.note("a puzzle", shown)
	r.note("below the board", "document.querySelector('#train').getBoundingClientRect().top - document.querySelector('#stage').getBoundingClientRect().bottom < 40")
	r.Press(t, "ArrowRight", " ", "z")
	r.drag("E6", "E5", "left")
	r.note("a wrong move", shown)
	r.drag("C5", "D7", "left")
	r.note("the right one", shown)
	r.drag("E6", "D6", "left")
	r.note("and the last", shown)
	r.Press(t, " ")
	r.note("for the other side", shown)
	play("D6-D5")
	r.Wait(t, "document.querySelector('.line')")
	r.note("solved", shown)
	r.Press(t, "Escape")
	r.Wait(t, isIdle)
	r.Click(t, "#exercises")
	r.note("the failed one is the first", shown)
	r.Press(t, "s", "l")
	r.note("its solution", shown)
	r.Press(t, "l", "Escape")
	r.Eval(t, "location.href = '/?file=1#2'")
	r.Wait(t, "document.title.includes('game.pgn') && document.querySelector('.line') && "+isIdle)
	before := movesText + " + location.href.replace(/.*[?]/, ' ') + document.querySelector('#undo').disabled"
	r.note("a game", before)
	r.Eval(t, "document.querySelector('#mistakesOf').value = '0'")
	r.Click(t, "#retry")
	r.note("a mistake", shown)
	play("A0-A1")
	r.note("the same again", shown)
	play("A0-A2")
	r.note("another move", shown)
	r.Click(t, "#endTraining")
	r.note("the game again", before)
	for _, line := range r.Console(t) {
		t.Errorf("console: %s", line)
	}
	golden.Compare(t, filepath.Join("testdata", "serve_exercises.txt"), r.out.String())
}
