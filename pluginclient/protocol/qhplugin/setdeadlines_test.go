package qhplugin

import (
	"testing"
	"testing/synctest"
	"time"

	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// TestSetDeadlines: the waits for a running plugin can be changed, and be without an end.
func TestSetDeadlines(t *testing.T) {
	for _, c := range []struct {
		reply, answers time.Duration // the limit, and how long the plugin takes
		want           string
	}{
		{5 * time.Second, 6 * time.Second, "mischief: LEVEL: no answer"},
		{7 * time.Second, 6 * time.Second, ""},
		{time.Second, 6 * time.Second, "mischief: LEVEL: no answer"},
		{pluginclient.NoDeadline, 48 * time.Hour, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var late plugintest.Behaviour
			client := dialMischief(t, &mischief{in: func(line string) act {
				if late != nil && line == "LEVEL" {
					return late(line)
				}
				return obey(line)
			}})
			defer client.Close()
			synctest.Wait()
			late = slow("LEVEL", c.answers)
			if err := pluginclient.SetDeadlines(t.Context(), client, func(d *pluginclient.Deadlines) { d.Reply = c.reply }); err != nil {
				t.Fatal(err)
			}
			if _, err := client.AskLevel(t.Context()); briefly(err) != c.want {
				t.Errorf("limit %v, answer after %v: %v, want %s", c.reply, c.answers, err, c.want)
			}
		})
	}
}
