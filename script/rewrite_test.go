package script

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
	"pgregory.net/rapid"
)

// plainly runs a program unchanged or rewritten. It returns the value of its global r, or the
// error with its place.
func plainly(source string, rewritten bool) string {
	file, err := fileOptions.Parse("x", source, 0)
	if err != nil {
		return "syntax: " + err.Error()
	}
	t := testTask()
	names := starlark.StringDict{}
	if rewritten {
		rewrite(file)
		names = hiddenNames(t.env)
		for name, v := range guardedFunctions() {
			names[name] = v
		}
	}
	program, err := starlark.FileProgram(file, names.Has)
	if err != nil {
		return "names: " + err.Error()
	}
	thread, end := t.begin("x")
	defer end()
	globals, err := program.Init(thread, names)
	if err != nil {
		lines := frames(stackOf(err))
		return fmt.Sprintf("error: %v at %s", err, lines[len(lines)-1])
	}
	return fmt.Sprintf("%v %v", globals["r"], globals["log"])
}

func testTask() *task {
	e := newEnv(Options{})
	b := newRunLimits(context.Background(), Limits{Steps: 1_000_000}, nil)
	e.running.Store(b)
	return &task{ctx: context.Background(), env: e, run: b, scope: e.scope, out: e.console}
}

// corpus has programs that the rewriting affects.
var corpus = []string{
	"r = 2 * 3", "r = 3 * 'ab'", "r = 'ab' * 3 * 2", "r = [1] * 3", "r = 5 * (1, 2)", "r = 2.5 * 4", "r = 1 * [0] * 5",
	"r = 7 * 7 * 7 - 3 * -4", "x = 7\nx *= 3\nr = x", "x = [1]\ny = x\nx *= 3\nr = (x, y)", "x = {'a': 'b'}\nx['a'] *= 4\nr = x",
	"log = []\ndef f(x):\n  log.append(x)\n  return x\nr = f(3) * f('a')\n", "log = []\ndef f(x):\n  log.append(x)\n  return x\na = [1, [2]]\na[f(1)] *= f(3)\nr = a",
	"r = ','.join(['a', 'b'])", "j = '-'.join\nr = j(('a', 'b'))", "r = 'a,b'.split(',')", "r = ' a  b '.split()", "r = 'a b c'.rsplit(' ', 1)",
	"r = 'a\\nb'.splitlines(True)", "r = 'aXbX'.replace('X', 'yy', 1)", "r = getattr('a,b', 'split')(',')", "r = type('a'.join), str('a'.join)",
	"r = ','.join([1])", "r = ','.join(3)", "r = 'a'.split('')", "r = [].split(',')", "r = None.join", "r = 3 * None", "r = {} * 3",
	"x = None\nx *= 2", "x = 3\nx *= 'a'\nr = x", "r = [x * y for x in range(3) for y in range(4) if x * y % 2 == 0]",
	"r = {k * 3: v * 2 for k, v in [('a', 1)]}", "r = (lambda x, y = 3 * 4: x * y)(5)", "def f(x = 3 * 3, *a, **k):\n  return x * 5, a, k\nr = f(*[1 * 3], **{'b' * 3: 2})",
	"r = f'x' if False else 0", "x = [1, 2, 3]\nx[0 * 3], x[1] = 4 * 4, 5\nr = x", "for i in range(3 * 2): r = i", "r = [1, 2, 3, 4][1 * 1:3 * 1:1 * 1]",
	"i = 0\nwhile i * 3 < 10: i += 1\nr = i", "def f():\n  return 'a' * 3\nr = f()", "r = -3 * 'a' + 'b'", "r = 10 // 3 * 3 + 10 % 3", "r = 1 << 3 * 3",
	"r = (1 << 100) * (1 << 100)", "r = (1 << 511) * 0", "r = 3 * True", "r = not 3 * 0 == 0 and 1", "r = [*[]]", "r = range(10)[3 * 1:9][::2]",
	"r = range(3) == range(0, 3, 1), 2 in range(3), len(range(5)), str(range(1, 9, 3)), type(range(1))", "r = list(range(5)), tuple(range(2)), sorted([2, 1]), zip([1], [2]), enumerate('ab'.elems()), reversed([1, 2])",
	"r = list('a')", "r = sorted(3)", "r = [x.split(',')[0].join(['1', '2']) for x in ['a,b']]", "r = bytes([1, 2]), list(b'ab'.elems())", "r = range(1, 2, 0)", "r = {}[range(3)]",
	"x = '%s-%s'\nx %= (1, [2])\nr = x", "x = 1\nx <<= 70\nr = x", "x = [7]\nx[0] %= 4\nx[0] <<= 3\nr = x", "x = {'a': '%r'}\nx['a'] %= 'b'\nr = x",
	"x = [1]\ny = x\nx += [2]\nx += (3,)\nx += range(2)\nx += x\nr = x, y", "x = [[1]]\ny = x[0]\nx[0] += [2]\nr = x, y", "x = (1,)\ny = x\nx += (2,)\nr = x, y",
	"x = [1]\nfor i in x: x += [1]", "x = [1]\nx += 5", "x = [1]\nx += 'ab'", "x = 'a'\nx += ['b']", "x = 'a'\nx += 'b'\nr = x", "x = b'a'\nx += b'b'\nr = x",
	"x = {1: 2}\ny = x\nx |= {3: 4}\nr = x, y", "x = {1: 2}\nfor i in x: x |= {3: 4}", "x = {1: 2}\nx |= [3]", "x = set([1, 2])\nx |= set([3])\nx &= set([2, 3])\nx ^= set([5])\nx -= set([2])\nr = x",
	"r = {1: 2} | {3: 4}, set([1]) | set([2]), set([1, 2]) - set([1]), set([1, 2]) & set([2]), set([1]) ^ set([2])", "r = set([1]) | [2]", "r = 1 | 2, 6 & 3, 5 ^ 1, 1 << 40 << 40, -1 << 3", "r = 1 << -1", "r = 1 << 600", "r = 'a' << 1",
	"r = '%s %r %d %%' % ('a', 'a', 3)", "r = '%(a)s%(a)r' % {'a': 'x'}", "r = '%s' % [1, 'a']", "r = '%d' % 'a'", "r = '%s %s' % 1", "r = '%s' % (1, 2)", "r = '%' % 1", "r = '%z' % 1",
	"r = '{} {}'.format('a', [1]), '{1} {0!r}'.format('a', 2), '{x}'.format(x = (1,)), '{{}}'.format()", "r = '{} {0}'.format(1)", "r = '{'.format(1)", "r = '{a.b}'.format(a = 1)", "r = '{}'.format()",
	"r = str([1, 'a\\n', (2,), {3: None}, set([4]), b'x', 1.5, len, struct2]) if False else str([1, 'a\\n', (2,), (), {3: None}, {}, set([4]), set(), b'x', 1.5, True, len, 'a'.upper])",
	"x = [1]\nx.append(x)\ny = {1: x}\ny[2] = y\nr = repr(x), str(y), str('\\x00é\\u200b\"'), repr('é' * 3000), repr(b'\\xff' * 5000), str('ab'.elems()), repr('ab'.codepoints()), str(b'ab'.elems()), str(b'\\xff')",
	"r = str()", "r = str(1, 2)", "r = repr()", "r = str(x = 1)", "fail('a', [1], sep = '-')", "fail(1, b'x')", "r = int('x')", "r = float('1.5'), int('ff', 16)",
	"x = []\nx.append(1)\nx.insert(0, 2)\nx.extend('ab'.elems())\nx.extend(x)\nr = x", "x = [1]\nfor i in x: x.append(2)", "x = [1]\nfor i in x: x.extend([2])", "x = [].append", "x = []\nx.append(1, 2)", "x = []\nx.extend(3)", "x = {}\nx.setdefault(1, 2)\nx.update([(3, 4)], a = 5)\nx.update({6: 7})\nr = x, x.items(), x.keys(), x.values()",
	"x = {1: 2}\nfor i in x: x[3] = 4", "x = {}\nx[[]] = 1", "x = 3\nx[0] = 1", "x = set([1])\nx.add(2)\nr = x, x.union([3]), x.difference([1]), x.intersection([1]), x.symmetric_difference([1, 5])",
	"x = [1, 2, 3, 4]\nr = x[1:], x[::-1], x[:2], 'abcd'[::2], (1, 2)[1:], range(9)[::3]", "r = {}[1:2]", "r = [1][::0]", "def f(*a, **k): return a, k\nr = f(*[1], **{'b': 2}), f(*range(3))", "def f(*a): return a\nr = f(*3)", "def f(**k): return k\nr = f(**[1])",
	"r = [x + y for x in range(3) if x for y in range(3) if y], [a for (a, b) in [(1, 2)]], [[j for j in range(i)] for i in range(3)], {k: v for k, v in [(1, 2)]}, [(lambda: i)() for i in range(3)]", "r = [x for x in 3]", "r = [a for a, b in [1]]", "r = [x for x in range(3) if x.a]", "r = {[]: x for x in [1]}", "x = [1]\nr = [x.append(y) for y in x]",
	"r = 'Ab c'.upper(), 'Ab c'.lower(), 'ab cd'.title(), 'ab'.capitalize()", "r = hasattr('a', 'join'), getattr([], 'append'), dir('')[0]", "r = 'a'.foo", "r = [].join('a')", "r = 'a'.append(1)", "r = sorted([3, 1, 2], key = lambda x: -x), max([1, 3], key = lambda x: -x), min(2, 1)", "r = sorted([1, 'a'])", "r = sorted([1], key = lambda x: x.y)",
	"r = bool(range(0)), list(range(2000)) == [x for x in range(2000)]", "x = struct\nr = 1", "r = 'x'.join('a' * 3 for y in [])",
}

