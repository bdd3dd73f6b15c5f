package store

import (
	"os"

	"qhsh/engine/filelock"
	"qhsh/pluginclient/task/output"
)

// Magic is what every SQLite database begins with.
const Magic = "SQLite format 3\x00"

// sidecarMagic is what the files begin with that SQLite keeps next to a database.
var sidecarMagic = map[string]string{
	"-wal": "\x37\x7f\x06", "-shm": "\x18\xe2\x2d\x00", "-journal": "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",
}

// Siblings returns the files that SQLite keeps next to a database, even for reading, and with
// written set the file that is about to replace it.
func Siblings(path string, written bool) []output.Sibling {
	if path == "" {
		return nil
	}
	if real, err := filelock.Resolve(path); err == nil {
		path = real
	}
	list := []output.Sibling{}
	add := func(path, begins string) {
		list = append(list, output.Sibling{Path: path, Own: func(path string) (bool, error) { return output.HasPrefix(path, begins) }})
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		add(path+suffix, sidecarMagic[suffix])
	}
	if written {
		add(filelock.TempPath(path), Magic)
	}
	return list
}

// IsDatabase reports whether a file is an SQLite database.
func IsDatabase(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !output.IsRegular(info) || info.Size() == 0 {
		return false
	}
	is, err := output.HasPrefix(path, Magic)
	return is && err == nil
}
