package input

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds the memory in bytes of a zstd stream. It is zstd's own limit without --long.
const maxWindow = 128 << 20

// The first bytes of binary formats.
const (
	gzipMagic   = "\x1f\x8b"
	zstdMagic   = "\x28\xb5\x2f\xfd"
	bzip2Magic  = "BZh"
	xzMagic     = "\xfd7zXZ\x00"
	zipMagic    = "PK\x03\x04"
	sqliteMagic = "SQLite format 3\x00"

	parquetMagic = "PAR1"
)

// ErrParquet is returned for a stream that is a Parquet file.
var ErrParquet = errors.New("cannot read positions from a Parquet file: 'qhsh stats' reads what 'qhsh hints' has written")

// ErrSQLite is returned for a stream that is an SQLite database.
var ErrSQLite = errors.New("cannot read positions from an SQLite database: 'qhsh stats' reads what 'qhsh hints' has written")

// Decompress returns the contents of a stream that may be compressed with gzip or zstd, as its
// first bytes show.
func Decompress(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReaderSize(r, peekSize)
	switch magic(in, gzipMagic, zstdMagic, bzip2Magic, xzMagic, zipMagic, sqliteMagic, parquetMagic) {
	case gzipMagic:
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, explainTruncated(err)
		}
		return truncationReader{z, io.NopCloser(nil)}, nil // its Close repeats an error of reading, and frees nothing
	case zstdMagic:
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return truncationReader{z, z.IOReadCloser()}, nil
	case bzip2Magic:
		return nil, errCompression("bzip2", "bzip2 -dc")
	case xzMagic:
		return nil, errCompression("xz", "xz -dc")
	case zipMagic:
		return nil, errCompression("zip", "unzip -p")
	case sqliteMagic:
		return nil, ErrSQLite
	case parquetMagic:
		return nil, ErrParquet
	}
	return io.NopCloser(in), nil
}

// Unpack is like Decompress, for streams that may be in any binary format: only gzip and zstd are
// recognized.
func Unpack(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReaderSize(r, peekSize)
	if magic(in, gzipMagic, zstdMagic) == "" {
		return io.NopCloser(in), nil
	}
	return Decompress(in)
}

func errCompression(form, command string) error {
	return fmt.Errorf("unsupported compression %s (gzip and zstd are supported): use '%s FILE | qhsh hints'", form, command)
}

// magic returns the magic number that a stream starts with, or "". It reads no further than a match
// is possible.
func magic(in *bufio.Reader, known ...string) string {
	for n := 1; ; n++ {
		seen, err := in.Peek(n)
		if err != nil {
			return ""
		}
		goesOn := false
		for _, m := range known {
			if m == string(seen) {
				return m
			}
			goesOn = goesOn || strings.HasPrefix(m, string(seen))
		}
		if !goesOn {
			return ""
		}
	}
}

// truncationReader explains the error of a truncated stream.
type truncationReader struct {
	io.Reader
	io.Closer
}

func (w truncationReader) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	return n, explainTruncated(err)
}

func explainTruncated(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("compressed file is truncated: fetch or create it again: %w", err)
	}
	return err
}
