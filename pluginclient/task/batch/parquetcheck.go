package batch

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"qhsh/engine/record"
)

// Package parquet allocates what the lengths in a file say. So checkParquet believes none of them
// before the file is opened: it reads the structures and the runs of values as the package does, but
// keeps nothing. It accepts what newParquetSink writes.

// The limits of a Parquet file.
const (
	maxFooter  = 16 << 20 // bytes
	maxStructs = 1 << 18  // in the footer
	maxSchema  = 256      // columns and groups
	maxPage    = 16 << 20 // bytes of a page without compression
	maxValues  = 1 << 18  // in a page
	valueSize  = 16       // bytes of a value with its levels in memory
)

// errLengths is the error of a length that the file cannot hold.
var errLengths = errors.New("damaged: a length is beyond the file or its limits")

// checkParquet returns an error if the lengths in a file are wrong or if reading it would need too much
// memory. size is that of the file.
func checkParquet(file io.ReaderAt, size int64) error {
	const ending = 8
	tail := make([]byte, ending)
	if size < 2*ending {
		return errLengths
	}
	if _, err := file.ReadAt(tail, size-ending); err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(tail))
	if length > min(size-ending, maxFooter) {
		return errLengths
	}
	footer := make([]byte, length)
	if _, err := file.ReadAt(footer, size-ending-length); err != nil {
		return err
	}
	var meta format.FileMetaData
	if err := decodeThrift(footer, &meta, nil); err != nil {
		return err
	}
	if len(meta.Schema) > maxSchema {
		return errLengths
	}
	pages := pageChecker{file: file, size: size, in: bufio.NewReaderSize(nil, int(min(size, 4*record.MaxLine)))}
	var err error
	if pages.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage)); err != nil {
		return err
	}
	defer pages.zstd.Close()
	for i := range meta.RowGroups {
		if err := pages.checkGroup(&meta.RowGroups[i]); err != nil {
			return fmt.Errorf("row group %d: %w", i+1, err)
		}
	}
	return nil
}

// A pageChecker checks the pages of a file.
type pageChecker struct {
	file io.ReaderAt
	size int64
	in   *bufio.Reader
	zstd *zstd.Decoder
	data bytes.Buffer // of a page
}

// checkGroup checks a row group, of which a page of each column is in memory at a time.
func (p *pageChecker) checkGroup(g *format.RowGroup) error {
	if g.NumRows > parquetRows || len(g.Columns) > maxSchema {
		return errLengths
	}
	need := 0
	for i := range g.Columns {
		c := &g.Columns[i].MetaData
		most, err := p.checkColumn(c)
		if err != nil {
			return fmt.Errorf("column %q: %w", c.PathInSchema, err)
		}
		if need += most; need > record.MaxFile {
			return fmt.Errorf("needs more than %s of memory", record.Megabytes(record.MaxFile))
		}
	}
	return nil
}

// checkColumn checks the pages of a column. It returns the size of its largest page in memory, with its
// dictionary.
func (p *pageChecker) checkColumn(c *format.ColumnMetaData) (most int, err error) {
	start := c.DataPageOffset
	if c.DictionaryPageOffset > 0 && c.DictionaryPageOffset < start {
		start = c.DictionaryPageOffset
	}
	left := c.TotalCompressedSize
	switch {
	case c.Codec != format.Zstd:
		return 0, fmt.Errorf("compressed by %s instead of zstd", c.Codec)
	case start < 0 || left < 0 || start > p.size || left > p.size-start:
		return 0, errLengths
	}
	p.in.Reset(io.NewSectionReader(p.file, start, left))
	leaf, ok := parquetSchema().Lookup(c.PathInSchema...)
	if !ok {
		return 0, errOtherColumns
	}
	dictionary := 0
	for left > 0 {
		head, err := p.in.Peek(int(min(left, int64(p.in.Size()))))
		if err != nil {
			return 0, err
		}
		var header format.PageHeader
		n := 0
		if err := decodeThrift(head, &header, &n); err != nil {
			return 0, err
		}
		if _, err := p.in.Discard(n); err != nil {
			return 0, err
		}
		if left -= int64(n) + int64(header.CompressedPageSize); left < 0 {
			return 0, errLengths
		}
		values, err := p.checkPage(&header, bits.Len(uint(leaf.MaxRepetitionLevel)), bits.Len(uint(leaf.MaxDefinitionLevel)))
		if err != nil {
			return 0, err
		}
		size := int(header.UncompressedPageSize) + values*valueSize
		if header.Type == format.DictionaryPage {
			dictionary += size
		}
		most = max(most, size)
	}
	return most + dictionary, nil
}

