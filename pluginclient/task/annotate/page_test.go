package annotate

import (
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi/notation"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m, browser.Stop)) }

// pageOf returns the page of annotatedGame with a script added.
func pageOf(t *testing.T, l Language, style notation.Style, script string) string {
	t.Helper()
	var b strings.Builder
	if err := annotatedGame(t, 1).HTML(&b, l, style.String()); err != nil {
		t.Fatal(err)
	}
	return strings.Replace(b.String(), "</body>", `<script type="module">`+script+"</script></body>", 1)
}

// steps returns a script that performs actions and records after each what the page shows: the
// fragment, the first paragraph, and the numbers of pieces and arrows.
func steps(acts ...string) string {
	return browser.Painted + `
		const seen = [];
		const note = async (what) => (await painted(), seen.push(what + ': ' + location.hash + ' ' + document.querySelector('#about p').textContent +
			' | ' + document.querySelectorAll('#board circle').length + ' ' + document.querySelectorAll('#board [marker-end] path').length));
		const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', {key, cancelable: true}));
		const click = (selector) => document.querySelector(selector).dispatchEvent(new MouseEvent('click', {bubbles: true}));
		const point = (part) => {
			const graph = document.getElementById('graph'), box = graph.getBoundingClientRect();
			graph.dispatchEvent(new PointerEvent('pointerdown', {clientX: box.left + part * box.width}));
		};
		await note('begin');
		for (const act of ` + "['" + strings.Join(acts, "','") + `']) {
			const [verb, what] = act.split(' ');
			if (verb === 'click') click(what);
			else if (verb === 'point') point(Number(what));
			else if (verb === 'wheel') document.getElementById('board').dispatchEvent(new WheelEvent('wheel', {deltaY: Number(what), cancelable: true}));
			else press(verb);
			await note(act);
		}
		const pre = document.createElement('pre');
		pre.id = 'seen';
		pre.textContent = seen.join('\n');
		document.body.append(pre);`
}

// TestPage navigates a page by keys and mouse.
func TestPage(t *testing.T) {
	seen, dom := browser.Seen(t, pageOf(t, English, notation.ICCS, steps(
		"ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowLeft",
		"ArrowUp", "Home", "ArrowLeft", "End", "ArrowRight", "m", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "m", "e", "f",
		"point 0.5", "point 2", "wheel 100", "wheel -100", "n", "l", "l", "click #first", "click .engine>.move", "x")), "")
	golden.Compare(t, "testdata/steps.txt", seen+"\n")
	for _, text := range []string{
		"<title>Left &amp; Right – 胡荣华</title>", "A &lt;small&gt; match", `<circle cx=`, "judged by reader, level 3", "About the game.", "So they say.", "is usual",
	} {
		if !strings.Contains(dom, text) {
			t.Errorf("%q is missing in the page", text)
		}
	}
	graph := regexp.MustCompile(`(?s)<svg id="graph".*?</svg>`).FindString(dom)
	if dots := strings.Count(graph, "<circle"); dots != 3 || !strings.Contains(graph, `fill="#d9534a"`) {
		t.Errorf("the graph has %d dots for 3 bad moves:\n%s", dots, graph)
	}
}

// TestPageInChinese checks that the fragment selects a position, and that the page starts in
// Chinese.
func TestPageInChinese(t *testing.T) {
	seen, dom := browser.Seen(t, pageOf(t, Chinese, notation.Chinese, steps("n", "n", "n", "n")), "#5")
	var texts []string
	for line := range strings.Lines(seen) {
		texts = append(texts, regexp.MustCompile(`[^.: ]+\?`).FindString(line))
	}
	if diff := cmp.Diff([]string{"车一平二?", "車一平二?", "R1=2?", "I0-H0?", "车一平二?"}, texts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, text := range []string{`lang="zh-Hans"`, "点评引擎 reader", "翻转棋盘", "胜率由", "漏着"} {
		if !strings.Contains(dom, text) {
			t.Errorf("%q is missing in the page", text)
		}
	}
}

// TestNarrowPage checks on the screen of a phone that nothing overflows, in either language, and
// that the board stays in sight when the page is scrolled.
func TestNarrowPage(t *testing.T) {
	page := strings.ReplaceAll(pageOf(t, English, notation.ICCS, ""), "胡荣华", "Grandmaster Hu Ronghua of Shanghai")
	seen, _ := browser.Seen(t, `<!DOCTYPE html><iframe style="width: 390px; height: 700px; border: 0" srcdoc="`+html.EscapeString(page)+`"></iframe><script>
		onload = () => {
			const inner = frames[0], pre = document.createElement('pre');
			const {documentElement: root} = inner.document;
			const beyond = () => root.scrollWidth - root.clientWidth;
			const result = [inner.innerWidth, beyond()];
			inner.document.getElementById('language').click();
			result.push(beyond());
			inner.scrollTo({top: 10000, behavior: 'instant'});
			const board = inner.document.getElementById('board').getBoundingClientRect();
			result.push(inner.scrollY > 100, board.top >= 0 && board.bottom < 400);
			pre.id = 'seen';
			pre.textContent = result.join(' ');
			document.body.append(pre);
		};</script>`, "")
	if seen != "390 0 0 true true" {
		t.Errorf("width, overflow in English, overflow in Chinese, scrolled, board in sight: %s", seen)
	}
}

// tools defines what the browser does for the page, so that a script can see it, and tap, which
// presses and releases the pointer at points of the board.
const tools = browser.Painted + `
	let saved;
	const taken = globalThis.taken ??= {};
	globalThis.Blob = class { constructor(parts) { saved = parts.join(''); } };
	URL.createObjectURL = () => 'data:,';
	HTMLAnchorElement.prototype.click = function() { taken.name = this.download; };
	Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => { taken.copied = text; }}, configurable: true});
	const $ = (id) => document.getElementById(id);
	function tap(...points) {
		points.forEach(([x, y], i) => {
			const svg = document.querySelector('#board svg');
			const {x: clientX, y: clientY} = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
			const type = i % 2 && points.drag ? 'pointerup' : 'pointerdown';
			svg.dispatchEvent(new PointerEvent(type, {clientX, clientY, bubbles: true}));
		});
	}
	const drag = (from, to) => tap(...Object.assign([from, to], {drag: true}));`

// saying returns a script that says lines.
func saying(lines string) string {
	return tools + `
	const lines = [];
	const say = (what) => lines.push(what);
	` + lines + `
	const pre = document.createElement('pre');
	pre.id = 'seen';
	pre.textContent = lines.join('\n');
	document.body.append(pre);`
}

// TestOwnMoves tries moves by clicks, by dragging and in the list of legal moves, and removes them; the engine's own
// move is one of the reader's then, and the bar shows nothing after a move of which nothing is known.
func TestOwnMoves(t *testing.T) {
	seen, _ := browser.Seen(t, pageOf(t, English, notation.ICCS, saying(`
		const note = async (what) => (await painted(), say([what, location.hash, document.querySelector('#about p').textContent, document.querySelectorAll('#targets circle').length,
			[...document.querySelectorAll('.aside.own')].map((line) => line.textContent.trim().replaceAll(/\s+/g, ' ')).join(' / ')].join(' | ')));
		tap([400, 400]);
		await note('a cannon is picked');
		tap([150, 150]);
		await note('it cannot go there');
		tap([400, 400], [250, 400]);
		await note('the move of the game');
		document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Home'}));
		tap([401, 398], [448, 404]);
		await note('another move');
		tap([400, 50], [450, 150]);
		await note('a reply');
		document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}));
		document.dispatchEvent(new KeyboardEvent('keydown', {key: 'f'}));
		drag([100, 500], [150, 400]);
		await note('another reply, on a turned board');
		$('move').value = 'A0-A1';
		$('play').click();
		await note('from the list');
		$('download').click();
		say(saved.slice(saved.indexOf('{')));
		document.querySelector('.forget').click();
		await note('removed');
		const bar = () => say('bar ' + ($('bar').style.visibility || $('bar').firstChild.style.height));
		bar();
		for (const key of ['f', 'Home', 'ArrowRight']) document.dispatchEvent(new KeyboardEvent('keydown', {key}));
		tap([100, 50], [150, 150]);
		await note('the move of the engine');
		bar();
		$('download').click();
		say(saved.slice(saved.indexOf('1. H2-E2'), saved.indexOf('2. H0-G2 $1')));
		tap([50, 350], [50, 300]);
		await note('another one after it');
		bar();`)), "")
	golden.Compare(t, "testdata/own.txt", seen+"\n")
}

// TestPageTools copies a position, saves the game as PGN and changes the colours.
func TestPageTools(t *testing.T) {
	// What the page does when it has copied, it does between the scripts.
	seen, _ := browser.Seen(t, pageOf(t, English, notation.Chinese, tools+`$('copy').click();</script><script type="module">`+saying(`
		say(taken.copied + ' ' + $('copy').textContent);
		const colours = () => say($('theme').textContent + ' ' + getComputedStyle(document.body).backgroundColor + ' ' + localStorage.getItem('qhsh.theme'));
		colours();
		$('theme').click();
		colours();
		$('theme').click();
		colours();
		$('download').click();
		say(taken.name);
		say(saved);`)), "#2")
	head, text, _ := strings.Cut(seen, ".pgn\n")
	const want = `rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2 copied
dark rgb(250, 248, 244) null
light rgb(29, 30, 33) dark
dark rgb(250, 248, 244) light
Left-Right-胡荣华`
	if diff := cmp.Diff(want, head); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// The text says the same as the other format.
	a := annotatedGame(t, 1)
	if diff := cmp.Diff(pgn(t, a.Record(English), notation.ICCS), pgn(t, parseGame(t, text), notation.ICCS)); diff != "" {
		t.Errorf("(-pgn +page):\n%s", diff)
	}
}

// TestPageTexts checks that the title is not repeated, and that endings are translated.
func TestPageTexts(t *testing.T) {
	g := parseGame(t, "[Title \"Cup\"]\n[Site \"a\"]\n1. H2-E2 *")
	a, err := Game(t.Context(), fakeAsker{1, gameReplies}, g, Options{Games: games.Default})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := a.report(English, notation.ICCS.String())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][2]string{{"Site", "a"}}, doc.Tags); a.title() != "Cup" || diff != "" {
		t.Errorf("the title is %q (-want +got):\n%s", a.title(), diff)
	}
	if words := doc.Words["zh"]; words["checkmate"] != "将死" || words["red"] != "红方" {
		t.Errorf("the words of the game: %v", words)
	}
}

// TestPageLoadsNothing checks that the page has no addresses except XML namespaces, and a policy
// that forbids loading.
func TestPageLoadsNothing(t *testing.T) {
	text := pageOf(t, English, notation.SAN, "")
	for _, name := range []string{"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"} {
		text = strings.ReplaceAll(text, name, "")
	}
	for _, bad := range []string{"://", "@import", "src=", "fetch(", "XMLHttp"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in the page", bad)
		}
	}
	if !strings.Contains(text, `content="default-src 'none';`) {
		t.Error("the page has no policy")
	}
	if !strings.Contains(text, `"notations":["chinese","traditional","wxf","iccs","san"]`) {
		t.Error("the requested notation is missing in the page")
	}
}
