package exercise

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/pluginclient/task/annotate"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m, browser.Stop)) }

// setOf returns the exercises of a repertoire of Red.
func setOf(t *testing.T, text string) *Set {
	t.Helper()
	lib := games.Default.Records(games.Default.DefaultGame())
	r := &Repertoire{Games: games.Default, Side: engine.First}
	for g, err := range lib.Read(strings.NewReader(text), "games.pgn") {
		if err != nil {
			t.Fatal(err)
		}
		r.Add(g)
	}
	set, err := r.Exercises(annotate.WriteOptions{Records: lib, Notation: "iccs"})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// seen returns what a script has said on the page of a set in a browser that keeps memories, and its document.
func seen(t *testing.T, set *Set, memories map[string]Memory, script string) string {
	t.Helper()
	var b strings.Builder
	if err := writePage(&b, set); err != nil {
		t.Fatal(err)
	}
	kept, err := json.Marshal(memories)
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Replace(b.String(), "<style>", fmt.Sprintf("<script>localStorage.setItem('qhsh.training', JSON.stringify(%s))</script><style>", kept), 1)
	text, _ := browser.Seen(t, strings.Replace(page, "</body>", `<script type="module">`+browser.Painted+`
		const $ = (id) => document.getElementById(id), lines = [];
		const say = (...what) => lines.push(what.join(' | '));
		const note = async (what) => { await painted(); say(what, $('verdict').textContent, $('score').textContent, $('lead').textContent); };
		const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', {key, cancelable: true}));
		const play = async (move) => {
			$('move').value = move;
			$('play').click();
			await new Promise((done) => setTimeout(done, 700)); // the reply comes after half a second
			await note(move);
		};
		let saved;
		globalThis.Blob = class { constructor(parts) { saved = parts.join(''); } };
		URL.createObjectURL = () => 'data:,';
		HTMLAnchorElement.prototype.click = () => {};
		await painted();
		`+script+`
		const pre = document.createElement('pre');
		pre.id = 'seen';
		pre.textContent = lines.join('\n');
		document.body.append(pre);</script></body>`, 1), "")
	return text
}

// TestSpacing compares the rule of the page with that of a Memory: the order in which exercises that are due are
// posed, and what is kept of tries. A later memory of a file replaces that of the browser.
func TestSpacing(t *testing.T) {
	set := setOf(t, "1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. I0-H0 B9-C7 4. H0-H6 C9-E7 5. H6-G6 A9-A8 6. B0-A2 A8-D8 *")
	now := time.Now().UTC().Truncate(time.Second)
	ago := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	states := []Memory{
		{Solved: 3, Step: 3, Last: ago(9)},
		{Solved: 1, Step: 1, Last: ago(2)},
		{Solved: 2, Failed: 1, Missed: true, Step: 1, Last: ago(1)},
		{},
		{Solved: 5, Step: 5, Last: ago(34)},
		{Failed: 2, Missed: true, Last: ago(3)},
	}
	memories := map[string]Memory{}
	var order []*Exercise
	for i, e := range set.Exercises {
		if states[i] != (Memory{}) {
			memories[Key(games.Default, e.Pos)] = states[i]
		}
		if states[i].Step < 5 { // the other is not due
			order = append(order, e)
		}
	}
	memoryOf := func(e *Exercise) Memory { return memories[Key(games.Default, e.Pos)] }
	slices.SortStableFunc(order, func(a, b *Exercise) int { return memoryOf(a).Compare(memoryOf(b)) })
	var want []string
	for _, e := range order {
		want = append(want, e.Pos.String())
	}
	got := strings.Split(seen(t, set, memories, `
		const keys = Object.fromEntries(JSON.parse($('data').textContent).exercises.map((one) => [one.key, one.right[0]]));
		say($('position').value);
		for (let i = 1; i < 5; i++) { $('nextExercise').click(); await painted(); say($('position').value); }
		for (const _ of Object.keys(keys)) {
			await painted();
			const key = Object.keys(keys).find((one) => $('position').value.startsWith(one.slice('xiangqi '.length)));
			if (key.includes('1C2C1N2')) press('s'); // two of them fail
			else { $('move').value = keys[key]; $('play').click(); await painted(); }
			await painted();
			$('nextExercise').click();
		}
		$('export').click();
		say(saved);`), "\n")
	if diff := cmp.Diff(want, got[:len(got)-1]); diff != "" {
		t.Errorf("the order of exercises (-want +got):\n%s", diff)
	}
	var kept map[string]Memory
	if err := json.Unmarshal([]byte(got[len(got)-1]), &kept); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for key, m := range kept {
		before := memories[key]
		for m.Solved+m.Failed > before.Solved+before.Failed {
			before = before.Try(m.Solved > before.Solved, m.Last)
			tried++
		}
		if diff := cmp.Diff(before, m); diff != "" {
			t.Errorf("%s (-Memory +page):\n%s", key, diff)
		}
	}
	if tried < 4 {
		t.Errorf("%d tries in %v", tried, kept)
	}
}

// TestRepertoirePage plays a line with a wrong move, and loads a memory.
func TestRepertoirePage(t *testing.T) {
	set := setOf(t, "1. H2-E2 H9-G7 2. H0-G2 (2. H0-I2) I9-H9 3. I0-H0 {the rook comes out} *\n\n1. H2-E2 H9-G7 2. B0-C2 (2. E2-E6? B9-C7) *")
	got := seen(t, set, nil, `
		await note('begin');
		say(getComputedStyle($('moves')).display, $('about').checkVisibility(), document.title, $('lead').checkVisibility());
		await play('H2-E2');
		await play('E2-E6');
		await play('H0-G2');
		await play('I0-H0');
		say($('about').innerText, $('moves').innerText.replaceAll(/\s+/g, ' '));
		press('l');
		press(' ');
		await note('next');
		const files = new DataTransfer(), key = JSON.parse($('data').textContent).exercises[0].key;
		files.items.add(new File([JSON.stringify({[key]: {solved: 7, step: 5, last: '2099-01-01T00:00:00Z'}})], 'training.json'));
		$('file').files = files.files;
		$('file').dispatchEvent(new Event('change'));
		await painted();
		await painted();
		say($('imported').textContent, JSON.parse(localStorage.getItem('qhsh.training'))[key].solved);`)
	golden.Compare(t, "testdata/page.txt", got+"\n")
}

// TestNoPage has a game whose boards do not play in a browser.
func TestNoPage(t *testing.T) {
	set := setOf(t, "1. H2-E2 *")
	set.games = games.Table{}
	err := writePage(&strings.Builder{}, set)
	if want := "no page can be made: the boards of Xiangqi do not play in a browser; use json, csv, epd or text"; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}
