//go:build unix

package main

import (
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// resized returns a channel that receives changes of the terminal's size.
func resized() <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	return c
}

// suspend stops the process group, as Ctrl-Z does, and returns when it is continued. It waits only
// for a limited time, since the system does not stop a group that no shell could continue.
func suspend() {
	const most = 500 * time.Millisecond
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	_ = syscall.Kill(0, syscall.SIGTSTP)
	select {
	case <-continued:
	case <-time.After(most):
	}
}

// A sharedInput is a terminal that another program can use for a while. A Read in progress must not
// take the keys of that program, so it waits for input first.
type sharedInput struct {
	file *os.File
	mu   sync.Mutex // held while file is read, and while another program uses it
}

// lend waits until no goroutine reads the terminal. Reads resume when the returned function is called.
func (s *sharedInput) lend() (end func()) {
	s.mu.Lock()
	return s.mu.Unlock
}

// Read implements io.Reader.
func (s *sharedInput) Read(p []byte) (int, error) {
	for {
		if err := s.wait(nil); err != nil {
			return 0, err
		}
		if n, err := s.readNow(p); n > 0 || err != nil {
			return n, err
		}
	}
}

// readNow reads if there is still input, which another program may have read meanwhile.
func (s *sharedInput) readNow(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch err := s.wait(&unix.Timeval{}); {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return 0, nil
	case err != nil:
		return 0, err
	}
	return s.file.Read(p)
}

// wait waits for input or the end of the terminal, or for as long as most, if it is not nil: then the
// error is os.ErrDeadlineExceeded. It does not use poll, which does not know the terminals of macOS.
func (s *sharedInput) wait(most *unix.Timeval) error {
	fd := int(s.file.Fd())
	for {
		var ready unix.FdSet
		ready.Set(fd)
		n, err := unix.Select(fd+1, &ready, nil, nil, most)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return err
		case n == 0:
			return os.ErrDeadlineExceeded
		}
		return nil
	}
}
