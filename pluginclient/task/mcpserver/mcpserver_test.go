package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/mcpserver"
)

// A toolCall is what an assistant asks for.
type toolCall struct {
	name      string
	arguments map[string]any
}

const repetition = "a6a5 c5c6 a5a6 c6c5 a6a5 c5c6 a5a6 c6c5"

// conversation is that of an assistant who is asked for a mate, a picture of it and the reason of a verdict, and makes mistakes.
var conversation = []toolCall{
	{"position", map[string]any{"fen": "2Rckab1C/4a4/4R3n/p5p2/9/2N6/2P5P/C5r2/4K4/2B2A3 w"}},
	{"analyze", map[string]any{"fen": "2Rckab1C/4a4/4R3n/p5p2/9/2N6/2P5P/C5r2/4K4/2B2A3 w", "lines": 1, "nodes": 1000}},
	{"puzzle", map[string]any{"fen": "2Rckab1C/4a4/4R3n/p5p2/9/2N6/2P5P/C5r2/4K4/2B2A3 w"}},
	{"puzzle", map[string]any{"fen": "3C5/3k5/9/9/9/9/9/1R2r4/4K4/7r1 w"}},
	{"draw", map[string]any{"fen": "2Rckab1C/4a4/4R3n/p5p2/9/2N6/2P5P/C5r2/4K4/2B2A3 w", "arrows": []string{"e7e8"}}},
	{"position", map[string]any{"fen": "2Rckab1C/4a4/4R3n/p5p2/9/2N6/2P5P/C5r2/4K4/2B2A3 w", "moves": []string{"e7e8"}}},
	{"judge", map[string]any{"fen": "3k5/9/9/R8/2c6/9/9/9/9/5K3 w", "moves": strings.Fields(repetition)}},
	{"judge", map[string]any{"fen": "3k5/9/9/R8/2c6/9/9/9/9/5K3 w", "moves": strings.Fields(repetition), "rules": "chess"}},
	{"position", map[string]any{"fen": "3k5/9/9/9/9/9/9/4n4/R8/4K4 w"}},
	{"analyze", map[string]any{"fen": "3k5/9/9/9/9/9/9/4n4/R8/4K4 w", "lines": 1, "level": 1}},
	{"annotate", map[string]any{"game": "1. 炮二平五 马８进７ 2. 炮五进四"}},
	{"annotate", map[string]any{"game": "1. h2e2 e2e4"}},
	{"annotate", map[string]any{"game": ""}},
	{"analyze", map[string]any{"moves": []string{"a0a9"}}},
	{"analyze", map[string]any{"lines": 11}},
	{"analyze", map[string]any{"nodes": 1 << 40}},
	{"analyze", map[string]any{"time": -1}},
	{"analyze", map[string]any{"level": 99}},
	{"analyze", map[string]any{"fen": "3k5/9/9/9/9/9/9/9/r8/r3K4 w"}},
	{"analyze", map[string]any{"engine": "/bin/sh"}},
	{"draw", map[string]any{"arrows": []string{"z9"}}},
	{"explore", map[string]any{}},
}

// TestConversation has an assistant use every tool, by the handshakes of two versions of the protocol.
func TestConversation(t *testing.T) {
	ctx := t.Context()
	pool, err := batch.NewPool(ctx, batch.PoolOptions{Spec: "builtin,eval=small", Open: func(ctx context.Context) (pluginclient.Session, error) {
		one := 1
		return attach.Open(ctx, "builtin,eval=small", attach.Options{Games: games.Default, Level: &one})
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	game := games.Default.DefaultGame()
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		server := mcpserver.New(mcpserver.Options{
			Version: "test", Games: games.Default, Game: game, Pool: pool, Known: games.Default.Known(game),
			Pages: []mcpserver.Page{{Name: "judge", Summary: "judge games", Text: "qhsh judge: ..."}},
		})
		requests, write := io.Pipe()
		read, answers := io.Pipe()
		here := &mcp.IOTransport{Reader: read, Writer: write}
		done := make(chan error, 1)
		go func() { done <- mcpserver.Serve(ctx, server, requests, answers) }()
		client, err := mcp.NewClient(&mcp.Implementation{Name: "assistant", Version: "1"}, nil).
			Connect(ctx, here, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, "testdata/"+version+".txt", transcript(t, client))
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// At the end of the input every request still has its answer.
func TestEndOfInput(t *testing.T) {
	server := mcpserver.New(mcpserver.Options{Version: "test", Games: games.Default, Game: games.Default.DefaultGame()})
	var out strings.Builder
	err := mcpserver.Serve(t.Context(), server, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":`+
		`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"pipe","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"draw","arguments":{"fen":"startpos"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`), &out) // an ID in use gets no second answer
	if lines := strings.Split(out.String(), "\n"); err != nil || len(lines) != 3 || !strings.Contains(lines[1], `"id":2`) {
		t.Errorf("%v: %.1000s", err, out.String())
	}
}

func transcript(t *testing.T, client *mcp.ClientSession) string {
	t.Helper()
	var b strings.Builder
	begun := client.InitializeResult()
	fmt.Fprintf(&b, "%s %s: %s\n", begun.ServerInfo.Name, begun.ProtocolVersion, begun.Instructions)
	tools, err := client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		schema, err := json.Marshal(tool.InputSchema)
		fmt.Fprintf(&b, "%s: %s %s %v\n", tool.Name, tool.Description, schema, err)
	}
	pages, err := client.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range pages.Resources {
		page, err := client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s: %s: %s\n", r.URI, r.Description, page.Contents[0].Text)
	}
	for _, c := range conversation {
		arguments, _ := json.Marshal(c.arguments)
		fmt.Fprintf(&b, "\n> %s %s\n", c.name, arguments)
		reply, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: c.name, Arguments: c.arguments})
		if err != nil {
			fmt.Fprintf(&b, "%v\n", err)
			continue
		}
		if reply.IsError {
			b.WriteString("error: ")
		}
		for _, content := range reply.Content {
			switch content := content.(type) {
			case *mcp.TextContent:
				b.WriteString(strings.TrimSuffix(content.Text, "\n") + "\n")
			case *mcp.ImageContent:
				size, err := png.DecodeConfig(bytes.NewReader(content.Data))
				fmt.Fprintf(&b, "%s, %d x %d pixels %v\n", content.MIMEType, size.Width, size.Height, err)
			}
		}
	}
	return b.String()
}
