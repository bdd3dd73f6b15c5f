package main

import (
	"qhsh/engine/filelock"
	"qhsh/pluginclient/task/match"
	"qhsh/pluginclient/task/output"
)

// siblings returns the files that a match keeps beside -o.
func (c *matchAction) siblings() []output.Sibling {
	if c.out == "" {
		return nil
	}
	own := func(path string) (bool, error) { return output.HasPrefix(path, match.ManifestPrefix) }
	path := c.out
	if real, err := filelock.Resolve(path); err == nil {
		path = real
	}
	return []output.Sibling{{Path: filelock.TempPath(path), Own: own}}
}
