package printable

import (
	"bytes"
	"errors"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestEscape(t *testing.T) {
	for _, c := range []struct{ in, text, line string }{
		{"", "", ""},
		{"H2-E2 score cp 35", "H2-E2 score cp 35", "H2-E2 score cp 35"},
		{`a\x1b"`, `a\x1b"`, `a\x1b"`},
		{"炮二平五 café 👩‍🦰", "炮二平五 café 👩‍🦰", "炮二平五 café 👩‍🦰"},
		{"\x1b[2J\x1b]0;PWNED\a", `\x1b[2J\x1b]0;PWNED\a`, `\x1b[2J\x1b]0;PWNED\a`},
		{"a\tb\nc\r\nd", "a\tb\nc\r\nd", `a\tb\nc\r\nd`},
		{"50%\r60%\r\r\n", "50%\\r60%\\r\r\n", `50%\r60%\r\r\n`},
		{"\x00\b\x7f", `\x00\b\x7f`, `\x00\b\x7f`},
		{"\u0085\u009b2J", `\u0085\u009b2J`, `\u0085\u009b2J`},
		{"a\u202eb\u2066c\u200f\u061c", `a\u202eb\u2066c\u200f\u061c`, `a\u202eb\u2066c\u200f\u061c`},
		{"a\u2028b\u2029", `a\u2028b\u2029`, `a\u2028b\u2029`},
		{"\x9b2J\xff\xe4\xb8", `\x9b2J\xff\xe4\xb8`, `\x9b2J\xff\xe4\xb8`},
		{"\ufffd\ufeff", "\ufffd\ufeff", "\ufffd\ufeff"}, // they are in files, and do nothing
	} {
		if got := Text(c.in); got != c.text {
			t.Errorf("Text(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := Line(c.in); got != c.line {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.line)
		}
	}
}

func TestMarkup(t *testing.T) {
	const text, want = "<a b=\"c\" d='e'>&lt;\n\x1b\uffff炮", `&lt;a b=&#34;c&#34; d=&#39;e&#39;&gt;&amp;lt;\n\x1b` + "\ufffd炮"
	if got := Markup(text); got != want {
		t.Errorf("Markup(%q) = %q, want %q", text, got, want)
	}
}

// hostile draws texts with all that has to be escaped.
var hostile = rapid.Custom(func(t *rapid.T) string {
	var b []byte
	for range rapid.IntRange(0, 12).Draw(t, "parts") {
		b = append(b, rapid.SampledFrom([]string{
			"a", " ", "\\", "\t", "\n", "\r", "\r\n", "\x1b[31m", "\x7f", "\u009b", "\u202e", "\u2028", "\xff", "\xe7\x82", "\x82", "炮", "👩", "\ufffd",
		}).Draw(t, "part")...)
	}
	return string(b)
})

// TestEscapeProperties: nothing is left to obey, and escaping twice is escaping once.
func TestEscapeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := hostile.Draw(t, "in")
		line, text := Line(in), Text(in)
		if Line(line) != line || Text(text) != text || Line(text) != line {
			t.Errorf("%q is escaped to %q and %q, and then further", in, line, text)
		}
		for _, r := range line {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("Line(%q) = %q", in, line)
			}
		}
		if !utf8.ValidString(line) || !utf8.ValidString(text) {
			t.Errorf("%q is escaped to %q and %q", in, line, text)
		}
	})
}

// TestWriter: however a text is split into writes, it is written as Text has it.
func TestWriter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := hostile.Draw(t, "in")
		var out bytes.Buffer
		w := NewWriter(&out)
		for rest := in; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if written, err := w.Write([]byte(rest[:n])); written != n || err != nil {
				t.Fatalf("Write returns %d, %v for %d bytes", written, err, n)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Text(in), out.String()); diff != "" {
			t.Errorf("%q: -want +got\n%s", in, diff)
		}
	})
}

// TestWriterShowsAtOnce: a prompt has no line end.
func TestWriterShowsAtOnce(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	_, _ = w.Write([]byte("qhsh> "))
	_, _ = w.Write([]byte("\xff"))
	_, _ = w.Write([]byte("x\xe7"))
	if got := out.String(); got != `qhsh> \xffx` {
		t.Errorf("%q", got)
	}
}

func TestRaw(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	_, _ = Raw(w).Write([]byte("\x1b[K"))
	_, _ = Raw(&out).Write([]byte("\r"))
	if got := out.String(); got != "\x1b[K\r" {
		t.Errorf("%q", got)
	}
}

func TestWriterFails(t *testing.T) {
	want := errors.New("disk full")
	w := NewWriter(failing{want})
	if n, err := w.Write([]byte("a\r")); n != 0 || !errors.Is(err, want) {
		t.Errorf("Write returns %d, %v", n, err)
	}
	if err := w.Flush(); !errors.Is(err, want) {
		t.Errorf("Flush returns %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
