package main

import "os"

// resized and suspend are for line editing, which consoles do by themselves.
func resized() <-chan os.Signal { return nil }

func suspend() {}

// A sharedInput is a console that a text editor can use. Its input is not shared: notepad, the usual
// editor, has a window of its own.
type sharedInput struct{ file *os.File }

func (s *sharedInput) lend() (end func()) { return func() {} }

// Read implements io.Reader.
func (s *sharedInput) Read(p []byte) (int, error) { return s.file.Read(p) }
