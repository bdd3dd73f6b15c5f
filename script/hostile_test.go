package script

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"

	"qhsh/engine/enginetest"
)

// hostileLimit is the memory limit of a hostile program in MiB. With it set all programs run,
// which takes a while.
var hostileLimit = flag.Int64("hostile", 0, "run all programs of TestHostile with a limit of so many `MiB`; 0: those of the day, with 32")

// hostilePeak is the largest allowed memory of such a process in bytes, beyond that of an empty
// program.
func hostilePeak() int64 {
	limit := *hostileLimit << 20
	return max(limit+limit/4, limit+32<<20)
}

// pile is a nested list whose text is far larger than the list itself.
const pile = "x = ['abcdefgh']\nfor i in range(30): x = [x, x]\n"

// hostile are programs that try to use far more resources than allowed.
var hostile = []struct{ name, source string }{
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
	{"int *", "x = [3 << 500]\nfor i in range(30): x.append(x[-1] * x[-1])\n"},
	{"int <<", "x = 1\ny = []\nwhile True:\n  x = x << 500\n  y.append(x)\n"},
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
	{"str of deep data", "x = []\nfor i in range(500000): x = [x]\ny = str(x)\n"},
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
	{"list.append by max", "x = []\nmax(range(1 << 40), key = x.append)\n"},
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
	{"zip", "x = [0] * 500000\ny = zip(x, x, x, x)\n"},
	{"enumerate", "x = enumerate([0] * 1500000)\n"},
	{"reversed", "x = [0] * 3000000\ny = [reversed(x), reversed(x), tuple(x), list(x)]\n"},
	{"bytes()", "x = [bytes(range(255)) * 40000 for i in range(20)]\n"},
	{"a call with *args", "def f(*args): return args\nx = [f(*range(1 << 20)) for i in range(20)]\ny = f(*range(1 << 40))\n"},
	{"a command of the shell", "def command_grow():\n  x = 'a' * 1000\n  while True: x = x + x\n"},
	{"a command that returns too much", "def command_pile():\n  x = ['abcdefgh']\n  for i in range(30): x = [x, x]\n  return x\n"},
	{"nested data", "x = []\nwhile True: x = [x]\n"},
	{"recursion", "def f(x): return f(x + ['a' * 100000])\nf([])\n"},
	{"closures", "x = [lambda: i for i in range(1 << 40)]\n"},
	{"small strings", "x = []\nwhile True: x.append(str(len(x)))\n"},
	{"table", "x = table([['a' * (1 << 20)]] + [['']] * 10000)\n"},
	{"sum", "x = [sum([1.5] * 1000000, 0.5) for i in range(20)] + [[0] * (1 << 23)]\n"},
	{"pmap", "def f(i):\n  x = 'a' * 1000\n  while True: x = x + x\npmap(f, range(64), jobs = 16)\n"},
	{"pmap that holds", "def f(i): return 'a' * (20 << 20)\nx = pmap(f, range(64), jobs = 16)\n"},
	{"pmap of pmap", "def f(x): return pmap(f, [x])\npmap(f, [0])\n"},
	{"pmap of many pmaps", "def f(x): return pmap(f, [x] * 64, jobs = 64)\npmap(f, [0])\n"},
	{"pmap that prints", "def f(i): print('a' * (1 << 20))\npmap(lambda i: [f(i) for _ in range(100)], range(64), jobs = 16)\n"},
}

// The program that a child process runs, and its memory limit in MiB.
const (
	hostileName   = "QHSH_TEST_HOSTILE"
	hostileMemory = "QHSH_TEST_HOSTILE_MEMORY"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(hostileName); name != "" {
		os.Exit(runHostile(name))
	}
	stopGrace = limitGrace // no test depends on the machine's speed
	os.Exit(enginetest.Main(m))
}

// runHostile runs the program in the child process.
func runHostile(path string) int {
	defer printPeak()
	debug.SetMaxStack(2_000_000_000)
	debug.SetGCPercent(400)
	s := newStage()
	limit, _ := strconv.ParseInt(os.Getenv(hostileMemory), 10, 64)
	s.Limits.Memory = limit << 20
	o := s.Options
	o.Open = s.open
	before := runtime.NumGoroutine()
	e := newEnv(o)
	err := e.RunFile(context.Background(), path, nil)
	for _, c := range e.Commands() {
		_, err = e.Call(context.Background(), c.Name, "")
	}
	e.Close(context.Background())
	if err != nil {
		fmt.Println(strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""))
	}
	if errors.Is(err, ErrAbandoned) {
		return 1
	}
	if !enginetest.Await(func() bool { return runtime.NumGoroutine() <= before }) {
		fmt.Println("goroutines are left")
		return 1
	}
	return 0
}

