package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"qhsh/pluginclient/filelock"
	"qhsh/pluginclient/task/match"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/runlog"
)

// A sibling is a file that a command keeps beside another, and writes and removes without
// having been told its name.
type sibling struct {
	path string
	use  string // what it is to the other, for a person
	// own reports whether the file that is there may be of a former run.
	own func(path string) (bool, error)
}

// refuseSiblings makes sure, before any file is opened, that the siblings of an output, or of a
// database that is read, are no file of the command line, and nothing that somebody else has put
// there.
func refuseSiblings(of output.Use, siblings []sibling, files ...output.Use) error {
	for _, s := range siblings {
		stands, err := os.Lstat(s.path)
		info, _ := os.Stat(s.path)
		file := output.Use{Path: s.path, Info: info}
		for _, f := range files {
			switch {
			case !file.Same(f):
			case f.Read:
				return usagef("%s: %s beside it is an input: rename that file%s", of.Name, s.path, orAnother(of))
			default:
				return usagef("%s: that is the file %s %s", f.Name, s.use, of.Name)
			}
		}
		own := false
		if err == nil && output.IsRegular(stands) {
			own, err = s.own(s.path)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // or not any more: another run has removed it
		case errors.Is(err, fs.ErrPermission): // whoever wants to open it says so
		case err != nil:
			return usagef("%s: %w", of.Name, err)
		case !own:
			return usagef("%s: %s is there, and no run of qhsh has made it: rename it%s", of.Name, s.path, orAnother(of))
		}
	}
	return nil
}

// orAnother is the other way out, besides renaming a sibling: another output.
func orAnother(f output.Use) string {
	if f.Read {
		return ""
	}
	flagName, _, _ := strings.Cut(f.Name, " ")
	return ", or choose another " + flagName
}

// What siblings are.
const (
	forResume  = "needed to resume"
	keptBeside = "that is kept beside"
)

// siblings are the files that a run keeps beside -o.
func (c *hints) siblings(isDatabase bool) []sibling {
	info, err := os.Stat(c.path)
	if c.path == "" || err == nil && !output.IsRegular(info) {
		return nil
	}
	run := runlog.Path(c.path)
	list := []sibling{{run, forResume, isLog}, {filelock.Fresh(run), forResume, isLog}}
	if isDatabase {
		list = append(list, sqliteSiblings(c.path, filelock.Fresh(""))...)
	}
	return list
}

func isLog(path string) (bool, error) {
	_, err := runlog.Read(path, hintsLog)
	if errors.Is(err, hintsLog.Foreign) {
		return false, nil
	}
	return err == nil, err
}

// sqliteBegins is how the files begin that SQLite keeps beside a database, and the database
// that is about to replace it. What a killed process leaves may have zeros there instead.
var sqliteBegins = map[string]string{
	"-wal": "\x37\x7f\x06", "-shm": "\x18\xe2\x2d\x00", "-journal": "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",
	filelock.Fresh(""): "SQLite format 3\x00",
}

// sqliteSiblings are the files that SQLite keeps beside a database, and those with more
// suffixes. It writes and removes them even for one that is only read.
func sqliteSiblings(path string, more ...string) []sibling {
	if path == "" {
		return nil
	}
	if real, err := filelock.Target(path); err == nil {
		path = real
	}
	var list []sibling
	for _, suffix := range append([]string{"-wal", "-shm", "-journal"}, more...) {
		list = append(list, sibling{path + suffix, keptBeside, func(path string) (bool, error) {
			return begins(path, sqliteBegins[suffix])
		}})
	}
	return list
}

// isSQLite reports whether a file is an SQLite database.
func isSQLite(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !output.IsRegular(info) || info.Size() == 0 {
		return false
	}
	is, err := begins(path, sqliteBegins[filelock.Fresh("")])
	return is && err == nil
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
