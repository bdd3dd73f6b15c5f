package xiangqi_test

import (
	"fmt"
	"sync/atomic"

	"qhsh/engine/xiangqi"
)

func ExampleParseFEN() {
	p, err := xiangqi.ParseFEN("3k5/9/9/9/9/9/9/9/4R4/R4K3 w")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := p.Parse("A0-D0")
	if err != nil {
		fmt.Println(err)
		return
	}
	next, err := p.Play(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(next, next.Result())

	_, err = xiangqi.ParseFEN("4k4/9/9/9/9/9/9/9/9/4K4 w")
	fmt.Println(err)
	// Output:
	// 3k5/9/9/9/9/9/9/9/4R4/3R1K3 b - - 1 1 first wins by checkmate
	// the kings face each other on file E
}

// The error of an illegal move says why it is illegal.
func ExamplePosition_Parse() {
	_, err := xiangqi.Start().Parse("B0-D1")
	fmt.Println(err)
	// Output:
	// B0-D1: the horse is blocked at C0
}

// A side that repeats its checks loses, whatever the rules; the ruling says so in words.
func ExampleRuleSet_Judge() {
	p, err := xiangqi.ParseFEN("3k5/9/9/9/9/9/9/9/4R4/5K3 w")
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		for _, text := range []string{"E1-D1", "D9-E9", "D1-E1", "E9-D9"} {
			m, err := xiangqi.ParseMove(text)
			if err != nil {
				fmt.Println(err)
				return
			}
			if p, err = p.PlayMove(m); err != nil {
				fmt.Println(err)
				return
			}
		}
	}
	ruling := xiangqi.Asian.Judge(p)
	fmt.Println(ruling.Result)
	fmt.Println(ruling)
	// Output:
	// second wins by perpetual check
	// loss by perpetual check
	// cycle of 4 plies, the position stands for the 3rd time, asian rules
	//   red    E1-D1  checks
	//   black  D9-E9
	//   red    D1-E1  checks
	//   black  E9-D9
	// red checks with every move
	// black does nothing that is forbidden
}

func ExamplePerftUntil() {
	for depth := range 4 {
		fmt.Println(depth, xiangqi.PerftUntil(xiangqi.Start(), depth, new(atomic.Bool)))
	}
	// Output:
	// 0 1
	// 1 44
	// 2 1920
	// 3 79666
}
