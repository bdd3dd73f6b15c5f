package attach_test

import (
	"context"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/attach"
)

// Open starts the engine of a SPEC. Whatever it speaks, the Session is the same.
func ExampleOpen() {
	ctx := context.Background()
	session, err := attach.Open(ctx, "builtin,hash=1", attach.Options{Games: games.Default})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	pos, err := session.Position().Game().Position("3k5/9/9/9/9/9/9/9/4R4/R4K3 w")
	if err != nil {
		fmt.Println(err)
		return
	}
	lines, err := engine.Best(ctx, session, pos, engine.Limits{Nodes: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(session.Info().Name, pos.Format(lines[0].Move()), lines[0].Score)
	// Output:
	// qhsh A0-D0 mate 1
}

// Parse reads a SPEC, which may be a name of engines.json, and starts nothing.
func ExampleParse() {
	o := attach.Options{Games: games.Default, Names: map[string]string{"strong": "builtin,nodes=100000"}}
	d, err := attach.Parse("strong", o)
	fmt.Println(d.Spec, d.Game.Name(), err)
	_, err = attach.Parse("qh,dir=/tmp", o)
	fmt.Println(err)
	// Output:
	// builtin,nodes=100000 xiangqi <nil>
	// engine specification "qh,dir=/tmp": a command line is missing, as in qh:./engine
}

// Complete completes a SPEC that is being typed.
func ExampleKinds_Complete() {
	found := attach.DefaultKinds(games.Default).Complete("builtin,off=null", nil, "")
	for _, c := range found {
		fmt.Println(c.Text)
	}
	// Output:
	// builtin,off=nullmove
	// builtin,off=nullverify
}