// checkPage checks a page whose header has been read, and returns the number of its values. The levels
// have so many bits.
func (p *pageChecker) checkPage(h *format.PageHeader, repetitionBits, definitionBits int) (values int, err error) {
	compressed, size := int(h.CompressedPageSize), int(h.UncompressedPageSize)
	if compressed < 0 || size < 0 || size > maxPage {
		return 0, errLengths
	}
	encoding, levels := format.Plain, 0
	switch v2 := h.DataPageHeaderV2.V; {
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		values = int(h.DictionaryPageHeader.V.NumValues)
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		values, encoding = int(v2.NumValues), v2.Encoding
		repetition, definition := int(v2.RepetitionLevelsByteLength), int(v2.DefinitionLevelsByteLength)
		if repetition < 0 || definition < 0 || repetition > compressed || definition > compressed-repetition {
			return 0, errLengths
		}
		levels = repetition + definition
		head := make([]byte, levels)
		if _, err := io.ReadFull(p.in, head); err != nil {
			return 0, err
		}
		if !startsRow(head[:repetition], repetitionBits) || !runsFit(head[:repetition], repetitionBits, values) ||
			!runsFit(head[repetition:], definitionBits, values) {
			return 0, errLengths
		}
	default:
		return 0, fmt.Errorf("%s is not a page that 'qhsh hints' writes", h.Type)
	}
	if values < 0 || values > maxValues || levels > size {
		return 0, errLengths
	}
	p.data.Reset()
	in := io.LimitReader(p.in, int64(compressed-levels))
	if compressed > levels {
		if err := p.zstd.Reset(in); err != nil {
			return 0, err
		}
		n, err := p.data.ReadFrom(io.LimitReader(p.zstd, int64(size-levels)+1))
		switch {
		case err != nil:
			return 0, err
		case n > int64(size-levels):
			return 0, errLengths
		}
		if _, err := io.Copy(io.Discard, in); err != nil {
			return 0, err
		}
	}
	return values, checkValues(encoding, p.data.Bytes(), values)
}

// checkValues checks the numbers of values in a page's data.
func checkValues(encoding format.Encoding, data []byte, values int) error {
	fits := true
	switch encoding {
	case format.Plain, format.RLE:
	case format.RLEDictionary:
		fits = len(data) == 0 || data[0] <= 32 && runsFit(data[1:], int(data[0]), values)
	case format.DeltaLengthByteArray:
		block, n := binary.Uvarint(data)
		_, m := binary.Uvarint(data[max(n, 0):])
		count, k := binary.Uvarint(data[max(n, 0)+max(m, 0):])
		fits = len(data) == 0 || n > 0 && m > 0 && k > 0 && block <= maxValues && count <= uint64(values)
	default:
		return fmt.Errorf("encoding %s is none that 'qhsh hints' writes", encoding)
	}
	if !fits {
		return errLengths
	}
	return nil
}

// startsRow reports whether the first repetition level is 0: a page begins with a row, so that a row
// has no more values than a page.
func startsRow(levels []byte, width int) bool {
	run, n := binary.Uvarint(levels)
	switch {
	case len(levels) == 0:
		return true
	case n <= 0 || n >= len(levels):
		return false
	case run&1 == 0:
		return levels[n] == 0
	}
	return levels[n]&(1<<width-1) == 0
}

