//go:build cgo

package main

// #include <stdint.h>
// #if defined(_WIN32) && !defined(_WIN64)
// #error "CheckerBoard's calling convention of 32 bits cannot be exported by Go: build for 64 bits"
// #endif
import "C"

import (
	"unsafe"

	"qhsh/pluginclient/protocol/checkerboard/abi"
)

func main() {}

// shared is the engine of the process: the API has no handles.
var shared = newPlayer()

//export getmove
func getmove(board unsafe.Pointer, color C.int, maxtime C.double, str *C.char, playnow *C.int, info, moreinfo C.int, move unsafe.Pointer) C.int {
	request := moveRequest{
		board: (*abi.Board)(board), color: int32(color), maxtime: float64(maxtime), info: int32(info), moreinfo: int32(moreinfo),
		playnow: (*int32)(unsafe.Pointer(playnow)), status: memory(str, abi.StatusSize), move: (*abi.Move)(move),
	}
	return C.int(shared.getmove(request))
}

//export enginecommand
func enginecommand(command, reply *C.char) C.int {
	return C.int(shared.command(abi.Text(terminated(command, abi.CommandSize*16)), memory(reply, abi.ReplySize)))
}

//export islegal
func islegal(board unsafe.Pointer, color, from, to C.int, move unsafe.Pointer) C.int {
	return C.int(shared.islegal((*abi.Board)(board), int32(color), int(from), int(to), (*abi.Move)(move)))
}

// memory is a caller's buffer; none if there is none.
func memory(p *C.char, size int) []byte {
	if p == nil {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), size)
}

// terminated is a caller's text up to its NUL. Nothing behind that is touched, which need not be
// the caller's.
func terminated(p *C.char, most int) []byte {
	if p == nil {
		return nil
	}
	for n := range most {
		if *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) == 0 {
			return unsafe.Slice((*byte)(unsafe.Pointer(p)), n)
		}
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), most)
}
