package gamefile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Files returns the files that the arguments of a program name, and the game files of folders among
// them, in the order of the arguments. It is an error if there are none, or one file twice.
func Files(args []string) (list []string, err error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return nil, err
		case !info.IsDir():
			list = append(list, arg)
			continue
		}
		inside, err := fs.Glob(os.DirFS(arg), "*"+Extension) // the path of the folder is no pattern
		if err != nil {
			return nil, err
		}
		for _, name := range inside {
			list = append(list, filepath.Join(arg, name))
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no games: name files, or a folder that has some with the extension %s", Extension)
	}
	return list, refuseTwice(list)
}

// refuseTwice returns an error if two names are those of one file, whose games would count twice.
func refuseTwice(names []string) error {
	var infos []os.FileInfo
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(infos, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			return fmt.Errorf("%s: named twice", name)
		}
		infos = append(infos, info)
	}
	return nil
}
