package record

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	utf16 "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

const bom = "\ufeff"

// A candidate is a legacy encoding of Chinese text and the byte ranges of its common characters: of
// the first byte, and the minimum of the second.
type candidate struct {
	encoding.Encoding
	low, high, second byte
}

// nly
// one makes sense.
var multibyte = []candidate{
	{simplifiedchinese.GB18030, 0xb0, 0xd7, 0xa1},
	{traditionalchinese.Big5, 0xa4, 0xc6, 0x40},
}

// A Decoder detects the encoding of texts that belong together: UTF-8, or another in which they are
// more likely Chinese. A short text can be ambiguous: 太原 in GB18030 is two letters in UTF-8. Then
// the last unambiguous text decides.
type Decoder struct{ last int } // 1 is UTF-8, the others follow; 0: there was none

// minMargin is the likelihood margin required to be sure of an encoding. Two common characters have
// less.
const minMargin = 8

// Decode returns raw as UTF-8 without a byte order mark.
func (d *Decoder) Decode(raw []byte) string {
	if isASCII(raw) {
		return string(raw)
	}
	if text, ok := decodeUTF16(raw); ok {
		return text
	}
	if isPlainUTF8(raw) {
		d.last = 1
		return strings.TrimPrefix(string(raw), bom)
	}
	return strings.TrimPrefix(decodeAs(d.choose(sample(raw)), raw), bom)
}

// choose returns the encoding of a text: 0 for UTF-8, the others follow.
func (d *Decoder) choose(raw []byte) int {
	text := decodeAs(0, raw)
	scores := []int{likelihood(text) + scriptScore(text)}
	for i, enc := range multibyte {
		scores = append(scores, likelihood(decodeAs(i+1, raw))+enc.common(raw))
	}
	best := 0
	for i, score := range scores {
		if score > scores[best] {
			best = i
		}
	}
	sure := true
	for i, score := range scores {
		sure = sure && (i == best || score+minMargin <= scores[best])
	}
	switch {
	case sure:
		d.last = best + 1
	case d.last > 0 && scores[d.last-1]+minMargin > scores[best]:
		best = d.last - 1
	}
	return best
}

// sampleSize is how many bytes of a text decide about its encoding.
const sampleSize = 1 << 20

// sample returns the lines of a text that are not ASCII, as far as they decide about its encoding; a
// short text as it is.
func sample(raw []byte) (part []byte) {
	if len(raw) <= sampleSize {
		return raw
	}
	for line := range bytes.Lines(raw) {
		if !isASCII(line) {
			part = append(part, line[:min(len(line), sampleSize-len(part))]...)
		}
		if len(part) == sampleSize {
			break
		}
	}
	return part
}

// decodeAs decodes a text in an encoding as choose returns it. It needs no more memory than raw and
// its text.
func decodeAs(which int, raw []byte) string {
	var b strings.Builder
	if which > 0 {
		b.Grow(len(raw) + len(raw)/2)
		if _, err := io.Copy(&b, transform.NewReader(bytes.NewReader(raw), multibyte[which-1].NewDecoder())); err == nil {
			return b.String()
		}
		b.Reset()
	}
	size := 0
	for part := range validParts(raw) {
		size += len(part)
	}
	b.Grow(size)
	for part := range validParts(raw) {
		b.Write(part)
	}
	return b.String()
}

// validParts yields the parts of a text in UTF-8, with the replacement character for what is not.
func validParts(raw []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		replaced := false
		for len(raw) > 0 {
			n := 0
			for n < len(raw) {
				r, size := utf8.DecodeRune(raw[n:])
				if r == utf8.RuneError && size == 1 {
					break
				}
				n += size
			}
			switch {
			case n > 0:
				replaced = false
				if !yield(raw[:n]) {
					return
				}
				raw = raw[n:]
			default:
				if !replaced && !yield([]byte("\ufffd")) {
					return
				}
				replaced, raw = true, raw[1:]
			}
		}
	}
}

// detect detects the encoding from the beginning of a stream, so that its first text is less
// ambiguous.
func (d *Decoder) detect(r *bufio.Reader) {
	head, _ := r.Peek(peekSize)
	d.Decode(head)
}

// Decode decodes a single text.
func Decode(raw []byte) string { return new(Decoder).Decode(raw) }

