//go:build !unix

package main

import "os"

func switchesOf(*os.ProcessState) int64 { return 0 }
