package notation_test

import (
	"fmt"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// A move is read in any notation.
func ExampleRead() {
	p := xiangqi.Start()
	for _, text := range []string{"H2-E2", "h2e2", "C2=5", "炮二平五"} {
		m, err := notation.Read(p, text)
		fmt.Println(m, err)
	}
	// Output:
	// H2-E2 <nil>
	// H2-E2 <nil>
	// H2-E2 <nil>
	// H2-E2 <nil>
}

// It is written in the notation that is asked for.
func ExampleFormat() {
	p := xiangqi.Start()
	m, err := notation.Read(p, "H2-E2")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, style := range []notation.Style{notation.ICCS, notation.UCI, notation.WXF, notation.Chinese, notation.Traditional, notation.SAN} {
		fmt.Println(style, notation.Format(p.Board(), m, style))
	}
	// Output:
	// iccs H2-E2
	// uci h2e2
	// wxf C2=5
	// chinese 炮二平五
	// traditional 炮二平五
	// san Che2
}
