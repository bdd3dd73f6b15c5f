package main

import "os"

// resized and suspend are for line editing, which consoles do by themselves.
func resized() <-chan os.Signal { return nil }

func suspend() {}
