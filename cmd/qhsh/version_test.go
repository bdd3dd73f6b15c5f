package main

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"qhsh/pluginclient"
)

// TestBuild: what the Go tool records about a build is told, as far as it is there.
func TestBuild(t *testing.T) {
	end := " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	for _, c := range []struct {
		settings []debug.BuildSetting
		text     string
		json     string // without go, os and arch
	}{
		{nil, "qhsh " + pluginclient.Version, `{"version":"` + pluginclient.Version + `",`},
		{
			[]debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "false"}, {Key: "vcs.time", Value: "2026-11-23T01:02:03Z"}},
			"qhsh " + pluginclient.Version + " (0123456789ab, 2026-11-23)",
			`{"version":"` + pluginclient.Version + `","commit":"0123456789abcdef","time":"2026-11-23T01:02:03Z",`,
		},
		{
			[]debug.BuildSetting{{Key: "vcs.revision", Value: "01234"}, {Key: "vcs.modified", Value: "true"}},
			"qhsh " + pluginclient.Version + " (01234, modified)",
			`{"version":"` + pluginclient.Version + `","commit":"01234","modified":true,`,
		},
	} {
		b := buildOf(&debug.BuildInfo{Settings: c.settings})
		for format, want := range map[string]string{
			"text": c.text + end + "\n",
			"json": c.json + `"go":"` + runtime.Version() + `","os":"` + runtime.GOOS + `","arch":"` + runtime.GOARCH + "\"}\n",
		} {
			f, _ := versionFormats.ByName(format)
			var got strings.Builder
			if err := f.Write(&got, b); err != nil {
				t.Fatal(err)
			}
			if got.String() != want {
				t.Errorf("got  %swant %s", got.String(), want)
			}
		}
	}
	if got := buildOf(nil).String(); got != "qhsh "+pluginclient.Version+end {
		t.Errorf("without any information: %s", got)
	}
}

func TestVersionFormats(t *testing.T) {
	got := runQhsh(t.Context(), nil, "version", "-format", "xml")
	want := outcome{exitUsage, "", "qhsh version: -format xml: want text or json\nrun 'qhsh help version' for its usage\n"}
	if got != want {
		t.Errorf("got %+v", got)
	}
	if got = runQhsh(t.Context(), nil, "version", "-format=json"); got.status != exitOK || !strings.HasPrefix(got.stdout, `{"version":"`+pluginclient.Version+`"`) {
		t.Errorf("got %+v", got)
	}
}
