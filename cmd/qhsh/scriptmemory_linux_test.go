package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/script/confine"
)

var allHostile = flag.Bool("hostile", false, "run all paths of TestHostile and programs of TestScriptMemory and TestHostileScripts, not only those of the day")

// pile is a nested list whose text is far larger than the list itself.
const pile = "x = ['abcdefgh']\nfor i in range(30): x = [x, x]\n"

// hostile are programs that try to use far more resources than allowed.
var hostileScripts = []struct{ name, source string }{
	{"str + str", "x = 'a' * 1000\nwhile True: x = x + x\n"},
	{"str +=", "x = 'a' * 1000\nwhile True: x += x\n"},
	{"bytes +", "x = b'a' * 1000\nwhile True: x = x + x\n"},
	{"list + list", "x = [1]\nwhile True: x = x + x\n"},
	{"list +=", "x = [1]\nwhile True: x += x\n"},
	{"list += range", "x = []\nx += range(1 << 40)\n"},
	{"list += of a field", "x = {'a': [1]}\nwhile True: x['a'] += x['a']\n"},
	{"tuple + tuple", "x = (1,)\nwhile True: x = x + x\n"},
	{"tuple +=", "x = (1,)\nwhile True: x += x\n"},
	{"str *", "x = ['a' * (60 << 20), 'a' * (60 << 20)]\n"},
	{"str *=", "x = 'ab'\nwhile True: x *= 3\n"},
	{"list *", "x = [[0] * 3000000 for i in range(10)]\n"},
	{"dict |", "n, x = 1, {0: 0}\nwhile True:\n  x = x | {k + n: 0 for k in x}\n  n += n\n"},
	{"dict |=", "n, x = 1, {0: 0}\nwhile True:\n  x |= {k + n: 0 for k in x}\n  n += n\n"},
	{"set |", "x = set(range(1 << 18))\ny = []\nwhile True: y.append(x | x)\n"},
	{"set - & ^", "x = set(range(1 << 18))\ny = []\nwhile True: y.extend([x - set(), x & x, x ^ set()])\n"},
	{"str % str", "x = 'a' * 1000\nwhile True: x = '%s%s' % (x, x)\n"},
	{"str % pile", pile + "x = '%s' % [x]\n"},
	{"str % dict", "x = '%(a)s' * 100000 % {'a': 'a' * 100000}\n"},
	{"str %=", "x = '%s' * 1000000\nx %= tuple(['a' * 1000] * 1000000)\n"},
	{"str()", pile + "y = str(x)\n"},
	{"repr()", pile + "y = repr(x)\n"},
	{"repr of a dict", "x = {'k': 'abcdefgh'}\nfor i in range(30): x = {'a': x, 'b': x}\ny = repr(x)\n"},
	{"repr of a tuple", "x = ('abcdefgh',)\nfor i in range(30): x = (x, x)\ny = repr(x)\n"},
	{"repr of a struct", "x = struct(a = 'abcdefgh')\nfor i in range(30): x = struct(a = x, b = x)\ny = repr(x)\n"},
	{"repr of a long str", "x = repr('\\n' * (50 << 20))\n"},
	{"repr of the repr", "x = '\\\\'\nwhile True: x = repr(x)\n"},
	{"str of bytes", "x = str(b'\\xff' * (45 << 20))\n"},
	{"print", pile + "print(x)\n"},
	{"log", pile + "log(x)\n"},
	{"fail", pile + "fail(x)\n"},
	{"emit", pile + "emit(x)\n"},
	{"format()", pile + "y = format(x)\n"},
	{"str.format", pile + "y = '{}{}'.format(x, x)\n"},
	{"str.format of one", "x = 'a' * 100000\ny = ('{0}' * 10000).format(x)\n"},
	{"str.join", "x = ','.join(['a' * 1000000] * 1000)\n"},
	{"str.join of a dict", "x = ('a' * 1000000).join({str(i): 0 for i in range(1000)})\n"},
	{"str.join of elems", "x = ('a' * 100000).join(('b' * 10000).elems())\n"},
	{"str.replace", "x = ('a' * 10000).replace('a', 'b' * 100000)\n"},
	{"str.split", "x = (',' * 30000000).split(',')\n"},
	{"str.splitlines", "x = ('\\n' * 30000000).splitlines()\n"},
	{"str.upper", "x = 'a' * (25 << 20)\ny = [x.upper(), x.title(), x.capitalize(), x.lower(), x.upper()]\n"},
	{"str slices", "x = 'a' * (20 << 20)\ny = [x[::-1] for i in range(20)]\n"},
	{"list slices", "x = [0] * 1000000\ny = [x[:] for i in range(20)]\n"},
	{"list of elems", "x = list(('a' * (20 << 20)).elems())\n"},
	{"json.encode", pile + "y = json.encode(x)\n"},
	{"json.encode_indent", "x = [1]\nfor i in range(17): x = [x, x]\ny = json.encode_indent(x, indent = ' ' * 100)\n"},
	{"json.indent", "x = json.indent('[' * 900 + '1' + ']' * 900, indent = ' ' * 10000)\n"},
	{"json.decode", "x = json.decode('[' + '{},' * 3000000 + '{}]')\n"},
	{"list.append", "x = []\nwhile True: x.append(1)\n"},
	{"list.append by a variable", "x = []\nadd = x.append\nwhile True: add(1)\n"},
	{"list.append by sorted", "x = []\nsorted([0] * 1000000, key = lambda _: x.append([0] * 100))\n"},
	{"list.extend", "x = []\nx.extend(range(1 << 40))\n"},
	{"list.extend by itself", "x = [1]\nwhile True: x.extend(x)\n"},
	{"list.insert", "x = [0] * 1700000\nwhile True: x.insert(len(x), 1)\n"},
	{"a comprehension", "x = [i for i in range(1 << 40)]\n"},
	{"comprehensions within", "x = [[j for j in range(i)] for i in range(1 << 40)]\n"},
	{"a comprehension of loops", "x = [(i, j) for i in range(1 << 20) for j in range(1 << 20) if i != j]\n"},
	{"a dict comprehension", "x = {i: i for i in range(1 << 40)}\n"},
	{"dict[]", "x = {}\nfor i in range(1 << 40): x[i] = i\n"},
	{"dict.update", "x = {}\nfor i in range(1 << 40): x.update([(i, i)])\n"},
	{"dict.setdefault", "x = {}\nfor i in range(1 << 40): x.setdefault(i, i)\n"},
	{"dict()", "x = dict([(i, i) for i in range(300000)])\ny = [dict(x) for i in range(100)]\n"},
	{"dict.items", "x = {i: i for i in range(200000)}\ny = [x.items() for i in range(100)]\n"},
	{"dict.keys", "x = {i: i for i in range(200000)}\ny = [x.keys() + x.values() for i in range(100)]\n"},
	{"set()", "x = set(range(1 << 40))\n"},
	{"set.add", "x = set()\nfor i in range(1 << 40): x.add(i)\n"},
	{"set.union", "x = set([1])\ny = x.union(range(1 << 40))\n"},
	{"set.update", "x = set([1])\nx.update(range(1 << 40))\n"},
	{"sorted", "x = sorted(range(1 << 22), key = lambda x: -x)\n"},
	{"zip", "x = [0] * 1500000\ny = zip(x, x, x, x)\n"},
	{"enumerate", "x = enumerate([0] * 1500000)\n"},
	{"reversed", "x = [0] * 3000000\ny = [reversed(x), reversed(x), tuple(x), list(x)]\n"},
	{"bytes()", "x = [bytes(range(255)) * 40000 for i in range(20)]\n"},
	{"a call with *args", "def f(*args): return args\nx = [f(*range(1 << 20)) for i in range(20)]\ny = f(*range(1 << 40))\n"},
	{"closures", "x = [lambda: i for i in range(1 << 40)]\n"},
	{"small strings", "x = []\nwhile True: x.append(str(len(x)))\n"},
	{"table", "x = table([['a' * (1 << 20), 'b']] + [['', 'c']] * 10000)\n"},
	{"sum", "x = [sum([1.5] * 1000000, 0.5) for i in range(20)] + [[0] * (1 << 23)]\n"},
	{"pmap", "def f(i):\n  x = 'a' * 1000\n  while True: x = x + x\npmap(f, range(64), jobs = 16)\n"},
	{"pmap that holds", "def f(i): return 'a' * (20 << 20)\nx = pmap(f, range(64), jobs = 16)\n"},
	{"pmap that prints", "def f(i): print('a' * (1 << 20))\npmap(lambda i: [f(i) for _ in range(100)], range(64), jobs = 16)\n"},
}

