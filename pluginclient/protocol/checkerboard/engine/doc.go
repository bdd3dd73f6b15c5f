// Command engine is the embedded engine of checkers as a library for CheckerBoard and whatever else
// loads its engines:
//
//	go build -buildmode=c-shared -o libqhsh.so ./pluginclient/protocol/checkerboard/engine
//
// On Windows the name is qhsh.dll. The library plays all five variants; it begins with English
// checkers, and "set gametype N" chooses another. It needs cgo, without which this is a program that
// says so.
//
// What CheckerBoard calls is in exports.go; what the calls do is in the files beside it, which know
// nothing of C.
package main
