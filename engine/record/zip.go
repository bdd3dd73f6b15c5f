package record

import (
	"archive/zip"
	"bufio"
	"bytes"
	"fmt"
)

// Zip is an archive of files in any of a library's formats.
var Zip = &Format{Name: "zip", Extensions: []string{".zip"}, Detect: isZip, Read: Whole(readZip)}

func isZip(head []byte) bool { return bytes.HasPrefix(head, []byte("PK\x03\x04")) }

// readZip yields the games of all files of an archive in order.
func readZip(s *Source, raw []byte, yield func(*Game, error) bool) {
	if bytes.Count(raw, []byte("PK\x01\x02")) > maxMembers {
		yield(nil, s.FileError(errArchive))
		return
	}
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		if !s.truncated { // otherwise the index was cut off
			yield(nil, s.FileError(err))
		}
		return
	}
	for _, file := range archive.File {
		if !file.FileInfo().IsDir() && !s.readMember(file, yield) {
			return
		}
	}
}

// readMember yields the games of a file of an archive; it returns false if the loop was stopped.
func (s *Source) readMember(file *zip.File, yield func(*Game, error) bool) bool {
	name := fmt.Sprintf("%s(%s)", s.name, CleanLine(file.Name))
	in, err := file.Open()
	if err != nil {
		return yield(nil, fmt.Errorf("%s: %w", name, err))
	}
	defer in.Close()
	r := bufio.NewReader(in)
	if head, _ := r.Peek(4); isZip(head) {
		return yield(nil, fmt.Errorf("%s: nested archives are not supported", name))
	}
	for g, err := range s.lib.read(r, name, s.maxSize) {
		if !yield(g, err) {
			return false
		}
	}
	return true
}
