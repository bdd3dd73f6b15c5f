package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime/pprof"

	"qhsh/pluginclient/task/output"
)

// defineProfile defines -cpuprofile, for commands with much computation.
func (f *engineFlags) defineProfile(fs *flag.FlagSet) {
	writesFile(fs, &f.profile, profileFlag, "write a CPU profile of qhsh to `FILE`, for 'go tool pprof'")
}

const profileFlag = "cpuprofile"

// gzipMagic is the start of a profile.
const gzipMagic = "\x1f\x8b"

// A cpuProfile is a running profile. A nil *cpuProfile does nothing.
type cpuProfile struct {
	file *output.File
	err  error // the first write error, which package pprof ignores
}

// startProfile opens the file of -cpuprofile and starts the profile. It returns nil if path is "".
func startProfile(ctx context.Context, path string) (*cpuProfile, error) {
	if path == "" {
		return nil, nil
	}
	file, err := openFlag(ctx, "-"+profileFlag, path)
	if err != nil {
		return nil, err
	}
	p := &cpuProfile{file: file}
	if err := pprof.StartCPUProfile(p); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", file.Name(), err), file.Close())
	}
	return p, nil
}

// Write implements io.Writer for package pprof.
func (p *cpuProfile) Write(b []byte) (int, error) {
	n, err := p.file.Write(b)
	if p.err == nil && err != nil {
		p.err = fmt.Errorf("%s: %w", p.file.Name(), err)
	}
	return n, err
}

// stop ends the profile.
func (p *cpuProfile) stop() error {
	if p == nil {
		return nil
	}
	pprof.StopCPUProfile()
	return errors.Join(p.err, p.file.Close())
}
