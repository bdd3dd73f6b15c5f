package output

import (
	"compress/gzip"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// compress compresses further writes if the file's extension says so.
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

// closeCompressor writes the end of the compressed data, unless nothing was written.
func (f *File) closeCompressor() error {
	if f.compressor == nil || !f.truncated || f.ended {
		return nil
	}
	f.ended = true
	return f.compressor.Close()
}
