package script

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestLimits: exceeding a limit is an error that names the limit and the place.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"steps", "x = 0\nwhile True:\n  x += 1\n", "main.star:3:5: too many steps: the limit is 3000000 (-max-steps)"},
		{"recursion", "def f(x):\n  return f(x + 1)\nf(0)\n", "main.star:2:12: calls nested more than 10000 deep: infinite recursion?"},
		{"mutual recursion", "def f(x):\n  return g(x + 1)\ndef g(x):\n  return f(x)\nf(0)\n", "deep: infinite recursion?"},
		{"recursion through sorted", "def f(x):\n  return sorted([1, 2], key = f)\nf(0)\n", "deep: infinite recursion?"},
		{"a long string", "x = 'a' * (1 << 40)\n", "main.star:1:9: repeat count 1099511627776 too large"},
		{"a long string, by its length first", "x = (1 << 30) * 'a'\n", "main.star:1:15: *: the result needs 1 GiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"a long list", "x = [0] * (1 << 29)\n", "main.star:1:9: *: the result needs 8 GiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"a long tuple, in place", "x = (0, 1)\nx *= 1 << 29\n", "main.star:2:3: *: the result needs 16 GiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"long bytes", "b = {0: b'ab'}\nb[0] *= 1 << 29\n", "main.star:2:6: *: the result needs 1 GiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"a long number", "x = 3\nfor i in range(100): x = x * x\n", "main.star:2:28: *: integer of 1661954 bits, more than 1048576"},
		{"join", "s = 'a' * 1000000\n','.join([s] * 1000)\n", "main.star:2:9: join: the result needs 953.7 MiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"join with a long string", "s = 'a' * 1000000\ns.join(['a'] * 1000)\n", "main.star:2:7: join: the result needs 952.7 MiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"join by getattr", "s = 'a' * 1000000\ngetattr(',', 'join')([s] * 1000)\n", "main.star:2:21: join: the result needs 953.7 MiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"join by a variable", "s = 'a' * 1000000\nj = ','.join\nj([s] * 1000)\n", "main.star:3:2: join: the result needs 953.7 MiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"replace", "s = 'a' * 100000\ns.replace('a', s)\n", "main.star:2:10: replace: the result needs 9.313 GiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"replace of nothing", "s = 'a' * 100000\ns.replace('', s)\n", "main.star:2:10: replace: the result needs 9.313 GiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"split", "s = ',' * 10000000\ns.split(',')\n", "main.star:2:8: split: the result needs 457.8 MiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"a list of a range", "list(range(1 << 40))\n", "main.star:1:5: list: the result needs 16 TiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"enumerate", "enumerate(range(1 << 40))\n", "main.star:1:10: enumerate: the result needs 80 TiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"zip", "zip(range(1 << 40), range(1 << 40))\n", "main.star:1:4: zip: the result needs 160 TiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"sorted", "sorted(range(1 << 40))\n", "main.star:1:7: sorted: the result needs 48 TiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"sorted by name", "sorted(iterable = range(1 << 40))\n", "main.star:1:7: sorted: the result needs 48 TiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"what is emitted", "x = [1]\nfor i in range(40): x = [x, x]\nemit(x)\n", "main.star:3:5: emit: the result needs 76 MiB, more than the script's limit of 64 MiB (-max-memory)"},
		{"bytes", "bytes(range(1 << 40))\n", "main.star:1:6: bytes: the result needs 1 TiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"a set that grows", "set(range(1 << 40))\n", "main.star:1:4: set: the result needs 160 TiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"a list that grows", "x = []\nx.extend(range(1 << 40))\n", "main.star:2:9: extend: the result needs 16 TiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"a list that doubles", "x = [1]\nwhile True: x = x + x\n", "main.star:2:19: +: out of memory: another 32 MiB would exceed the script's limit of 32 MiB (-max-memory)"},
		{"a string that doubles", "x = 'a'\nwhile True: x += x\n", "main.star:2:15: +: out of memory: another 32 MiB would exceed the script's limit of 32 MiB (-max-memory)"},
		{"nested data", "x = []\nfor i in range(1 << 40): x = [x]\n", "out of memory: the script uses more than 32 MiB (-max-memory)"},
		{"engines", "x = [engine() for i in range(1000000)]\n", "main.star:1:12: engine \"builtin\": 64 engines are open, which is the maximum: close() some"},
		{"an engine's memory", "engine('builtin,hash=60000')\n", "main.star:1:7: engine \"builtin,hash=60000\": builtin,hash=60000: the result needs 58.59 GiB, more than the script's limit of 32 MiB (-max-memory)"},
		{"another engine", "engine('./other -plugin')\n", "main.star:1:7: engine \"./other -plugin\": not allowed for scripts: add -allow-engine './other -plugin'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage()
			s.Limits = Limits{Memory: 32 << 20}
			if c.name == "what is emitted" {
				s.Limits.Memory = 64 << 20
			}
			if c.name == "steps" {
				s.Limits.Steps = 3_000_000
			}
			var err error
			runtime.GC() // the garbage of other cases
			inTime(t, func() { _, err = s.try(t, t.Context(), c.source) })
			if err == nil {
				t.Fatal("no error")
			}
			first, _, _ := strings.Cut(err.Error(), "\n")
			if first != c.want && (strings.HasPrefix(c.want, "main.star") || !strings.HasPrefix(first, "main.star:") || !strings.HasSuffix(first, c.want)) {
				t.Errorf("error %s\nwant  %s", first, c.want)
			}
		})
	}
}

// TestTimeLimit stops an endless loop by its time limit.
func TestTimeLimit(t *testing.T) {
	s := newStage()
	s.Limits.Time = 20 * time.Millisecond
	var err error
	inTime(t, func() { _, err = s.try(t, t.Context(), "while True: pass\n") })
	if err == nil || !strings.HasSuffix(err.Error(), ": out of time: the limit is 20ms (-max-time)") {
		t.Errorf("error %v", err)
	}
}

// TestGarbageIsNoMemory: values that a script no longer refers to do not count.
func TestGarbageIsNoMemory(t *testing.T) {
	s := newStage()
	s.Limits.Memory = 32 << 20
	check(t, s, "for i in range(20):\n    x = [0] * 1000000\nprint(len(x))\n", "1000000\n")
}

// TestStepsAreOnePool: the threads of pmap share the steps, and return unused ones.
func TestStepsAreOnePool(t *testing.T) {
	s := newStage()
	s.Limits.Steps = 50_000
	check(t, s, "print(len(pmap(lambda x: x + 1, range(1000), jobs = 3)))\n", "1000\n")
	got := s.run(t, "def f(x):\n  for i in range(2000): pass\npmap(f, range(1000), jobs = 3)\n")
	if !strings.Contains(got, "too many steps: the limit is 50000 (-max-steps)\n") {
		t.Error(got)
	}
}
