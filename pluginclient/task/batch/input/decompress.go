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

// maxWindow is how much memory in bytes a zstd stream may ask for. It is what zstd itself
// grants without --long.
const maxWindow = 128 << 20

// The first bytes of files that are no text.
const (
	gzipMagic   = "\x1f\x8b"
	zstdMagic   = "\x28\xb5\x2f\xfd"
	bzip2Magic  = "BZh"
	xzMagic     = "\xfd7zXZ\x00"
	zipMagic    = "PK\x03\x04"
	sqliteMagic = "SQLite format 3\x00"

	parquetMagic = "PAR1"
)

// ErrParquet is the error of a stream that is a Parquet file.
var ErrParquet = errors.New("a Parquet file is no list of positions: 'qhsh stats' reads what 'qhsh hints' has written")

// ErrSQLite is the error of a stream that is an SQLite database.
var ErrSQLite = errors.New("an SQLite database is no list of positions: 'qhsh stats' reads what 'qhsh hints' has written")

// Decompress reads a stream that may be compressed by gzip or zstd, which is found by its
// first bytes.
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

// Unpack is Decompress for streams that may be anything else, such as a zip of games or a form
// of bytes: only what gzip or zstd has compressed is touched.
func Unpack(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReaderSize(r, peekSize)
	if magic(in, gzipMagic, zstdMagic) == "" {
		return io.NopCloser(in), nil
	}
	return Decompress(in)
}

func errCompression(form, command string) error {
	return fmt.Errorf("it is compressed by %s, and gzip and zstd are read: pipe it in, as in '%s FILE | qhsh hints'", form, command)
}

// magic returns the one that a stream begins with, or empty. It looks no farther than one of
// them goes on.
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

// truncationReader is a compressed stream whose early end is told apart from an orderly one.
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
		return fmt.Errorf("the compressed file is cut off, so fetch or make it again: %w", err)
	}
	return err
}
