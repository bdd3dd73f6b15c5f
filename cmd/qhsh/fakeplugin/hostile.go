package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"qhsh/pluginclient/protocol/qhplugin"
)

// hostile is text that a terminal executes or reorders: it clears the screen, sets the window
// title, inverts colours, moves the cursor back, is not UTF-8, and is a script in a page.
const hostile = "\x1b[2J\x1b]0;PWNED\a\x1b[7;31m\u009b2J\u202e\u2066\b\x7f\xff" +
	`</script></text></title>-->"'><svg onload='console.log("hostile text ran")'><script>console.log('hostile text ran')</script>`

// hostilePlugin is a program whose output is full of hostile text: its name, its levels, its
// answers and its stderr. With -uci it speaks UCI.
func hostilePlugin() {
	die := flag.Bool("die", false, "die when asked to think")
	scores := flag.Bool("scores", false, "give hints that can be read")
	universal := flag.Bool("uci", false, "speak UCI")
	info := flag.Bool("info", false, "info mode")
	_ = flag.Bool("plugin", false, "plugin mode")
	flag.Parse()
	server := &qhplugin.Server{Searcher: fake{searches: new(int), every: 1, die: *die, words: "LAST" + hostile}, Name: "NAME" + hostile, Text: []string{"TEXT" + hostile}}
	if *info {
		text := strings.ReplaceAll(server.Info().String(), "first move", "LEVEL"+hostile)
		_, _ = io.WriteString(os.Stdout, text)
		return
	}
	fmt.Fprintln(os.Stderr, "STDERR"+hostile)
	if *universal {
		speakUCI()
		return
	}
	in, out := io.Pipe()
	go func() {
		_ = server.Serve(context.Background(), os.Stdin, out)
		out.Close()
	}()
	for lines := bufio.NewScanner(in); lines.Scan(); {
		line := lines.Text()
		word, _, _ := strings.Cut(line, " ")
		switch {
		case word == "OK", word == "ERROR":
			line = word + " - " + word + hostile
		case strings.Contains(line, " score ") && !*scores:
			line = word + " HINT" + hostile
		case strings.HasPrefix(strings.TrimSpace(line), "A  B"):
			line += " SCR" + hostile
		}
		fmt.Println(line)
	}
}

// speakUCI answers what it must, and everything else with hostile text.
func speakUCI() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch lines.Text() {
		case "uci":
			fmt.Println("id name NAME" + hostile + "\nuciok")
		case "isready":
			fmt.Println("readyok")
		case "quit":
			return
		default:
			fmt.Println("info string SAYS" + hostile)
		}
	}
}
