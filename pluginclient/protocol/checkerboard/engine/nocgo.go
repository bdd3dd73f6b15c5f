//go:build !cgo

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this is a library, which is built with -buildmode=c-shared and cgo")
	os.Exit(2)
}
