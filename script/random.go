package script

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"go.starlark.net/starlark"
)

// A generator gives random numbers. It changes with each of them.
type generator struct {
	seed   starlark.Int
	source *rand.Rand
	frozen bool
}

func (g *generator) String() string                           { return fmt.Sprintf("random(%v)", g.seed) }
func (g *generator) Type() string                             { return "random" }
func (g *generator) Truth() starlark.Bool                     { return true }
func (g *generator) Hash() (uint32, error)                    { return 0, errors.New("unhashable: random") }
func (g *generator) Freeze()                                  { g.frozen = true }
func (g *generator) class() *class                            { return generatorClass }
func (g *generator) Attr(name string) (starlark.Value, error) { return generatorClass.attr(g, name) }
func (g *generator) AttrNames() []string                      { return generatorClass.attrNames(g) }

var randomFunction = function("random(seed: int) -> Random", `A generator of random numbers. The same seed, of 64 bits, gives the same numbers on every machine and in every version: it is PCG-DXSM with 128 bits, as in Go's math/rand/v2. For the items of pmap make one each, as with random(b.hash).
>>> r = random(1)
>>> r.randint(1, 6), r.choice(["red", "black"]), r.sample(range(100), 3)
(4, "red", [66, 78, 62])`, func(seed starlark.Int) (*generator, error) {
	n, ok := seed.Uint64()
	if signed, isSigned := seed.Int64(); isSigned {
		n, ok = uint64(signed), true
	}
	if !ok {
		return nil, errors.New("the seed has more than 64 bits")
	}
	return &generator{seed: seed, source: rand.New(rand.NewPCG(n, 0))}, nil
})

var generatorClass = newClass("Random",
	`A generator of random numbers, made by random(seed). One that pmap or another module shares is frozen and gives no more numbers.`,
	method("random() -> float", `A number from 0 to 1, without 1.`, func(g *generator) (float64, error) { return g.float() }),
	method("uniform(a: float, b: float) -> float", `A number between a and b.`, (*generator).uniform),
	method("randint(a: int, b: int) -> int", `A whole number from a to b, both included.`, func(g *generator, a, b int64) (int64, error) {
		if a > b {
			return 0, fmt.Errorf("no number from %d to %d: want the smaller one first", a, b)
		}
		n, err := g.below(uint64(b) - uint64(a) + 1)
		return a + int64(n), err
	}),
	method("choice(items: Sequence) -> object", `One of the items of a list, a tuple or a range.`, func(g *generator, v starlark.Value) (starlark.Value, error) {
		items, ok := v.(starlark.Indexable)
		_, isSequence := v.(starlark.Sequence) // a string is none
		switch {
		case !ok || !isSequence:
			return nil, fmt.Errorf("got %s, want a list, a tuple or a range: list(items) makes a list", v.Type())
		case items.Len() == 0:
			return nil, errors.New("no items")
		}
		n, err := g.below(uint64(items.Len()))
		return items.Index(int(n)), err
	}),
	method("shuffle(items: list) -> None", `Puts the items of a list in random order. sample(items, len(items)) makes a new list.`, (*generator).shuffle),
	method("sample(items: Iterable, k: int) -> list", `A new list of k of the items, each of which has the same chance, in random order. The items are read once, and no more than k are kept: games(path) and positions(path) may be of any size.`, (*generator).sample),
)

// below returns a number below n; 0 stands for 1<<64.
func (g *generator) below(n uint64) (uint64, error) {
	switch {
	case g.frozen:
		return 0, errors.New("frozen: make a generator for each item, as with random(b.hash)")
	case n == 0:
		return g.source.Uint64(), nil
	}
	return g.source.Uint64N(n), nil
}

func (g *generator) float() (float64, error) {
	n, err := g.below(1 << 53)
	return float64(n) / (1 << 53), err
}

func (g *generator) uniform(from, to starlark.Value) (float64, error) {
	a, okA := starlark.AsFloat(from)
	b, okB := starlark.AsFloat(to)
	if width := b - a; !okA || !okB || math.IsNaN(width) || math.IsInf(width, 0) {
		return 0, fmt.Errorf("%v to %v: want finite numbers", from, to)
	}
	x, err := g.float()
	return a + (b-a)*x, err
}

func (g *generator) shuffle(t *task, items *starlark.List) error {
	for n := items.Len(); n > 1; n-- {
		i, err := g.below(uint64(n))
		if err == nil {
			err = t.stopped()
		}
		last, other := items.Index(n-1), items.Index(int(i))
		if err == nil {
			err = items.SetIndex(n-1, other)
		}
		if err == nil {
			err = items.SetIndex(int(i), last)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *generator) sample(t *task, items starlark.Iterable, k int) (*starlark.List, error) {
	if k < 0 {
		return nil, fmt.Errorf("%d items: want 0 or more", k)
	}
	var kept []starlark.Value
	n := 0
	for item := range starlark.Elements(items) {
		n++
		place, err := g.below(uint64(n))
		switch {
		case err != nil:
			return nil, err
		case n <= k: // it takes any place, whose item becomes the last
			kept = append(kept, nil)
			kept[n-1] = kept[place]
			kept[place] = item
		case place < uint64(k): // it belongs to the sample with the chance k/n
			kept[place] = item
		}
		if err := t.stopped(); err != nil {
			return nil, err
		}
	}
	if err := t.stopped(); err != nil { // reading may have failed
		return nil, err
	}
	if len(kept) < k {
		return nil, fmt.Errorf("%d items: there are only %d", k, len(kept))
	}
	return starlark.NewList(kept), nil
}
