package qhplugin_test

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient/protocol/qhplugin"
)

// Serve makes any Searcher of Xiangqi a plugin: this is what 'qhsh -plugin' does.
func ExampleServer_Serve() {
	embedded, err := search.New(search.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	in, host := io.Pipe()
	out, plugin := io.Pipe()
	ended := make(chan error)
	go func() {
		ended <- (&qhplugin.Server{Searcher: embedded, Name: "qhsh"}).Serve(context.Background(), in, plugin)
	}()
	replies := bufio.NewScanner(out)
	for _, command := range []string{"FEN 3k5/9/9/9/9/9/9/9/4R4/R4K3 w", "LEVEL 1", "AI", "QUIT"} {
		fmt.Fprintln(host, command)
		replies.Scan()
		fmt.Println(replies.Text())
	}
	host.Close()
	fmt.Println(<-ended)
	// Output:
	// OK
	// OK
	// A0-D0
	// BYE
	// <nil>
}

// Dial makes any plugin a Searcher. Program has the plugin of a command line; here it is a Server
// in the same process.
func ExampleDial() {
	embedded, err := search.New(search.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	client, err := qhplugin.Dial(ctx, qhplugin.InProcess(&qhplugin.Server{Searcher: embedded, Name: "example"}), qhplugin.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	pos, err := xiangqi.ParseFEN("3k5/9/9/9/9/9/9/9/4R4/R4K3 w")
	if err != nil {
		fmt.Println(err)
		return
	}
	lines, err := engine.Best(ctx, client, pos, engine.Limits{Level: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(client.Info().Name, pos.Format(lines[0].Move()), lines[0].Score)
	// Output:
	// example A0-D0 mate 1
}
