package record

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"

	"qhsh/engine/record"
)

func isZip(head []byte) bool { return bytes.HasPrefix(head, []byte("PK\x03\x04")) }

// readZip yields the games of all files of an archive, in their order there.
func readZip(s *source, yield func(*Game, error) bool) {
	raw, ok := s.whole(yield)
	if !ok {
		return
	}
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		if !s.large { // else the index is what is missing
			yield(nil, s.failed(err))
		}
		return
	}
	for _, file := range archive.File {
		if file.FileInfo().IsDir() {
			continue
		}
		if !s.readMember(file, yield) {
			return
		}
	}
}

// readMember yields the games of a file of an archive; it is false if that was enough.
func (s *source) readMember(file *zip.File, yield func(*Game, error) bool) bool {
	name := fmt.Sprintf("%s(%s)", s.name, record.OneLine(file.Name))
	in, err := file.Open()
	if err != nil {
		return yield(nil, fmt.Errorf("%s: %w", name, err))
	}
	defer in.Close()
	r := bufio.NewReader(in)
	if head, _ := r.Peek(4); isZip(head) {
		return yield(nil, fmt.Errorf("%s: %w", name, errors.New("an archive within an archive")))
	}
	for g, err := range read(r, name, s.most) {
		if !yield(g, err) {
			return false
		}
	}
	return true
}
