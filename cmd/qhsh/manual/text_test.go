package manual_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/cmd/qhsh/manual"
)

func TestText(t *testing.T) {
	const page = "# A page\n<!-- a comment -->\n" +
		"\nText with `code`, **bold** text and a [link](x.md).\nA second line.\n\n## A heading\n" +
		"- an item\n  of two lines\n\n```console\n$ cat a\n\n  `a` | **b**\n\n```\n\n" +
		"| | |\n|---|---|\n| `a\\|b` | [x](y.md) has words that are wrapped at the width of the page |\n" +
		"| 炮二平五 | wide |\n| a cell that is wider than any column may be | next |\n\n" +
		"| name | of |\n|---|---|\n| a | b |\n"
	const want = `A page

Text with code, bold text and a <link x.md>.
A second line.

A HEADING

- an item
  of two lines

    $ cat a

      ` + "`a` | **b**" + `

  a|b       <x y.md> has words that are wrapped at
            the width of the page
  炮二平五  wide
  a cell that is wider than any column may be
            next

  name  of
  a     b
`
	refer := func(text, target string) string { return "<" + text + " " + target + ">" }
	if diff := cmp.Diff(want, manual.Text(page, 50, refer)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestCutPages: a page that ends anywhere is formatted, up to its last line.
func TestCutPages(t *testing.T) {
	const page = "# a\n\n```text\nb\n```\n| c |\n|---|\n| d |\n|\ne\n## f\n<!-- g -->\n| | |\n|--"
	for n := range page {
		text := manual.Text(page[:n], 80, func(text, _ string) string { return text })
		if n > 3 && !strings.HasPrefix(text, "a\n") {
			t.Errorf("%q: %q", page[:n], text)
		}
	}
}
