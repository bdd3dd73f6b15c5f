package tree

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/xiangqi"
)

// page returns a tree's page with a script added at its end.
func page(t *testing.T, tree *Tree, board, script string) string {
	t.Helper()
	var b strings.Builder
	if err := tree.HTML(&b, "Hints of <Ranker>", board); err != nil {
		t.Fatal(err)
	}
	return strings.Replace(b.String(), "</body>", "<script>"+script+"</script></body>", 1)
}

// press returns a script that presses keys and records what the page shows of the selected node.
func press(keys ...string) string {
	return `
		const seen = [];
		const note = () => seen.push(document.querySelector('.chosen').dataset.id + ' ' + document.querySelector('#board').textContent);
		note();
		for (const key of ` + "['" + strings.Join(keys, "','") + "'].filter(Boolean)" + `) {
			document.dispatchEvent(new KeyboardEvent('keydown', {key}));
			note();
		}
		const pre = document.createElement('pre');
		pre.id = 'seen';
		pre.textContent = seen.join('\n');
		document.body.append(pre);`
}

// seen returns the record of a script from press.
func seen(t *testing.T, dom string) []string {
	t.Helper()
	found := regexp.MustCompile(`(?s)<pre id="seen">(.*?)</pre>`).FindStringSubmatch(dom)
	if found == nil {
		t.Fatalf("the page's script failed:\n%s", dom)
	}
	return strings.Split(html.UnescapeString(found[1]), "\n")
}

// TestPage navigates a page with the arrow keys.
func TestPage(t *testing.T) {
	tree := kindsTree(t)
	dom := browser.Dump(t, page(t, tree, "", press(
		"ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowDown", "Home", "x")), "")
	ids := tree.ids()
	at := func(id string) string {
		for n, nodeID := range ids {
			if nodeID == id {
				return id + " " + n.Pos.String()
			}
		}
		return id + " is not there"
	}
	var rows []string
	tree.walk(func(n *Node) { rows = append(rows, ids[n]) })
	var want []string
	for _, id := range []string{"0", "1", "1.1", rows[3], "1.1", "1", "0", "0", "1", "0"} {
		want = append(want, at(id))
	}
	if diff := cmp.Diff(append(want, at("0"))[:11], seen(t, dom)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, text := range []string{"<title>Hints of &lt;Ranker&gt;</title>", "back at the first position", "which leads here"} {
		if !strings.Contains(dom, text) {
			t.Errorf("%q is missing in the page", text)
		}
	}
	if strings.Contains(dom, `id="buttons"`) {
		t.Error("board buttons without a board")
	}
}

// TestPageOfXiangqi checks that the fragment selects a node, and that the script draws the board.
func TestPageOfXiangqi(t *testing.T) {
	tree, err := Grow(t.Context(), enginetest.Ranker{}, xiangqi.Start(), Options{Width: 3, Depth: 2})
	if err != nil {
		t.Fatal(err)
	}
	script := `const drawBoard = (text, options) => text.split(' ')[0] + ' ' + JSON.stringify(options);`
	dom := browser.Dump(t, page(t, tree, script, press("f", "l", "ArrowRight")), "#3")
	third := tree.Root.Children[2]
	reply := third.Children[0]
	board := func(n *Node) string { text, _, _ := strings.Cut(n.Pos.String(), " "); return text }
	want := []string{
		"3 " + board(third) + ` {"flip":false,"letters":false,"last":"` + third.Name + `","arrows":["` + reply.Name + `"]}`,
		"3 " + board(third) + ` {"flip":true,"letters":false,"last":"` + third.Name + `","arrows":["` + reply.Name + `"]}`,
		"3 " + board(third) + ` {"flip":true,"letters":true,"last":"` + third.Name + `","arrows":["` + reply.Name + `"]}`,
		"3.1 " + board(reply) + ` {"flip":true,"letters":true,"last":"` + reply.Name + `","arrows":[]}`,
	}
	if diff := cmp.Diff(want, seen(t, dom)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPageLoadsNothing checks that a page has no addresses, and a policy that forbids loading.
func TestPageLoadsNothing(t *testing.T) {
	text := page(t, stonesTree(t), "", "")
	for _, bad := range []string{"://", "@import", "url(", "src="} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in the page", bad)
		}
	}
	if !strings.Contains(text, `content="default-src 'none';`) {
		t.Error("the page has no policy")
	}
}
