package library

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"

	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// An engine is the functions of a library.
type engine struct {
	getmove       func(board *abi.Board, color int32, maxtime float64, str *byte, playnow *int32, info, moreinfo int32, move *abi.Move) int32
	enginecommand func(command, reply *byte) int32
	islegal       func(board *abi.Board, color, from, to int32, move *abi.Move) int32 // nil: the library has none
}

func load(path string) (*engine, error) {
	if err := checkBits(path); err != nil {
		return nil, err
	}
	handle, err := open(path)
	if err != nil {
		return nil, err
	}
	e := &engine{}
	for name, function := range map[string]any{"getmove": &e.getmove, "enginecommand": &e.enginecommand, "islegal": &e.islegal} {
		symbol, err := symbol(handle, name)
		switch {
		case err == nil:
			register(function, symbol)
		case name != "islegal":
			return nil, fmt.Errorf("it does not export %s: no CheckerBoard engine", name)
		}
	}
	return e, nil
}

// checkBits is the error of a library that cannot be loaded because it has 32 bits. Anything else is
// for the system to say.
func checkBits(path string) error {
	short := false
	if f, err := pe.Open(path); err == nil {
		short = f.Machine == pe.IMAGE_FILE_MACHINE_I386
		f.Close()
	} else if f, err := elf.Open(path); err == nil {
		short = f.Class == elf.ELFCLASS32
		f.Close()
	} else if f, err := macho.Open(path); err == nil {
		short = f.Magic == macho.Magic32
		f.Close()
	}
	if short {
		return errors.New("it is a library of 32 bits, as most engines for CheckerBoard on Windows are: this program loads libraries of 64 bits")
	}
	return nil
}
