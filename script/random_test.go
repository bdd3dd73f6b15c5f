package script

import (
	"strings"
	"testing"
	"time"
)

// TestRandom: the numbers of a seed never change, and every function has the values that it should.
func TestRandom(t *testing.T) {
	check(t, newStage(), `
r = random(7)
print(r, type(r), r.random(), r.uniform(-1, 1), r.uniform(2, 2), [r.randint(1, 6) for _ in range(8)])
print(r.randint(-1 << 63, (1 << 63) - 1), r.randint(5, 5), r.choice([1, 2, 3]), r.choice((4,)), r.choice(range(9)))
x = list(range(9))
r.shuffle(x)
print(x, r.sample(x, 9), r.sample(x, 0), r.sample([], 0), r.sample({"a": 1, "b": 2}, 1))
print(random(7).random() == random(7).random(), random(-1).random() != random(1).random(), random(1 << 63).random() > 0)
n = [0] * 9
for _ in range(900):
    for place, drawn in enumerate(r.sample(range(9), 3)):
        n[place * 3 + drawn // 3] += 1
print(n)
print(pmap(lambda i: random(i).randint(0, 9), [3, 1, 2], jobs=2), [random(i).randint(0, 9) for i in (3, 1, 2)])
`, `random(7) random 0.9949265554419318 0.644991784225887 2.0 [2, 6, 5, 6, 4, 4, 3, 6]
-5245110044287687691 5 2 4 3
[3, 5, 6, 8, 7, 4, 0, 1, 2] [3, 2, 5, 4, 6, 8, 1, 0, 7] [] [] ["b"]
True True True
[312, 300, 288, 309, 300, 291, 282, 324, 294]
[2, 5, 6] [2, 5, 6]
`)
	for source, want := range map[string]string{
		`random()`:                                       `random: missing argument for seed`,
		`random("x")`:                                    `random: for parameter seed: got string, want int`,
		`random(1 << 64)`:                                `random: the seed has more than 64 bits`,
		`random(1).randint(5, 1)`:                        `randint: no number from 5 to 1: want the smaller one first`,
		`random(1).randint(0, 1 << 64)`:                  `randint: for parameter b: 18446744073709551616 out of range (want value in signed 64-bit range)`,
		`random(1).uniform(0, "x")`:                      `uniform: 0 to "x": want finite numbers`,
		`random(1).uniform(-1e308, 1e308)`:               `uniform: -1e+308 to 1e+308: want finite numbers`,
		`random(1).choice([])`:                           `choice: no items`,
		`random(1).choice(set([1]))`:                     `choice: got set, want a list, a tuple or a range: list(items) makes a list`,
		`random(1).choice("abc")`:                        `choice: got string, want a list, a tuple or a range: list(items) makes a list`,
		`random(1).sample([1], 2)`:                       `sample: 2 items: there are only 1`,
		`random(1).sample([1], -1)`:                      `sample: -1 items: want 0 or more`,
		`random(1).shuffle((1, 2))`:                      `shuffle: for parameter items: got tuple, want list`,
		"x = [1, 2]\nfor _ in x: random(1).shuffle(x)":   `shuffle: cannot assign to element of list during iteration`,
		"r = random(1)\npmap(lambda i: r.random(), [1])": `pmap: item 0 (1): random: frozen: make a generator for each item, as with random(b.hash)`,
		"random(1).sample(positions('none'), 1)":         `none: no such file`,
	} {
		if got := newStage().run(t, source); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
	s := newStage()
	s.Limits.Time = time.Millisecond
	if got := s.run(t, `random(1).sample(range(1 << 60), 1)`); !strings.Contains(got, "out of time") {
		t.Error(got)
	}
}
