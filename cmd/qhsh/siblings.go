package main

import (
	"qhsh/pluginclient/task/match"
	"qhsh/pluginclient/task/output"
)

// siblings are the files that a match keeps beside -o.
func (c *matchAction) siblings() []output.Sibling {
	if c.out == "" {
		return nil
	}
	own := func(path string) (bool, error) { return output.Begins(path, match.Begins) }
	return []output.Sibling{{Path: match.SortingPath(c.out), Own: own}}
}
