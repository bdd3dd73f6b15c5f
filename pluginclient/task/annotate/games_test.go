package annotate

import (
	"math"
	"slices"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/record"
)

// written returns what a format writes of games.
func written(t *testing.T, name string, all ...*Annotated) string {
	t.Helper()
	var b strings.Builder
	f, _ := Formats().ByName(name)
	sink, err := f.Write(&b, WriteOptions{Notation: "iccs"})
	for i, a := range all {
		if err == nil {
			err = sink.Write(GameID{Number: i + 1}, a)
		}
	}
	if err == nil && sink.Close != nil {
		err = sink.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// similarGames returns the annotated game, and others with the same moves and other tags.
func similarGames(t *testing.T) (all []*Annotated) {
	t.Helper()
	for _, tags := range []record.Tags{
		{{Name: "Red", Value: "江苏 徐 天红"}, {Name: "Black", Value: "<Left>"}, {Name: "Opening", Value: "中炮"}, {Name: "Date", Value: "1998.10.15"}},
		{{Name: "Red", Value: "徐天红"}, {Name: "Black", Value: "?"}, {Name: "Opening", Value: "中炮"}},
		{{Name: "Red", Value: "<left>"}, {Name: "Black", Value: "徐天红"}, {Name: "Title", Value: "third"}},
	} {
		a := annotatedGame(t, 1)
		a.Game.Tags, a.Game.Result = tags, []engine.Outcome{engine.SecondWins, engine.Draw, engine.Ongoing}[len(all)]
		all = append(all, a)
	}
	return all
}

// TestGamesPage reads the overview of several games, sorts and searches it, and goes to games and back.
func TestGamesPage(t *testing.T) {
	page := strings.Replace(written(t, PageFormat, similarGames(t)...), "</body>", `<script type="module">`+browser.Painted+`
		const $ = (selector) => document.querySelector(selector), seen = [];
		const texts = (selector) => [...document.querySelectorAll(selector)].map((row) => [...row.children].map((cell) => cell.textContent).join(' | ')).join('\n');
		const note = async (what) => {
			await painted();
			seen.push(what + ': ' + location.hash + ' ' + document.title, getComputedStyle($('main')).display === 'none' ? texts('#overview tr') + [...document.querySelectorAll('#moments button')].map((item) => '\n' + [...item.querySelectorAll('span')].map((part) => part.textContent).join(' | ') + ' ' + item.querySelectorAll('svg circle').length).join('') : $('#about').innerText, '');
		};
		const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, cancelable: true, bubbles: true}));
		await note('begin');
		$('#players th:nth-child(1) button').click();
		await note('sorted');
		$('#overview input').value = 'THIRD';
		$('#overview input').dispatchEvent(new Event('input'));
		press('ArrowRight');
		await note('found');
		$('#moments button').click();
		await new Promise((done) => addEventListener('hashchange', done, {once: true}));
		await note('moment');
		for (const key of ['ArrowRight', 'PageUp', 'l', 'a']) {
			const changed = key.length > 6 || key === 'a' ? new Promise((done) => addEventListener('hashchange', done, {once: true})) : undefined;
			press(key);
			if (key !== 'ArrowRight') await changed;
			await note(key);
		}
		const pre = document.createElement('pre');
		pre.id = 'seen';
		pre.textContent = seen.join('\n');
		document.body.append(pre);</script></body>`, 1)
	seen, _ := browser.Seen(t, page, "")
	golden.Compare(t, "testdata/games.txt", seen+"\n")
}

// TestOneGamePage checks that the page of one game is that of a report.
func TestOneGamePage(t *testing.T) {
	a := annotatedGame(t, 1)
	var want strings.Builder
	if err := a.HTML(&want, English, "iccs"); err != nil {
		t.Fatal(err)
	}
	if written(t, PageFormat, a) != want.String() {
		t.Error("the page of one game is another one than its report")
	}
	if text := written(t, PageFormat); text != "" {
		t.Errorf("no game is %q", text)
	}
}

func TestCSV(t *testing.T) {
	golden.Compare(t, "testdata/games.csv", written(t, "csv", similarGames(t)[:2]...))
}

// TestAccuracy computes the accuracies of games of many lengths as lila's scalachess does, by a list of windows.
func TestAccuracy(t *testing.T) {
	for moves := 1; moves < 120; moves += 7 {
		a := &Annotated{Plies: make([]Ply, moves+1), Options: Options{}.withDefaults()}
		start := annotatedGame(t, 1).Plies[0].Pos
		turns := []engine.Position{start, annotatedGame(t, 1).Plies[1].Pos}
		chances := []float64{}
		for i := range a.Plies {
			a.Plies[i] = Ply{Pos: turns[i%2], By: turns[(i+1)%2].Turn(), Score: engine.Centipawns(i * i * 37 % 900), Class: Good, Loss: float64(i*53%29) / 60}
			chance, _ := a.chanceOf(&a.Plies[i], engine.First)
			chances = append(chances, 100*chance)
		}
		size := min(max(moves/10, 2), 8)
		var windows [][]float64
		for range min(size, len(chances)) - 2 {
			windows = append(windows, chances[:size])
		}
		for i := 0; i+size <= len(chances); i++ {
			windows = append(windows, chances[i:i+size])
		}
		for side := range engine.Turn(2) {
			var weighted, weights, inverse, n float64
			for i, p := range a.Plies[1:] {
				if p.By != side {
					continue
				}
				var sum, squares float64
				for _, c := range windows[i] {
					sum, squares = sum+c, squares+c*c
				}
				k := float64(len(windows[i]))
				weight := min(max(math.Sqrt(max(squares/k-sum*sum/k/k, 0)), .5), 12)
				accuracy := min(max(103.1668*math.Exp(-0.04354*100*p.Loss)-3.1669, 0), 100)
				weighted, weights, inverse, n = weighted+weight*accuracy, weights+weight, inverse+1/accuracy, n+1
			}
			want := (weighted/weights + n/inverse) / 2
			if got, ok := a.accuracy(side, ""); ok != (n > 0) || ok && math.Abs(got-want) > .0501 {
				t.Errorf("%d moves, side %d: %v %v, want %v", moves, side, got, ok, want)
			}
		}
	}
	if got := accuracyOf(0); got != 99.9999 && math.Abs(got-100) > 1e-3 {
		t.Errorf("nothing given away is %v", got)
	}
	if !slices.IsSortedFunc([]float64{accuracyOf(1), accuracyOf(.5), accuracyOf(.1), accuracyOf(0)}, func(a, b float64) int { return int(math.Copysign(1, a-b)) }) {
		t.Error("it does not fall with what is given away")
	}
}
