package tree

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/engine/qchess"
	"qhsh/engine/xiangqi"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m, browser.Stop)) }

// pageOf returns a tree's page with a script added at its end.
func pageOf(t *testing.T, tree *Tree, o WriteOptions, script string) string {
	t.Helper()
	var b strings.Builder
	if err := tree.HTML(&b, o); err != nil {
		t.Fatal(err)
	}
	return strings.Replace(b.String(), "</body>", `<script type="module">`+script+"</script></body>", 1)
}

// press returns a script that presses keys, or clicks what begins with #, and records what the page
// shows of the selected node.
func press(keys ...string) string {
	return `
		const seen = [];
		const note = () => seen.push(document.querySelector('[aria-selected]').dataset.id + ' ' + document.querySelector('#position').value);
		note();
		for (const key of ` + "['" + strings.Join(keys, "','") + "'].filter(Boolean)" + `) {
			if (key.startsWith('#')) document.querySelector(key).click();
			else document.dispatchEvent(new KeyboardEvent('keydown', {key}));
			note();
		}
		const pre = document.createElement('pre');
		pre.id = 'seen';
		pre.textContent = seen.join('\n');
		document.body.append(pre);`
}

// seen returns the record of a script from press, and the document.
func seen(t *testing.T, page, fragment string) (lines []string, dom string) {
	t.Helper()
	text, dom := browser.Seen(t, page, fragment)
	return strings.Split(text, "\n"), dom
}

