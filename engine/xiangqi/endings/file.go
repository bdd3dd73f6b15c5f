package endings

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A file of a table has a line of JSON, the [Stats]; another with the number of bytes of each block and a
// checksum; and the blocks: first the values with Red to move, then those with Black to move, then, in format 2, the
// plies to a capture or mate (capture.go) of both, blockSize bytes each but for the last of a side, as frames of
// Zstandard with their own checksums. What has no value, or no such plies, has those of the position before, which
// packs best.

const (
	fileFormat = 2
	blockSize  = 32 << 10
)

// A fileHead is the second line.
type fileHead struct {
	Format int      `json:"format"`
	Blocks []uint32 `json:"blocks"`
	Sum    uint32   `json:"sum"` // of Blocks and of the first line
}

func (h *fileHead) sum(stats []byte) uint32 {
	sum := crc32.ChecksumIEEE(stats)
	for _, n := range h.Blocks {
		sum = crc32.Update(sum, crc32.IEEETable, binary.LittleEndian.AppendUint32(nil, n))
	}
	return sum
}

// blocks returns the number of blocks of one side.
func (l *layout) blocks() int { return (l.size + blockSize - 1) / blockSize }

// write writes the file of a table.
func (t *table) write(w io.Writer, stats Stats) error {
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	defer pack.Close()
	var packed [][]byte
	var head fileHead
	add := func(side int, p plane, most Value) { // what positions of values up to most have
		last := uint8(Draw)
		for from := 0; from < t.layout.size; from += blockSize {
			block := make([]byte, min(blockSize, t.layout.size-from))
			for i := range block {
				if Value(t.values[side].at(from+i)) <= most {
					last = p.at(from + i)
				}
				block[i] = last
			}
			packed = append(packed, pack.EncodeAll(block, nil))
			head.Blocks = append(head.Blocks, uint32(len(packed[len(packed)-1])))
		}
	}
	for side := range sides {
		add(side, t.values[side], Draw)
	}
	for side := range sides {
		if t.until[side] != nil {
			add(side, t.until[side], longest)
		}
	}
	head.Format = len(packed) / t.layout.blocks() / len(sides)
	first, err := json.Marshal(stats)
	if err != nil {
		return err
	}
	head.Sum = head.sum(first)
	second, err := json.Marshal(head)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for _, part := range append([][]byte{first, {'\n'}, second, {'\n'}}, packed...) {
		if _, err := out.Write(part); err != nil {
			return err
		}
	}
	return out.Flush()
}

// A source is where a file is read from: a folder, or the program.
type source interface {
	fs.File
	io.ReaderAt
}

// A file is an open file of a table, from which single blocks are read.
type file struct {
	source
	stats  Stats
	layout *layout
	starts []int64 // of the blocks, and the end
	sum    uint32  // of what it has
}

var errDamaged = errors.New("damaged file of an ending: remove it, and make it again")

// newFile reads the beginning of the file of a material.
func newFile(in source, m Material) (f *file, err error) {
	f = &file{source: in}
	if f.layout, err = layoutOf(m); err != nil {
		return nil, err
	}
	info, err := in.Stat()
	if err == nil && info.Size() == 0 {
		err = fs.ErrNotExist // it is being made
	}
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(in)
	first, err1 := r.ReadBytes('\n')
	second, err2 := r.ReadBytes('\n')
	var head fileHead
	if err := errors.Join(err1, err2); err != nil {
		return nil, errDamaged
	}
	if json.Unmarshal(second, &head) == nil && head.Format > fileFormat {
		return nil, errors.New("the file is of a later version of qhsh")
	}
	if json.Unmarshal(first, &f.stats) != nil || head.sum(first[:len(first)-1]) != head.Sum || head.Format < 1 ||
		len(head.Blocks) != head.Format*len(sides)*f.layout.blocks() || f.stats.Material != m.String() {
		return nil, errDamaged
	}
	if head.Format == 1 && max(f.stats.Sides[0].longest(), f.stats.Sides[1].longest()) > strictest() {
		return nil, errors.New("made by an earlier qhsh: remove the file, and make it again")
	}
	f.sum = head.Sum
	at := int64(len(first) + len(second))
	for _, n := range head.Blocks {
		f.starts = append(f.starts, at)
		at += int64(n)
	}
	f.starts = append(f.starts, at)
	if info.Size() != at {
		return nil, errDamaged
	}
	return f, nil
}

// unpacker unpacks blocks.
var unpacker = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<20))
	if err != nil {
		panic(err)
	}
	return d
})

// planes returns how many planes of values or plies the file has.
func (f *file) planes() int { return (len(f.starts) - 1) / f.layout.blocks() }

// block reads a block of a plane.
func (f *file) block(plane, number int) ([]byte, error) {
	i := plane*f.layout.blocks() + number
	packed := make([]byte, f.starts[i+1]-f.starts[i])
	if _, err := f.ReadAt(packed, f.starts[i]); err != nil {
		return nil, err
	}
	values, err := unpacker().DecodeAll(packed, make([]byte, 0, blockSize))
	if err != nil || len(values) != min(blockSize, f.layout.size-number*blockSize) {
		return nil, fmt.Errorf("%v: %w", f.layout.material, errDamaged)
	}
	return values, nil
}

// load reads the whole table.
func (f *file) load() (*table, error) {
	t := &table{layout: f.layout}
	for _, s := range f.stats.Sides {
		t.ruled = t.ruled || s.WinsByRule+s.LossesByRule+s.Disputed > 0
	}
	for i, p := range []*plane{&t.values[0], &t.values[1], &t.until[0], &t.until[1]}[:f.planes()] {
		*p = newPlane(f.layout.size)
		for number := range f.layout.blocks() {
			values, err := f.block(i, number)
			if err != nil {
				return nil, err
			}
			for j, v := range values {
				p.set(number*blockSize+j, v)
			}
		}
	}
	return t, nil
}
