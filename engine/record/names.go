package record

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	fold "golang.org/x/text/width"
)

//go:embed variants.txt
var variantsText string

// A hanVariant is a simplified character; ambiguous if it stands for several of traditional texts.
type hanVariant struct {
	simplified rune
	ambiguous  bool
}

// hanVariants returns what simplified characters the others stand for.
var hanVariants = sync.OnceValue(func() map[rune]hanVariant {
	variants := map[rune]hanVariant{}
	for line := range strings.Lines(variantsText) {
		chars := []rune(strings.TrimSpace(line))
		if chars[0] == '#' {
			continue
		}
		for _, char := range chars {
			variants[char] = hanVariant{chars[0], len(chars) > 2}
		}
	}
	return variants
})

// NameKey returns a text by which names are compared, and which is not for output: without regard to case, width, spaces
// between Chinese characters, and simplified or traditional characters.
func NameKey(name string) string {
	name = fold.Fold.String(JoinHan(strings.TrimSpace(name)))
	return strings.Map(func(r rune) rune {
		if v, ok := hanVariants()[r]; ok {
			return v.simplified
		}
		return unicode.ToLower(r)
	}, name)
}

// JoinHan removes the spaces between Chinese characters, and makes other spaces one.
func JoinHan(text string) string {
	var b strings.Builder
	space, last := false, rune(0)
	for _, r := range text {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space && !(unicode.Is(unicode.Han, last) && unicode.Is(unicode.Han, r)) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		space, last = false, r
	}
	return b.String()
}

// areAmbiguous reports whether two names with the same key may be different ones: where they differ, a character stands for
// several of traditional texts.
func areAmbiguous(a, b string) bool {
	others := []rune(JoinHan(b))
	for i, r := range []rune(JoinHan(a)) {
		if i < len(others) && r != others[i] && hanVariants()[r].ambiguous {
			return true
		}
	}
	return false
}

// Spellings are names with how often each is written. The zero value is ready to use.
type Spellings struct{ byKey map[string][]spelling }

type spelling struct {
	name  string
	times int
}

// Add counts a name.
func (s *Spellings) Add(name string, times int) {
	if s.byKey == nil {
		s.byKey = map[string][]spelling{}
	}
	key := NameKey(name)
	all := s.byKey[key]
	if i := slices.IndexFunc(all, func(x spelling) bool { return x.name == name }); i >= 0 {
		all[i].times += times
		return
	}
	s.byKey[key] = append(all, spelling{name, times})
}

// Usual returns the most frequent spelling of a name, of several the one that was added first.
func (s *Spellings) Usual(name string) string {
	all := s.byKey[NameKey(name)]
	if len(all) == 0 {
		return name
	}
	return slices.MaxFunc(all, func(a, b spelling) int { return cmp.Compare(a.times, b.times) }).name
}

// Ambiguous returns, in order, the pairs of spellings that count as one name but may be two, such as 余 and 餘.
func (s *Spellings) Ambiguous() (pairs [][2]string) {
	for _, all := range s.byKey {
		for i, a := range all {
			for _, b := range all[:i] {
				if areAmbiguous(a.name, b.name) {
					pairs = append(pairs, [2]string{min(a.name, b.name), max(a.name, b.name)})
				}
			}
		}
	}
	slices.SortFunc(pairs, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return pairs
}