func isASCII(raw []byte) bool {
	return !slices.ContainsFunc(raw, func(c byte) bool { return c >= utf8.RuneSelf })
}

// isPlainUTF8 reports whether a text is UTF-8 and cannot be another encoding: GB18030 or Big5 may
// be valid UTF-8 by chance, but then some characters have two bytes. The replacement character in
// UTF-8 is 锟 and a half in GB18030, which nobody writes.
func isPlainUTF8(raw []byte) bool {
	if bytes.HasPrefix(raw, []byte(bom)) || bytes.ContainsRune(raw, utf8.RuneError) {
		return utf8.Valid(raw)
	}
	return utf8.Valid(raw) && !slices.ContainsFunc(raw, func(c byte) bool { return 0xc2 <= c && c <= 0xdf })
}

// decodeUTF16 reads UTF-16 with a byte order mark.
func decodeUTF16(raw []byte) (string, bool) {
	if !hasUTF16BOM(raw) {
		return "", false
	}
	var b strings.Builder
	decoder := utf16.UTF16(utf16.LittleEndian, utf16.ExpectBOM).NewDecoder()
	_, err := io.Copy(&b, decoder.Reader(bytes.NewReader(raw)))
	return b.String(), err == nil
}

func hasUTF16BOM(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte{0xff, 0xfe}) || bytes.HasPrefix(raw, []byte{0xfe, 0xff})
}

// gameRunes are common characters in Chinese game records.
var gameRunes = setOf("车車俥马馬傌相象仕士帅帥将將炮砲包兵卒进進退平前后後中一二三四五六七八九胜勝负負和红紅黑")

func setOf(text string) map[rune]bool {
	set := map[rune]bool{}
	for _, r := range text {
		set[r] = true
	}
	return set
}

// likelihood returns how much a text looks like a Chinese game record.
func likelihood(text string) int {
	score := 0
	for _, r := range text {
		switch {
		case r < 0x80:
		case r == utf8.RuneError, 0xe000 <= r && r <= 0xf8ff, r < 0xa0:
			score -= 8
		case gameRunes[r]:
			score += 4
		}
	}
	return score
}

// scriptScore returns how likely the characters of a UTF-8 text are: Chinese ones, then those of
// alphabets common in players' names.
func scriptScore(text string) int {
	score, letter := 0, false
	for _, r := range text {
		switch {
		case r < 0x80:
		case r >= 0x2000 && r != utf8.RuneError:
			score += 3
		case unicode.Is(alphabets, r), letter && unicode.Is(unicode.Mn, r):
			score++
		}
		letter = unicode.IsLetter(r)
	}
	return score
}

// alphabets are those of Europe and Vietnam, including diacritics.
var alphabets = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0xa0, Hi: 0x17f, Stride: 1},
	{Lo: 0x1a0, Hi: 0x1a1, Stride: 1},
	{Lo: 0x1af, Hi: 0x1b0, Stride: 1},
	{Lo: 0x386, Hi: 0x3ce, Stride: 1},
	{Lo: 0x401, Hi: 0x45f, Stride: 1},
	{Lo: 0x1ea0, Hi: 0x1ef9, Stride: 1},
}}

// common counts the common characters of a text in an encoding of one or two bytes.
func (e candidate) common(raw []byte) int {
	count := 0
	for i := 0; i < len(raw); i++ {
		if raw[i] < 0x80 {
			continue
		}
		i++
		if e.low <= raw[i-1] && raw[i-1] <= e.high && i < len(raw) && raw[i] >= e.second {
			count++
		}
	}
	return count
}

// utf8Reader returns a reader of UTF-8: r itself, unless it begins with the byte order mark of
// UTF-16.
func utf8Reader(r *bufio.Reader) *bufio.Reader {
	head, _ := r.Peek(2)
	if !hasUTF16BOM(head) {
		return r
	}
	decoder := utf16.UTF16(utf16.LittleEndian, utf16.ExpectBOM).NewDecoder()
	return bufio.NewReaderSize(decoder.Reader(r), r.Size())
}

// DecodeBytes decodes a text in a binary file, up to a zero byte.
func (d *Decoder) DecodeBytes(raw []byte) string {
	raw, _, _ = bytes.Cut(raw, []byte{0})
	return d.Decode(raw)
}