// runsFit reports whether runs of values of so many bits are no more than values, but for those that fill
// up the last run.
func runsFit(runs []byte, width, values int) bool {
	const group = 8
	for count := 0; len(runs) > 0; {
		run, n := binary.Uvarint(runs)
		if n <= 0 || run>>1 > maxValues {
			return false
		}
		size := (width + 7) / 8
		if count += int(run >> 1); run&1 == 1 {
			count += int(run>>1) * (group - 1)
			size = int(run>>1) * width
		}
		if runs = runs[n:]; size > len(runs) || count >= values+group {
			return false
		}
		runs = runs[size:]
	}
	return true
}

// decodeThrift decodes a structure at the beginning of data, whose size it adds to n, if its lengths fit
// into the data.
func decodeThrift(data []byte, into any, n *int) error {
	w := thriftWalker{data: data}
	if !w.skip(thriftStruct, 0) {
		return errLengths
	}
	size := len(data) - len(w.data)
	if n != nil {
		*n += size
	}
	return thrift.Unmarshal(new(thrift.CompactProtocol), data[:size], into)
}

// A thriftWalker skips values in Thrift's compact protocol.
type thriftWalker struct {
	data    []byte
	structs int // so far
}

// The types of values.
const (
	thriftTrue, thriftFalse, thriftByte, thriftI16, thriftI32, thriftI64, thriftDouble = 1, 2, 3, 4, 5, 6, 7
	thriftBinary, thriftList, thriftSet, thriftMap, thriftStruct                       = 8, 9, 10, 11, 12

	maxThriftDepth = 32
)

// skip skips a value that is not a bool of a structure; it returns false if the value does not fit.
func (w *thriftWalker) skip(kind byte, depth int) bool {
	if depth > maxThriftDepth {
		return false
	}
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return w.drop(1)
	case thriftI16, thriftI32, thriftI64:
		_, ok := w.uvarint()
		return ok
	case thriftDouble:
		return w.drop(8)
	case thriftBinary:
		length, ok := w.uvarint()
		return ok && w.drop(length)
	case thriftList, thriftSet:
		return w.skipList(depth)
	case thriftMap:
		return false // hints writes none
	case thriftStruct:
		return w.skipStruct(depth)
	}
	return false
}

func (w *thriftWalker) skipList(depth int) bool {
	if len(w.data) == 0 {
		return false
	}
	head := w.data[0]
	w.data = w.data[1:]
	count := uint64(head >> 4)
	if count == 15 {
		var ok bool
		if count, ok = w.uvarint(); !ok {
			return false
		}
	}
	if count > uint64(len(w.data)) {
		return false
	}
	for range count {
		if !w.skip(head&15, depth+1) {
			return false
		}
	}
	return true
}

func (w *thriftWalker) skipStruct(depth int) bool {
	if w.structs++; w.structs > maxStructs {
		return false
	}
	for len(w.data) > 0 {
		head := w.data[0]
		w.data = w.data[1:]
		kind := head & 15
		switch {
		case kind == 0:
			return true
		case head>>4 == 0:
			if _, ok := w.uvarint(); !ok { // the number of the field
				return false
			}
		}
		if kind != thriftTrue && kind != thriftFalse && !w.skip(kind, depth+1) {
			return false
		}
	}
	return false
}

func (w *thriftWalker) uvarint() (uint64, bool) {
	value, n := binary.Uvarint(w.data)
	if n <= 0 {
		return 0, false
	}
	w.data = w.data[n:]
	return value, true
}

func (w *thriftWalker) drop(n uint64) bool {
	if n > uint64(len(w.data)) {
		return false
	}
	w.data = w.data[n:]
	return true
}
