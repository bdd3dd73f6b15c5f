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
		{"a list that grows", "x = []\nwhile True: x.append([0])\n", "out of memory: the script uses more than 32 MiB (-max-memory)"},
		{"more than any memory", "x = list(range(1 << 50))\n", "main.star: out of memory: the script uses more than 32 MiB (-max-memory)"},
		{"nested data", "x = []\nfor i in range(1 << 40): x = [x]\n", "out of memory: the script uses more than 32 MiB (-max-memory)"},
		{"engines", "x = [engine() for i in range(1000000)]\n", "main.star:1:12: engine \"builtin\": 64 engines are open, which is the maximum: close() some"},
		{"an engine's memory", "engine('builtin,hash=60000')\n", "main.star:1:7: engine \"builtin,hash=60000\": needs 58.59 GiB of memory, more than the script's limit of 32 MiB (-max-memory)"},
		{"another engine", "engine('./other -plugin')\n", "main.star:1:7: engine \"./other -plugin\": not allowed for scripts: add -allow-engine './other -plugin'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage()
			s.Limits = Limits{Memory: 32 << 20}
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
