package attach

import (
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
)

// TestBridgeState: an engine that dies is lost. The state reports it if the call of the Session
// failed, but not if the plugin in front answered with ERROR. Both restart the engine.
func TestBridgeState(t *testing.T) {
	m := &plugintest.FaultyEngine{
		Engine:    uci.UCI.InProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "served"}).Start,
		OnCommand: plugintest.On("go", plugintest.Action{Die: true}),
	}
	native, err := uci.UCI.Dial(t.Context(), pluginclient.Program{Name: "mortal", Start: m.Start}, uci.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewBridge(t.Context(), native, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	says := func(line, want string) {
		t.Helper()
		if answer, err := s.Raw(t.Context(), line); err != nil || len(answer) != 1 || !strings.HasPrefix(answer[0], want) {
			t.Errorf("%s: %q, %v, want %s", line, answer, err, want)
		}
	}
	expect := func(want pluginclient.Status, reported bool) {
		t.Helper()
		if got := s.State(); got.Status != want || got.Reported != reported {
			t.Errorf("%+v, want %d, %v", got, want, reported)
		}
	}
	says("AI", "ERROR")
	expect(pluginclient.StatusLost, false)
	says("LEVEL", "5")
	if _, err := engine.Best(t.Context(), s, xiangqi.Start(), engine.Limits{}); !pluginclient.Lost(err) {
		t.Error(err)
	}
	expect(pluginclient.StatusLost, true)
	says("AI", "ERROR")
	expect(pluginclient.StatusLost, false)
	m.StopFaults()
	says("AI", "H2-H3")
	expect(pluginclient.StatusRunning, false)
}