// TestRewritingChangesNothing: with and without rewriting, a program returns the same value or
// fails with the same error at the same place.
func TestRewritingChangesNothing(t *testing.T) {
	for _, source := range corpus {
		if a, b := plainly(source, false), plainly(source, true); a != b {
			t.Errorf("%q: %s\nrewritten: %s", source, a, b)
		}
	}
}

// TestRewritingExpressions does the same with random expressions.
func TestRewritingExpressions(t *testing.T) {
	var expr func(*rapid.T, int) string
	expr = func(t *rapid.T, depth int) string {
		atoms := []string{"0", "1", "2", "3", "-1", "2.5", "'ab'", "','", "[1, 2]", "(3,)", "b'x'", "None", "True", "{}", "x", "range(3)", "[]", "''", "1 << 70"}
		if depth == 0 {
			return rapid.SampledFrom(atoms).Draw(t, "atom")
		}
		sub := func() string { return expr(t, rapid.IntRange(0, depth-1).Draw(t, "depth")) }
		switch rapid.IntRange(0, 8).Draw(t, "kind") {
		case 0, 1, 2:
			return "(" + sub() + " * " + sub() + ")"
		case 3:
			return "(" + sub() + rapid.SampledFrom([]string{" + ", " - ", " % ", " // ", " in ", " == ", " and "}).Draw(t, "op") + sub() + ")"
		case 4:
			return sub() + ".join(" + sub() + ")"
		case 5:
			return sub() + rapid.SampledFrom([]string{".split", ".replace", ".rsplit", ".splitlines", ".upper"}).Draw(t, "method") + "(" + sub() + ")"
		case 6:
			return "[" + sub() + " for x in " + sub() + "]"
		case 7:
			return "(lambda x: " + sub() + ")(" + sub() + ")"
		}
		return rapid.SampledFrom([]string{"list", "sorted", "str", "len", "tuple", "reversed"}).Draw(t, "fn") + "(" + sub() + ")"
	}
	rapid.Check(t, func(t *rapid.T) {
		source := "x = 'q'\nr = " + expr(t, 4) + "\n"
		if a, b := plainly(source, false), plainly(source, true); a != b {
			t.Fatalf("%q: %s\nrewritten: %s", source, a, b)
		}
	})
}

