package record

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

const bom = "\ufeff"

// An encoded is an encoding in which Chinese texts are found, and which of its first bytes
// stand for the common characters.
type encoded struct {
	encoding.Encoding
	low, high byte
}

// multibyte are the encodings that are tried on what is not UTF-8. Most bytes have a
// meaning in both, but only one of them makes sense.
var multibyte = []encoded{
	{simplifiedchinese.GB18030, 0xb0, 0xd7},
	{traditionalchinese.Big5, 0xa4, 0xc6},
}

// decode is a text in UTF-8 without a byte order mark. It finds out the encoding: UTF-8 if
// it is valid, else that in which there is most sense.
func decode(raw []byte) string {
	if utf8.Valid(raw) {
		return strings.TrimPrefix(string(raw), bom)
	}
	if text, ok := decodeUTF16(raw); ok {
		return text
	}
	damaged := strings.ToValidUTF8(string(raw), "\ufffd")
	best, most := damaged, sense(damaged)
	for _, enc := range multibyte {
		text, err := enc.NewDecoder().Bytes(raw)
		if err != nil {
			continue
		}
		if s := sense(string(text)) + common(raw, enc.low, enc.high); s > most {
			best, most = string(text), s
		}
	}
	return strings.TrimPrefix(best, bom)
}

// decodeUTF16 reads UTF-16 with a byte order mark.
func decodeUTF16(raw []byte) (string, bool) {
	if !hasUTF16BOM(raw) {
		return "", false
	}
	text, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(raw)
	return string(text), err == nil
}

func hasUTF16BOM(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte{0xff, 0xfe}) || bytes.HasPrefix(raw, []byte{0xfe, 0xff})
}

// words are characters that records of Xiangqi consist of.
var words = setOf("车車俥马馬傌相象仕士帅帥将將炮砲包兵卒进進退平前后後中一二三四五六七八九胜勝负負和红紅黑")

func setOf(text string) map[rune]bool {
	set := map[rune]bool{}
	for _, r := range text {
		set[r] = true
	}
	return set
}

// sense is how much a text looks like a record of Xiangqi.
func sense(text string) int {
	score := 0
	for _, r := range text {
		switch {
		case r < 0x80:
		case r == utf8.RuneError, 0xe000 <= r && r <= 0xf8ff, r < 0xa0:
			score -= 8
		case words[r]:
			score += 4
		}
	}
	return score
}

// common counts characters of two bytes that begin with a byte of the common ones.
func common(raw []byte, low, high byte) int {
	count := 0
	for i := 0; i < len(raw); i++ {
		if raw[i] < 0x80 {
			continue
		}
		if low <= raw[i] && raw[i] <= high {
			count++
		}
		i++
	}
	return count
}

// utf8Reader is the reader itself, unless it begins with the byte order mark of UTF-16:
// then what it reads is UTF-8.
func utf8Reader(r *bufio.Reader) *bufio.Reader {
	head, _ := r.Peek(2)
	if !hasUTF16BOM(head) {
		return r
	}
	decoder := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
	return bufio.NewReaderSize(decoder.Reader(r), r.Size())
}

// mostWhole is how long a file may be that is held as a whole.
const mostWhole = 1 << 28

// readWhole reads a file to its end, or to mostWhole bytes.
func readWhole(r io.Reader) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, mostWhole))
}

// decodeBytes is a text that stands in a binary file, in GB18030 unless it is UTF-8 or
// Big5.
func decodeBytes(raw []byte) string {
	if i := bytes.IndexByte(raw, 0); i >= 0 {
		raw = raw[:i]
	}
	return decode(raw)
}
