package games_test

import (
	"context"
	"fmt"

	"qhsh/engine/games"
)

// The table knows what is particular to each game, such as a fast perft.
func ExampleTable() {
	game := games.Default.DefaultGame()
	nodes, err := games.Default.Perft(context.Background(), game.Start(), 2)
	fmt.Println(game.Name(), nodes, err)
	// Output:
	// xiangqi 1920 <nil>
}

// A game's options are values by name, as a user writes them.
func ExampleTable_New() {
	game, err := games.Default.New("quoridor", games.Values{"size": "5", "walls": "3"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(game.Start())
	_, err = games.Default.New("quoridor", games.Values{"cells": "5"})
	fmt.Println(err)
	// Output:
	// 5 b C5/3 C1/3 -
	// Quoridor has no option "cells"
}

// A row has nothing in its fields for what a game has not: not every game has several sets of rules on
// repetition.
func ExampleRow() {
	for _, game := range games.Default.Games() {
		if row := games.Default.Row(game); row.RuleSets != nil {
			fmt.Println(game.Name(), row.RuleSets)
		}
	}
	// Output:
	// xiangqi [asian wxf chinese computer]
}
