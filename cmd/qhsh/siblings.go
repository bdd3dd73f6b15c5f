package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"qhsh/pluginclient/batch/input"
	"qhsh/pluginclient/batch/journal"
	"qhsh/pluginclient/filelock"
	"qhsh/pluginclient/match"
)

// A sibling is a file that a command keeps beside an output, and writes and removes without
// having been told its name.
type sibling struct {
	path string
	use  string // what it is to the output, for a person
	// own reports whether the file that is there may be of a former run.
	own func(path string) (bool, error)
}

// refuseSiblings makes sure, before any file is opened, that the siblings of an output are no
// file of the command line, and nothing that somebody else has put there.
func refuseSiblings(of usedFile, siblings []sibling, files ...usedFile) error {
	for _, s := range siblings {
		stands, err := os.Lstat(s.path)
		info, _ := os.Stat(s.path)
		file := usedFile{path: s.path, info: info}
		for _, f := range files {
			switch {
			case !file.same(f):
			case f.read:
				return usagef("%s: %s beside it is an input: rename that file, or choose another %s", of.name, s.path, of.flag())
			default:
				return usagef("%s: that is the file %s %s", f.name, s.use, of.name)
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		own := false
		if err == nil && regular(stands) {
			own, err = s.own(s.path)
		}
		switch {
		case errors.Is(err, fs.ErrPermission): // whoever wants to open it says so
		case err != nil:
			return usagef("%s: %w", of.name, err)
		case !own:
			return errForeign(of, s.path)
		}
	}
	return nil
}

// flag is the flag that names a file.
func (f usedFile) flag() string {
	name, _, _ := strings.Cut(f.name, " ")
	return name
}

// What siblings are.
const (
	forResume  = "by which -resume goes on with"
	keptBeside = "that is kept beside"
)

// errForeign is the error of a sibling that no run has made.
func errForeign(of usedFile, path string) error {
	return usagef("%s: %s is there, and no run of qhsh has made it: rename it, or choose another %s", of.name, path, of.flag())
}

// siblings are the files that a run keeps beside -o.
func (c *hints) siblings(isDatabase bool) []sibling {
	info, err := os.Stat(c.path)
	if c.path == "" || err == nil && !regular(info) {
		return nil
	}
	run := journal.Path(c.path)
	list := []sibling{{run, forResume, isJournal}, {filelock.Fresh(run), forResume, isJournal}}
	switch {
	case isDatabase:
		list = append(list, sqliteSiblings(c.path, "-wal", "-shm", "-journal", filelock.Fresh(""))...)
	case input.BareName(c.path) != c.path:
		list = append(list, sibling{partPath(c.path), forResume, func(path string) (bool, error) {
			before, err := journal.Read(run)
			if errors.Is(err, fs.ErrNotExist) {
				return false, nil
			}
			return err == nil && ownsPart(before, path), err
		}})
	}
	return list
}

func isJournal(path string) (bool, error) {
	_, err := journal.Read(path)
	if errors.Is(err, journal.ErrForeign) {
		return false, nil
	}
	return err == nil, err
}

// cacheSiblings are the files that SQLite keeps beside -cache.
func cacheSiblings(path string) []sibling {
	if path == "" {
		return nil
	}
	return sqliteSiblings(path, "-journal")
}

// sqliteBegins is how the files begin that SQLite keeps beside a database, and the database
// that is about to replace it. What a killed process leaves may have zeros there instead.
var sqliteBegins = map[string]string{
	"-wal": "\x37\x7f\x06", "-shm": "\x18\xe2\x2d\x00", "-journal": "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",
	filelock.Fresh(""): "SQLite format 3\x00",
}

func sqliteSiblings(path string, suffixes ...string) []sibling {
	if real, err := filelock.Target(path); err == nil {
		path = real
	}
	var list []sibling
	for _, suffix := range suffixes {
		list = append(list, sibling{path + suffix, keptBeside, func(path string) (bool, error) {
			return begins(path, sqliteBegins[suffix])
		}})
	}
	return list
}

// begins reports whether a file begins so, as far as it goes, or with a zero.
func begins(path, with string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	head := make([]byte, len(with))
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, err
	}
	return n == 0 || head[0] == 0 || strings.HasPrefix(with, string(head[:n])), nil
}

// siblings are the files that a match keeps beside -o.
func (c *matchAction) siblings() []sibling {
	if c.out == "" {
		return nil
	}
	return []sibling{{match.SortingPath(c.out), keptBeside, func(path string) (bool, error) { return begins(path, match.Begins) }}}
}