// A hostileRun is the outcome of a program in its own process.
type hostileRun struct {
	peak int64 // peak memory of the process in bytes
	said string
	err  error
}

// runApart runs a program in its own process.
func runApart(t *testing.T, source string) hostileRun {
	t.Helper()
	path := filepath.Join(t.TempDir(), "main.star")
	if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), hostileName+"="+path, hostileMemory+"="+strconv.FormatInt(*hostileLimit, 10))
	out, err := cmd.CombinedOutput()
	lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	last := len(lines) - 1
	size, sizeErr := strconv.ParseInt(lines[last], 10, 64)
	return hostileRun{size, strings.Join(lines[:last], "\n"), errors.Join(err, sizeErr)}
}

// printPeak prints the peak memory of the process in bytes.
func printPeak() {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	size, _ := strconv.Atoi(strings.Fields(rest + " 0")[0])
	fmt.Println(size << 10)
}

// TestHostile: a program that exceeds a limit ends with an error that names the place. Its process
// hardly exceeds the memory limit.
func TestHostile(t *testing.T) {
	enginetest.SkipUnderRace(t)
	if runtime.GOOS != "linux" {
		t.Skip("the peak of a process is read from /proc")
	}
	programs := hostile
	if *hostileLimit == 0 {
		programs, *hostileLimit = enginetest.Daily(12, hostile), 32
	}
	empty := runApart(t, "")
	for _, c := range programs {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			run := runApart(t, c.source)
			for range 2 { // the collector may have got a processor late
				if run.err == nil && run.peak-empty.peak > hostilePeak() {
					run = runApart(t, c.source)
				}
			}
			t.Logf("peak %d MiB: %s", (run.peak-empty.peak)>>20, shorten(run.said))
			if run.err != nil {
				t.Errorf("%v", run.err)
			}
			if over := run.peak - empty.peak; over > hostilePeak() {
				t.Errorf("peak of %d MiB beyond that of an empty program", over>>20)
			}
			if !strings.HasPrefix(run.said, "main.star:") && !strings.HasPrefix(run.said, commandPrefix) {
				t.Errorf("the program says %q", run.said)
			}
		})
	}
}

// TestThrifty: programs that use about 60 % of the limit succeed.
func TestThrifty(t *testing.T) {
	for _, source := range []string{
		"x = 'a' * (19 << 20)",
		"x = 'a' * 1000\nwhile len(x) < 8000000: x = x + x\ny = x + x[:8000000]",
		"x = [i for i in range(1 << 20)]",
		"x = [0] * 400000\nfor i in range(300000): x.append(i)",
		"x = [0] * 900000\nfor i in range(100000): x += [i]",
		"x = {i: i for i in range(100000)}\ny = {}\nfor i in range(100000): y[i] = i",
		"x = ','.join(['abcdefgh'] * 2000000)",
		"x = str(list(range(500000)))\ny = json.encode(list(range(300000)))",
		"for i in range(10): x = [0] * 600000 + [i]",
		"for i in range(10): x = 'a' * (9 << 20) + str(i)",
		"x = pmap(lambda i: 'a' * (1 << 20) + str(i), range(19), jobs = 8)",
		"x = [(i, str(i)) for i in range(120000)]\nx = sorted(x, key = lambda p: p[1])",
	} {
		s := newStage()
		s.Limits.Memory = 32 << 20
		if got := s.run(t, source+"\nprint('done')\n"); got != "done\n" {
			t.Errorf("%s\n%s", source, got)
		}
	}
}

// TestTableFull: a hash table doubles exactly when tableFull reports true.
func TestTableFull(t *testing.T) {
	var dict starlark.Dict
	for n := range 100_000 {
		before := measure("/gc/heap/allocs:bytes")
		if err := dict.SetKey(starlark.MakeInt(n), starlark.None); err != nil {
			t.Fatal(err)
		}
		const least = 1 << 10 // from this size on the table stands out from other allocations
		grown := measure("/gc/heap/allocs:bytes") - before
		if doubled := grown > 64*uint64(n); n > least && doubled != tableFull(n) {
			t.Errorf("%d bytes are allocated for entry %d, and tableFull is %v", grown, n, tableFull(n))
		}
	}
}
