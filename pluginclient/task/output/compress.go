package output

import (
	"compress/gzip"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// compress compresses what is written from now on, if the extension of the file says so.
func (f *File) compress() (err error) {
	var c io.WriteCloser
	switch strings.ToLower(filepath.Ext(f.path)) {
	case ".gz":
		c = gzip.NewWriter(f.rawWriter())
	case ".zst", ".zstd":
		c, err = zstd.NewWriter(f.rawWriter(), zstd.WithEncoderConcurrency(1))
	default:
		return nil
	}
	if err != nil {
		return &OpenError{f.name, err}
	}
	f.w, f.compressor = c, c
	return nil
}

// closeCompressor writes the end of what is compressed. Nothing is written to a file that has not
// been begun.
func (f *File) closeCompressor() error {
	if f.compressor == nil || !f.truncated || f.ended {
		return nil
	}
	f.ended = true
	return f.compressor.Close()
}
