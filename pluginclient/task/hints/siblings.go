package hints

import (
	"errors"
	"os"

	"qhsh/engine/filelock"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/runlog"
)

const logUse = "needed to resume"

// Siblings returns the files that a run keeps next to its output; none if the output is not a file.
func Siblings(path string, isDatabase bool) []output.Sibling {
	info, err := os.Stat(path)
	if path == "" || err == nil && !output.IsRegular(info) {
		return nil
	}
	run := runlog.Path(path)
	list := []output.Sibling{{Path: run, Use: logUse, Own: isLog}, {Path: filelock.TempPath(run), Use: logUse, Own: isLog}}
	if isDatabase {
		list = append(list, store.Siblings(path, true)...)
	}
	return list
}

func isLog(path string) (bool, error) {
	_, err := runlog.Read(path, logKind)
	if errors.Is(err, logKind.ErrForeign) {
		return false, nil
	}
	return err == nil, err
}

// IsRunLog reports whether an output would overwrite the log of a run.
func IsRunLog(u output.FileUse) bool {
	if u.Read || u.Path == "" || !output.IsRegular(u.Info) {
		return false
	}
	run, err := runlog.Read(output.RealPath(u.Path), logKind)
	return err == nil && run.Manifest != nil
}
