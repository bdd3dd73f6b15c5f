package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	utf16 "golang.org/x/text/encoding/unicode"
)

const bom = "\ufeff"

// A Decoder finds the encoding of texts that belong together: UTF-8, or the one in which a text is the
// least surprising. A short text can be ambiguous: 太原 in GB18030 is two letters in UTF-8. Then the last
// unambiguous text decides.
type Decoder struct {
	named   *Encoding             // of all texts, if the user names it
	last    *Encoding             // of the last unambiguous text; nil if there was none
	onGuess func(encoding string) // may be nil
}

// Decode returns raw as UTF-8 without a byte order mark.
func (d *Decoder) Decode(raw []byte) string { return d.Choose(raw)(raw) }

// Choose returns what decodes the parts of a text, in the encoding of the whole.
func (d *Decoder) Choose(raw []byte) func(part []byte) string { return d.chooseAndTell(raw).decode }

func (d *Decoder) chooseAndTell(raw []byte) *Encoding {
	chosen, guess := d.choose(raw)
	if guess && d.onGuess != nil {
		d.onGuess(chosen.name)
	}
	return chosen
}

// decodeGame is Decode with the error of the first line, from 0, that has bytes which are not in the encoding.
func (s *Source) decodeGame(raw []byte) (text string, errs Errors) {
	e := s.chooseAndTell(raw)
	text = e.decode(raw)
	if line := e.invalidLine(raw, text); line >= 0 {
		var err error = fmt.Errorf("bytes that are not %s: save the file in one encoding", e)
		if s.lib.lenient {
			err = &DroppedError{err, string(utf8.RuneError) + " stands for them"}
		}
		errs.AddAt(line, err)
	}
	return text, errs
}

// choose returns the encoding of a text, and whether it is a guess.
func (d *Decoder) choose(raw []byte) (best *Encoding, guess bool) {
	switch {
	case bytes.HasPrefix(raw, []byte(bom)):
		return UTF8, false
	case d.named != nil:
		return d.named, false
	case isASCII(raw):
		return UTF8, false
	case utf8.Valid(raw) && (bytes.ContainsRune(raw, utf8.RuneError) || !slices.ContainsFunc(raw, func(c byte) bool { return 0xc2 <= c && c <= 0xdf })):
		// Others may be valid UTF-8 by chance, but then some characters have two bytes. The replacement
		// character in UTF-8 is 锟 and a half in GB18030, which nobody writes.
		d.last = UTF8
		return d.last, false
	}
	raw = sample(raw)
	const never = 1 << 30
	const minMargin = 10 // bits by which the best encoding of an unambiguous text is better: those of one rare character
	least, second, last := never, never, never
	if d.last != nil && d.last.surprise(raw) <= 5*len(raw) { // no more than in ASCII
		return d.last, false
	}
	for _, e := range encodings {
		bits := e.surprise(raw)
		if e == d.last {
			last = bits
		}
		if bits < least {
			best, least, second = e, bits, least
		} else {
			second = min(second, bits)
		}
	}
	switch {
	case least+minMargin <= second:
		d.last = best
	case last < least+minMargin:
		best = d.last
	default:
		guess = true
	}
	return best, guess
}

// sampleSize is how many bytes of a text decide about its encoding.
const sampleSize = 1 << 12

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

func isASCII(raw []byte) bool {
	return !slices.ContainsFunc(raw, func(c byte) bool { return c >= utf8.RuneSelf })
}

// FromUTF16 returns what reads a text of lines as UTF-8 if it is UTF-16, and else in. It waits for two
// bytes, so that a program may write a line and wait for its answer.
func FromUTF16(in *bufio.Reader) *bufio.Reader {
	head, _ := in.Peek(2)
	if len(head) == 2 && (head[0] == 0 || head[1] == 0 || head[0] >= 0xfe) {
		head, _ = in.Peek(in.Buffered())
		if enc := utf16Of(head); enc != nil {
			return readUTF16(in, enc)
		}
	}
	return in
}

// readUTF16 returns what reads a file in UTF-16, or a part of one, as UTF-8.
func readUTF16(in *bufio.Reader, enc encoding.Encoding) *bufio.Reader {
	part := &utf16Part{in: in, bigEndian: enc == bigEndian}
	return bufio.NewReaderSize(enc.NewDecoder().Reader(part), peekSize)
}

var (
	littleEndian = utf16.UTF16(utf16.LittleEndian, utf16.UseBOM)
	bigEndian    = utf16.UTF16(utf16.BigEndian, utf16.UseBOM)

	errNotUTF16 = errors.New("text in another encoding follows text in UTF-16: save the file in one encoding")
)

// A utf16Part is the part of a file that is in UTF-16. It ends with errNotUTF16 if a line begins with a tag
// in another encoding or the mark of the other byte order: programs append to a file whatever its encoding is.
type utf16Part struct {
	in          *bufio.Reader // has the rest
	bigEndian   bool
	atLineStart bool
}

// Read reads UTF-16, at most up to the end of a line. Like FromUTF16 it waits for two bytes.
func (u *utf16Part) Read(p []byte) (int, error) {
	head, err := u.in.Peek(min(len(p), 2))
	if len(head) < 2 {
		n, _ := u.in.Read(p[:len(head)])
		return n, err
	}
	if u.atLineStart && u.endsAt(head) {
		return 0, errNotUTF16
	}
	low := 0
	if u.bigEndian {
		low = 1
	}
	head, _ = u.in.Peek(min(len(p), u.in.Buffered()) &^ 1)
	end := len(head)
	u.atLineStart = false
	for i := 0; i < end; i += 2 {
		if head[i+low] == '\n' && head[i+1-low] == 0 {
			end, u.atLineStart = i+2, true // which ends the loop
		}
	}
	return u.in.Read(p[:end])
}

// endsAt reports whether a line that begins with two bytes is not in the encoding of u.
func (u *utf16Part) endsAt(head []byte) bool {
	switch {
	case head[0] == 0xfe && head[1] == 0xff:
		return !u.bigEndian
	case head[0] == 0xff && head[1] == 0xfe:
		return u.bigEndian
	case head[0] == 0 || head[1] == 0:
		return false
	}
	head, _ = u.in.Peek(1 << 8)
	return tagName(bytes.TrimLeft(head, " \t\r\n")) != nil
}

// utf16Of returns the encoding of a file that begins with head if it is UTF-16; nil otherwise. Without
// a byte order mark, every second byte of some ASCII characters is zero, and there are no control
// characters.
func utf16Of(head []byte) encoding.Encoding {
	if bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}) {
		if head[0] == 0xfe {
			return bigEndian
		}
		return littleEndian
	}
	head = head[:min(len(head), 1<<10)&^1]
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	enc := littleEndian
	switch {
	case zeros[0] > 0 && zeros[1] == 0:
		enc = bigEndian
	case zeros[1] == 0 || zeros[0] > 0:
		return nil
	}
	text, _ := enc.NewDecoder().Bytes(head)
	if bytes.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }) {
		return nil
	}
	return enc
}
