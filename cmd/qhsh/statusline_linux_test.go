package main

import (
	"bufio"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// TestNarrowTerminal: the status line stays on one row, also while the terminal gets narrower.
func TestNarrowTerminal(t *testing.T) {
	master, slave := openPTY(t)
	defer master.Close()
	defer slave.Close()
	resize := func(width uint16) {
		control(t, master, func(fd int) error {
			return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: width})
		})
	}
	line := &statusLine{command: "test", w: slave, on: true}
	resize(20)
	line.draw("100/100 a name that is too long")
	resize(10)
	line.draw("100/100 a name")
	line.draw("x")
	line.clear()
	fmt.Fprintln(slave, "end")
	got, err := bufio.NewReader(master).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	want := "\r100/100 a name that" +
		"\r100/100 a" +
		"\rx        " +
		"\r \r" + "end\r\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
