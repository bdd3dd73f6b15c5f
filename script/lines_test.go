package script

import (
	"strings"
	"testing"

	"qhsh/pluginclient/task/batch"
)

func TestLines(t *testing.T) {
	s := newStage()
	s.Stdin = strings.NewReader("\ufeffone\r\n\n two \nlast")
	s.files["own.txt"] = "4k4/9/9/9/9/9/9/9/9/3K4R w - - bm i0i9; dm 9\n"
	s.files["long.txt"] = strings.Repeat("x", batch.MaxLine+1) + "\nno\n"
	check(t, s, `
print(list(lines()))
own = lines("own.txt")
print(own, type(own), [board(line).fen for line in own], len(list(own)))
print(len(list(lines("long.txt"))))
`, `["one", "", " two ", "last"]
lines("own.txt") lines ["4k4/9/9/9/9/9/9/9/9/3K4R w - - 0 1"] 1
#main.star:5:15: lines: long.txt: line 1: the line is longer than 1048576 bytes
`)
	check(t, s, `lines("/etc/passwd")`, `#main.star:1:6: lines: /etc/passwd: outside the script's folder; scripts can only read their arguments and files in their own folder
`)
	check(t, s, `lines("none.txt")`, `#main.star:1:6: lines: none.txt: no such file or directory; scripts can only read their arguments and files in their own folder
`)
	check(t, s, `
list(lines())
list(lines())`, `#main.star:3:5: lines: -: standard input can be read only once: keep its positions in a list, as in list(positions())
`)
}