// growing are programs of which each holds more and more in another way.
var growing = []struct{ name, source string }{
	{"a list", "x = []\nwhile True: x.append([0])\n"},
	{"a string", "x = 'a' * 1000\nwhile True: x += x\n"},
	{"a string, slowly", "x = ''\nwhile True: x += 'b' * 1000000\n"},
	{"a range", "x = list(range(1 << 40))\n"},
	{"a range beyond any memory", "x = list(range(1 << 50))\n"},
	{"a list at once", "x = [0] * (1 << 29)\n"},
	{"nested comprehensions", "x = [[j for j in range(i)] for i in range(1 << 40)]\n"},
	{"a dict", "x = {}\nfor i in range(1 << 40): x[i] = i\n"},
	{"bytes of a big read", "x = []\nfor line in lines('big'): x.append(bytes(line))\n"},
}

// peakOfScript runs a script under a limit, in a folder with a file of 100 MB, big. It returns the peak
// memory of its process in bytes, and what it said.
func peakOfScript(t *testing.T, limit, source string) (peak int64, said string) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.star"), source)
	if strings.Contains(source, "'big'") {
		write(t, filepath.Join(dir, "big"), strings.Repeat(strings.Repeat("a", 999_999)+"\n", 100))
	}
	bytes, said := peakOf(t, dir, []string{"run", "-max-memory", limit, "main.star"})
	return int64(bytes), said
}

