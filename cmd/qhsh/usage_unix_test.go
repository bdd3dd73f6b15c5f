//go:build unix

package main

import (
	"os"
	"syscall"
)

func switchesOf(p *os.ProcessState) int64 {
	used := p.SysUsage().(*syscall.Rusage)
	return int64(used.Nvcsw) + int64(used.Nivcsw)
}
