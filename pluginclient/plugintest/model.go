package plugintest

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"qhsh/pluginclient"
)

// A Line is a line of a conversation and its time.
type Line struct {
	At   time.Duration // since the start
	Text string
}

// A Conversation is a finished conversation. A line of the host never comes at the same time as an
// answer that takes whole seconds, so their order is clear.
type Conversation struct {
	Sent     []Line        // by the host; lines of the same time were sent in one write
	End      time.Duration // of the host's input
	Received []Line        // from the server
}

// CheckConversations draws conversations from commands, some of which have several lines, runs them
// with a server in a synctest bubble, and passes each to judge. It checks that the server ends soon
// after its input.
func CheckConversations(t *testing.T, start pluginclient.Starter, commands []string, judge func(rt *rapid.T, talk *Conversation)) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		talk := drawConversation(rt, commands)
		var took time.Duration
		synctest.Test(t, func(t *testing.T) { took = talk.run(t, start) })
		rt.Logf("said %v, end %v\nheard %v", talk.Sent, talk.End, talk.Received)
		if took > mostAfterEnd {
			rt.Fatalf("the server ended %v after its input", took)
		}
		judge(rt, talk)
	})
}

func drawConversation(rt *rapid.T, commands []string) *Conversation {
	const odd = 7 * time.Millisecond // so that no write happens at a whole second
	pauses := rapid.Custom(func(rt *rapid.T) time.Duration {
		return odd + time.Duration(rapid.SampledFrom([]int{0, 0, 1, 2, 3, 5, 20}).Draw(rt, "seconds"))*time.Second
	})
	talk := &Conversation{}
	for _, command := range rapid.SliceOfN(rapid.SampledFrom(commands), 1, 12).Draw(rt, "commands") {
		for text := range strings.SplitSeq(command, "\n") {
			if rapid.Bool().Draw(rt, "another write") {
				talk.End += pauses.Draw(rt, "pause")
			}
			talk.Sent = append(talk.Sent, Line{talk.End, text})
		}
	}
	if rapid.Bool().Draw(rt, "a pause before the end") {
		talk.End += pauses.Draw(rt, "pause")
	}
	return talk
}

// run sends the lines, and returns how long after its input the server ended.
func (talk *Conversation) run(t *testing.T, start pluginclient.Starter) time.Duration {
	t.Helper()
	streams, err := start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lines := bufio.NewScanner(streams.Stdout); lines.Scan(); {
			talk.Received = append(talk.Received, Line{time.Since(begun), lines.Text()})
		}
	}()
	for rest := talk.Sent; len(rest) > 0; {
		n, text := 0, ""
		for ; n < len(rest) && rest[n].At == rest[0].At; n++ {
			text += rest[n].Text + "\n"
		}
		time.Sleep(time.Until(begun.Add(rest[0].At)))
		// A server that has ended does not read on.
		_, _ = io.WriteString(streams.Stdin, text)
		synctest.Wait()
		rest = rest[n:]
	}
	time.Sleep(time.Until(begun.Add(talk.End)))
	streams.Stdin.Close()
	<-done
	_ = streams.Wait()
	return time.Since(begun) - talk.End
}