// expect compares the positions that a script has recorded with those of nodes.
func expect(t *testing.T, tree *Tree, lines, nodes []string) {
	t.Helper()
	positions := map[string]string{}
	for n, id := range tree.ids() {
		positions[id] = n.Pos.String()
	}
	var want []string
	for _, id := range nodes {
		want = append(want, id+" "+positions[id])
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPage navigates a page with the arrow keys. The board of the game is drawn as text.
func TestPage(t *testing.T) {
	tree := kindsTree(t)
	lines, dom := seen(t, pageOf(t, tree, WriteOptions{Title: "Hints of <Ranker>"}, press(
		"ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowDown", "Home", "x")), "")
	ids := tree.ids()
	var rows []string
	tree.Root.walk(func(n *Node) { rows = append(rows, ids[n]) })
	expect(t, tree, lines, []string{"0", "1", "1.1", rows[3], "1.1", "1", "0", "0", "1", "0", "0"})
	for _, text := range []string{"<title>Hints of &lt;Ranker&gt;</title>", "back at the first position", "which leads here", `<button type="button" id="flip" hidden=""`} {
		if !strings.Contains(dom, text) {
			t.Errorf("%q is missing in the page", text)
		}
	}
}

// TestPageOfXiangqi checks that the fragment selects a node, that the script draws the board, and
// that the page is in Chinese after a click.
func TestPageOfXiangqi(t *testing.T) {
	tree, err := Grow(t.Context(), enginetest.Ranker{}, xiangqi.Start(), Options{Width: 3, Depth: 2})
	if err != nil {
		t.Fatal(err)
	}
	lines, dom := seen(t, pageOf(t, tree, WriteOptions{Engine: "Ranker", Games: games.Default}, press("f", "#letters", "ArrowRight", "#language")), "#3")
	expect(t, tree, lines, []string{"3", "3", "3", "3.1", "3.1"})
	third := games.Default.MoveNames(tree.Root.Pos, []engine.Move{tree.Root.Children[2].Move}, "chinese")[0]
	for _, text := range []string{
		"<title>Ranker 的提示</title>", `<html lang="zh-Hans">`, "搜索 4 个局面，12 步着法", ">开局<", third, ">保存 PGN<",
		`xlink:href="#glyph-4e5d"`, // 九, on the edge
		`xlink:href="#glyph-4b"`,   // K, on a piece
	} {
		if !strings.Contains(dom, text) {
			t.Errorf("%q is missing in the page", text)
		}
	}
	if circles := len(regexp.MustCompile(`<circle cx="\d`).FindAllString(dom, -1)); circles != 32 {
		t.Errorf("there are %d pieces on the board, want 32", circles)
	}
}

// TestOwnMoves tries a move after a leaf of the tree. The text of the tree has it as a variation.
func TestOwnMoves(t *testing.T) {
	tree, err := Grow(t.Context(), enginetest.Ranker{}, xiangqi.Start(), Options{Width: 2, Depth: 1})
	if err != nil {
		t.Fatal(err)
	}
	lines, dom := seen(t, pageOf(t, tree, WriteOptions{Engine: "Ranker", Games: games.Default}, `
		let saved;
		globalThis.Blob = class { constructor(parts) { saved = parts.join(''); } };
		URL.createObjectURL = () => 'data:,';
		HTMLAnchorElement.prototype.click = () => {};
		document.getElementById('move').value = 'A9-A8';
		document.getElementById('play').click();
		document.getElementById('download').click();
		const pre = document.createElement('pre');
		pre.id = 'seen';
		pre.textContent = saved;
		document.body.append(pre);`), "#2")
	const want = `[Game "Chinese Chess"]
[Event "?"]
[Site "?"]
[Date "?"]
[Round "?"]
[Red "?"]
[Black "?"]
[Result "*"]
[Format "ICCS"]

1. B2-E2 {[%eval #4]} (1. C3-C4 {[%eval 9.77]} 1... A9-A8) *
`
	if diff := cmp.Diff(want, strings.Join(lines, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(dom, `<li class="own" role="treeitem" aria-selected="true">`) {
		t.Error("the own move is not in the tree")
	}
}

// TestOwnMovesWithChance tries turns of quantum chess: the reader selects a piece, chooses what it becomes, and
// moves it, unless it cannot move. Another piece can be selected instead.
func TestOwnMovesWithChance(t *testing.T) {
	tree, err := Grow(t.Context(), enginetest.Ranker{}, qchess.Rules.Start(), Options{Width: 1, Depth: 1})
	if err != nil {
		t.Fatal(err)
	}
	lines, _ := seen(t, pageOf(t, tree, WriteOptions{Engine: "Ranker", Games: games.Default}, browser.Painted+`
		let saved;
		globalThis.Blob = class { constructor(parts) { saved = parts.join(''); } };
		URL.createObjectURL = () => 'data:,';
		HTMLAnchorElement.prototype.click = () => {};
		const lines = [];
		const all = (selector) => [...document.querySelectorAll(selector)];
		const note = async (what) => {
			await painted();
			const line = all('.own > .entry b').map((move) => move.textContent);
			const choices = all('#choices p').map((part) => [...part.childNodes].map((node) => node.textContent.trim()).join(' '));
			lines.push([what, line.join(' '), choices.join('; '), all('#targets circle').length, document.getElementById('position').value[0]].join(' | '));
		};
		const click = (x, y, ...types) => {
			const svg = document.querySelector('#board svg');
			const {x: clientX, y: clientY} = new DOMPoint(100 * x + 50, 100 * y + 50).matrixTransform(svg.getScreenCTM());
			for (const type of types.length ? types : ['pointerdown', 'pointerup']) svg.dispatchEvent(new PointerEvent(type, {clientX, clientY, bubbles: true}));
		};
		const become = (n) => document.querySelectorAll('#choices button')[n].click();
		if (document.documentElement.lang !== 'en') document.getElementById('language').click();
		await note('the start');
		click(0, 7);
		await note('a rook');
		click(2, 3);
		await note('an empty square');
		click(1, 6);
		await note('a pawn instead');
		document.getElementById('language').click();
		await note('in Chinese');
		become(1);
		await note('a pawn again');
		click(4, 4);
		await note('it cannot go there');
		click(1, 4);
		await note('moved');
		click(7, 0);
		become(0);
		await note('a rook that cannot move');
		click(1, 4, 'pointerdown');
		click(1, 3, 'pointerup');
		await note('dragged');
		document.getElementById('move').value = '@31';
		document.getElementById('play').click();
		await note('from the list');
		document.getElementById('download').click();
		const pre = document.createElement('pre');
		pre.id = 'seen';
		pre.textContent = lines.join('\n') + '\n' + saved;
		document.body.append(pre);`), "")
	golden.Compare(t, "testdata/own-chance.txt", strings.Join(lines, "\n")+"\n")
	_, text, _ := strings.Cut(strings.Join(lines, "\n"), "[Game ")
	for _, err := range games.Default.Records(qchess.Rules).Read(strings.NewReader("[Game "+text), "own.pgn") {
		if err != nil {
			t.Errorf("the text cannot be read: %v", err)
		}
	}
}

// TestPageLoadsNothing checks that a page has no addresses, and a policy that forbids loading.
func TestPageLoadsNothing(t *testing.T) {
	text := pageOf(t, stonesTree(t), WriteOptions{}, "")
	text = strings.ReplaceAll(text, "http://www.w3.org/2000/svg", "")
	for _, bad := range []string{"://", "@import", "url(", "src="} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in the page", bad)
		}
	}
	if !strings.Contains(text, `content="default-src 'none';`) {
		t.Error("the page has no policy")
	}
}
