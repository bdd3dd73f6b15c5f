package gamefile

import (
	"errors"
	"os"
	"path/filepath"
)

// Files returns the files that the arguments of a program name, and the game files of folders among
// them, in the order of the arguments. It is an error if there are none.
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
		inside, err := filepath.Glob(filepath.Join(arg, "*"+Extension))
		if err != nil {
			return nil, err
		}
		list = append(list, inside...)
	}
	if len(list) == 0 {
		return nil, errors.New("no game files: name files, or a folder that has some")
	}
	return list, nil
}