// TestScriptMemory: what grows ends as an error of the script, in the programs of the day. The peak of its process beyond that of an
// empty script is at most the limit, the room of the runtime, and an arena, of which Go can fill what it
// has reserved.
func TestScriptMemory(t *testing.T) {
	enginetest.SkipUnderRace(t)
	const limit = 64 << 20
	empty, _ := peakOfScript(t, "64MiB", "")
	programs := growing
	if !*allHostile {
		programs = enginetest.Daily(3, growing)
	}
	for _, c := range programs {
		t.Run(c.name, func(t *testing.T) {
			checkOutOfMemory(t, "64MiB", c.source, empty+limit+confine.Room(limit)+64<<20)
		})
	}
}

// TestHostileScripts is the same for more programs, those of the day.
func TestHostileScripts(t *testing.T) {
	enginetest.SkipUnderRace(t)
	programs := hostileScripts
	if !*allHostile {
		programs = enginetest.Daily(12, hostileScripts)
	}
	const limit = 32 << 20
	empty, _ := peakOfScript(t, "32MiB", "")
	for _, c := range programs {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			checkOutOfMemory(t, "32MiB", c.source, empty+limit+confine.Room(limit)+64<<20)
		})
	}
}

func checkOutOfMemory(t *testing.T, limit, source string, most int64) {
	t.Helper()
	peak, said := peakOfScript(t, limit, source)
	t.Logf("peak %d MiB, at most %d: %.200s", peak>>20, most>>20, said)
	first, _, _ := strings.Cut(said, "\n")
	if !strings.HasPrefix(first, "qhsh run: main.star:") || !strings.Contains(first, "out of memory") || strings.Contains(said, "goroutine ") {
		t.Errorf("it says %.2000q", said)
	}
	if peak > most {
		t.Errorf("peak of %d MiB, want at most %d", peak>>20, most>>20)
	}
}

// TestThriftyScripts: programs that need about half of the limit succeed.
func TestThriftyScripts(t *testing.T) {
	enginetest.SkipUnderRace(t)
	for _, source := range []string{
		"x = 'a' * (16 << 20)",
		"x = [i for i in range(1 << 19)]",
		"x = [0] * 400000\nfor i in range(100000): x.append(i)",
		"x = {i: i for i in range(60000)}",
		"x = ','.join(['abcdefgh'] * 500000)",
		"for i in range(20): x = [0] * 250000 + [i]",
		"for i in range(100): x = 'a' * (3 << 20) + str(i)",
		"x = pmap(lambda i: 'a' * (1 << 20) + str(i), range(15), jobs = 8)",
	} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if _, said := peakOfScript(t, "32MiB", source+"\nprint('done')\n"); said != "done\n" {
				t.Errorf("%s\n%q", source, said)
			}
		})
	}
}

// TestConfined: the limits of a script's process do not hold for its engines, which a shell shows here,
// and what the script's process writes to /dev/stderr comes through.
func TestConfined(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "engine"), "#!/bin/sh\n{ ulimit -d; ulimit -v; env | grep -c -e QHSH_CONFINED -e QHSH_ENGINE_LIMITS; } >limits\nexec fakeplugin \"$@\"\n")
	write(t, filepath.Join(dir, "main.star"), "print(engine().best(board()).move)\n")
	if err := os.Chmod(filepath.Join(dir, "engine"), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("qhsh", "run", "-max-memory", "64MiB", "-trace", "/dev/stderr", "-engine", "./engine -plugin", "main.star")
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	limits, _ := os.ReadFile(filepath.Join(dir, "limits"))
	if err != nil || len(out) == 0 || !strings.Contains(stderr.String(), "AI") && !strings.Contains(stderr.String(), "HINTS") {
		t.Errorf("%v: %q, %q", err, out, stderr.String())
	}
	if string(limits) != "unlimited\nunlimited\n0\n" {
		t.Errorf("the engine's limits are %q", limits)
	}
}

// TestKilledParent: a script and its engine end with the process that the user has started.
func TestKilledParent(t *testing.T) {
	p := startScript(t, "e = engine()\nprint('go')\ne.best(board())\n", "-engine", "fakeplugin -plugin -hang")
	if line := p.line(t); line != "go\n" {
		t.Errorf("line %q", line)
	}
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for { // ends when the script's process has gone, too, which has the other end
		if _, err := p.lines.ReadString('\n'); err != nil {
			break
		}
	}
	_ = p.cmd.Wait()
}
