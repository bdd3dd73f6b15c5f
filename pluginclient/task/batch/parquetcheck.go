package batch

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"qhsh/engine/record"
)

// Package parquet allocates what the lengths in a file say: those of lists in the footer and in the headers
// of pages, of pages without compression, and of runs of values within them. checkParquet reads all of these
// before the file is opened. It accepts what parquetSink writes.

// The limits of a Parquet file.
const (
	maxFooter  = 16 << 20 // bytes
	maxSchema  = 256      // columns and groups
	maxNested  = 32       // structures
	maxPage    = 16 << 20 // bytes of a page
	maxValues  = 1 << 18  // in a page
	valueSize  = 16       // bytes of a value with its levels in memory
	structSize = 560      // bytes of the largest structure of a list, format.ColumnChunk
)

// errLengths is the error of a length that the file cannot hold.
var errLengths = errors.New("damaged: a length is beyond the file or its limits")

// checkParquet returns an error if the lengths in a file are wrong or if reading it would need too much
// memory. size is that of the file.
func checkParquet(file io.ReaderAt, size int64) error {
	const ending = 8
	if size < 2*ending {
		return errLengths
	}
	var tail [ending]byte
	if _, err := file.ReadAt(tail[:], size-ending); err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if length > min(size-ending, maxFooter) {
		return errLengths
	}
	footer := make([]byte, length)
	if _, err := file.ReadAt(footer, size-ending-length); err != nil {
		return err
	}
	var meta format.FileMetaData
	if _, err := decodeThrift(footer, &meta); err != nil {
		return err
	}
	if len(meta.Schema) > maxSchema {
		return errLengths
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage))
	if err != nil {
		return err
	}
	defer decoder.Close()
	p := pageChecker{file: file, size: size, zstd: decoder, in: bufio.NewReaderSize(nil, int(min(size, 4*record.MaxLine)))}
	for i := range meta.RowGroups {
		g := &meta.RowGroups[i]
		if g.NumRows > parquetRows || len(g.Columns) > maxSchema {
			return errLengths
		}
		need := 0 // a page of each column is in memory at a time
		for j := range g.Columns {
			c := &g.Columns[j].MetaData
			most, err := p.checkColumn(c)
			if err != nil {
				return fmt.Errorf("row group %d: column %q: %w", i+1, c.PathInSchema, err)
			}
			if need += most; need > record.MaxFile {
				return fmt.Errorf("row group %d needs more than %s of memory", i+1, record.Megabytes(record.MaxFile))
			}
		}
	}
	return nil
}

type pageChecker struct {
	file io.ReaderAt
	size int64
	in   *bufio.Reader
	zstd *zstd.Decoder
	page []byte // the buffer of a page
	data []byte // the same without its levels and without compression
}

