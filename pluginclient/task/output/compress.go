package output

import (
	"compress/gzip"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// compress compresses further writes if the file's extension says so.
func (f *File) compress() {
	switch strings.ToLower(filepath.Ext(f.path)) {
	case ".gz":
		f.compressor = gzip.NewWriter(f.w)
	case ".zst", ".zstd":
		c, err := zstd.NewWriter(f.w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic(err) // the option is wrong
		}
		f.compressor = c
	default:
		return
	}
	f.w = f.compressor
}

// closeCompressor writes the end of the compressed data, unless nothing was written.
func (f *File) closeCompressor() error {
	c := f.compressor
	if c == nil || !f.truncated {
		return nil
	}
	f.compressor = nil
	return c.Close()
}