// FuzzScript runs any text with small limits: it may fail, but must not panic, hang or keep
// memory. Then it runs the text with and without rewriting.
func FuzzScript(f *testing.F) {
	for _, source := range corpus {
		f.Add(source)
	}
	f.Add("b = board()\nfor m in b.legal_moves:\n  b.push(m)\n  emit(b)\n  b.pop()\nr = pmap(lambda m: board().play(m).fen, b.legal_moves)\n")
	f.Add("r = table([[1, 'a'], [2]])\nhelp(board)\nx = score(cp = 3) < -score(mate = 2)\n")
	f.Add("load('@qhsh//blunders.star', 'blunders')\nprint(blunders)\n")
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 1<<12 {
			return
		}
		s := newStage()
		s.Limits = Limits{Steps: 20_000, Time: 5 * time.Second, Memory: 64 << 20}
		_, err := s.try(t, t.Context(), source)
		if err != nil && (strings.Contains(err.Error(), "internal error") || strings.Contains(err.Error(), ErrAbandoned.Error())) {
			t.Errorf("%q: %v", source, err)
		}
		rewriteTwice(t, source)
	})
}

// rewriteTwice rewrites a program, and checks that no guarded operation is left unmarked.
func rewriteTwice(t *testing.T, source string) {
	file, err := fileOptions.Parse("x", source, 0)
	if err != nil {
		return
	}
	rewrite(file)
	if _, err := starlark.FileProgram(file, func(string) bool { return true }); err != nil {
		return // an error such as 7 * 7 = 0
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		e, ok := n.(*syntax.BinaryExpr)
		if !ok || !guardedOps[e.Op] || harmless(e.Op, e.X) || harmless(e.Op, e.Y) || isLiteral(e.X) && isLiteral(e.Y) {
			return true
		}
		if !isMarked(e.X) && !isMarked(e.Y) {
			t.Errorf("%q: an operand is not marked", source)
		}
		return true
	})
}

// isMarked reports whether an operand has a mark.
func isMarked(e syntax.Expr) bool {
	index, ok := e.(*syntax.IndexExpr)
	if !ok {
		return false
	}
	name, ok := index.X.(*syntax.Ident)
	return ok && strings.TrimSuffix(name.Name, localSuffix) == operandName
}

func TestHarmless(t *testing.T) {
	for _, c := range []struct {
		op     syntax.Token
		source string
		want   bool
	}{
		{syntax.PLUS, "2", true},
		{syntax.PLUS, "1.5", true},
		{syntax.PLUS, "x", false},
		{syntax.PLUS, "'a'", false},
		{syntax.MINUS, "1", true},
		{syntax.STAR, "2", false},
		{syntax.STAR, "1.5", true},
		{syntax.STAR_EQ, "2", false},
		{syntax.PERCENT, "2", false},
		{syntax.LTLT, "500", false},
		{syntax.PLUS_EQ, fmt.Sprint(math.MaxInt64), true},
	} {
		expr, err := fileOptions.ParseExpr("x", c.source, 0)
		if err != nil || harmless(c.op, expr) != c.want {
			t.Errorf("%s %s: %v, %v", c.op, c.source, harmless(c.op, expr), err)
		}
	}
}