// checkColumn checks the pages of a column. It returns the size of its largest page in memory, with its
// dictionary.
func (p *pageChecker) checkColumn(c *format.ColumnMetaData) (most int, err error) {
	start, left := c.DataPageOffset, c.TotalCompressedSize
	if c.DictionaryPageOffset > 0 {
		start = min(start, c.DictionaryPageOffset)
	}
	leaf, ok := parquetSchema().Lookup(c.PathInSchema...)
	if !ok && len(c.PathInSchema) == 1 { // of fields
		leaf.MaxDefinitionLevel, ok = 1, true
	}
	switch {
	case c.Codec != format.Zstd:
		return 0, fmt.Errorf("compressed by %s instead of zstd", c.Codec)
	case start < 0 || left < 0 || start > p.size || left > p.size-start:
		return 0, errLengths
	case !ok:
		return 0, errOtherColumns
	}
	p.in.Reset(io.NewSectionReader(p.file, start, left))
	dictionary := 0
	for left > 0 {
		head, err := p.in.Peek(int(min(left, int64(p.in.Size()))))
		if err != nil {
			return 0, err
		}
		var header format.PageHeader
		n, err := decodeThrift(head, &header)
		if err != nil {
			return 0, err
		}
		if left -= int64(n) + int64(header.CompressedPageSize); left < 0 {
			return 0, errLengths
		}
		_, _ = p.in.Discard(n) // it has been peeked
		values, err := p.checkPage(&header, leaf)
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

// checkPage reads and checks a page whose header has been read. It returns the number of its values.
func (p *pageChecker) checkPage(h *format.PageHeader, leaf parquet.LeafColumn) (values int, err error) {
	var repetition, definition int // bytes of the levels
	encoding := format.Plain
	switch v2 := &h.DataPageHeaderV2.V; {
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		values = int(h.DictionaryPageHeader.V.NumValues)
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		values, encoding = int(v2.NumValues), v2.Encoding
		repetition, definition = int(v2.RepetitionLevelsByteLength), int(v2.DefinitionLevelsByteLength)
	default:
		return 0, fmt.Errorf("%s is not a page that 'qhsh hints' writes", h.Type)
	}
	compressed, size := int(h.CompressedPageSize), int(h.UncompressedPageSize)
	levels := repetition + definition
	if min(values, repetition, definition, compressed-levels, size-levels) < 0 || values > maxValues || max(compressed, size) > maxPage {
		return 0, errLengths
	}
	p.page = slices.Grow(p.page[:0], compressed)[:compressed]
	if _, err := io.ReadFull(p.in, p.page); err != nil {
		return 0, err
	}
	if p.data, err = p.zstd.DecodeAll(p.page[levels:], p.data[:0]); err != nil {
		return 0, err
	}
	fits := levels+len(p.data) == size &&
		runsFit(p.page[:repetition], bits.Len(uint(leaf.MaxRepetitionLevel)), values) &&
		runsFit(p.page[repetition:levels], bits.Len(uint(leaf.MaxDefinitionLevel)), values)
	switch data := p.data; encoding {
	case format.Plain:
	case format.RLEDictionary:
		fits = fits && (len(data) == 0 || data[0] <= 32 && runsFit(data[1:], int(data[0]), values))
	case format.DeltaLengthByteArray:
		for i := 0; i < 3 && len(p.data) > 0; i++ { // two sizes of blocks, and the number of values
			count, n := binary.Uvarint(data)
			fits = fits && n > 0 && (i < 2 || count <= uint64(values))
			data = data[max(n, 0):]
		}
	default:
		return 0, fmt.Errorf("encoding %s is none that 'qhsh hints' writes", encoding)
	}
	if !fits {
		return 0, errLengths
	}
	return values, nil
}

// runsFit reports whether runs of values of so many bits are no more than values, but for those that fill
// up the last run.
func runsFit(runs []byte, width, values int) bool {
	const group = 8
	count := 0
	for len(runs) > 0 && count < values+group {
		run, n := binary.Uvarint(runs)
		if n <= 0 || run > 2*maxValues {
			return false
		}
		length, size := int(run>>1), (width+7)/8
		if run&1 == 1 { // groups of packed values
			length, size = length*group, length*width
		}
		if size > len(runs)-n {
			return false
		}
		count, runs = count+length, runs[n+size:]
	}
	return count < values+group
}

// decodeThrift decodes a structure at the beginning of data, and returns its size. It may keep data.
func decodeThrift(data []byte, into any) (size int, err error) {
	r := &boundedReader{BytesReader: new(thrift.CompactProtocol).NewReaderFromBytes(data), left: record.MaxFile, ends: []int32{1}}
	if err = thrift.NewDecoder(r).Decode(into); errors.Is(err, errLengths) {
		err = errLengths // without the fields that lead to it
	}
	return r.BytesRead(), err
}

// A boundedReader reads what package thrift decodes. The package allocates a list before it reads the
// elements, and calls itself to skip the structures within one.
type boundedReader struct {
	thrift.BytesReader
	left int64   // bytes of memory for lists
	ends []int32 // for each level of structures, the number of those that have not ended
}

func (r *boundedReader) ReadField() (thrift.Field, error) {
	f, err := r.BytesReader.ReadField()
	switch top := len(r.ends) - 1; {
	case err != nil:
	case f.Type == thrift.STRUCT:
		err = r.begin(1)
	case f.Type == thrift.STOP:
		if r.ends[top]--; r.ends[top] == 0 {
			r.ends = r.ends[:top]
		}
	}
	return f, err
}

// begin begins a level of structures.
func (r *boundedReader) begin(count int32) error {
	if r.ends = append(r.ends, count); len(r.ends) > maxNested {
		return errLengths
	}
	return nil
}

func (r *boundedReader) ReadList() (thrift.List, error) {
	l, err := r.BytesReader.ReadList()
	size := int64(valueSize)
	switch {
	case err != nil || l.Size == 0:
		return l, err
	case l.Type == thrift.LIST || l.Type == thrift.SET || l.Type == thrift.MAP: // there are none in Parquet
		return l, errLengths
	case l.Type == thrift.STRUCT:
		size, err = structSize, r.begin(l.Size)
	}
	if r.left -= size * int64(l.Size); r.left < 0 {
		return l, errLengths
	}
	return l, err
}

func (r *boundedReader) ReadSet() (thrift.Set, error) { return thrift.Set{}, errLengths }
func (r *boundedReader) ReadMap() (thrift.Map, error) { return thrift.Map{}, errLengths }

// Discard is what package thrift skips texts with.
func (r *boundedReader) Discard(n int) (int, error) {
	return r.BytesReader.(interface{ Discard(int) (int, error) }).Discard(n)
}
