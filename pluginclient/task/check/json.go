package check

import (
	"encoding/json"
	"io"
	"time"
)

// jsonReport is the JSON object of a report.
type jsonReport struct {
	Protocol string `json:"protocol"`
	Engine   string `json:"engine,omitempty"`
	Spec     string `json:"spec"`
	OK       bool   `json:"ok"`
	// Unfinished is the number of binding checks not reached.
	Unfinished int          `json:"unfinished,omitempty"`
	Profile    string       `json:"profile,omitempty"`
	Seconds    float64      `json:"seconds"`
	Checks     []jsonResult `json:"checks"`
}

type jsonResult struct {
	Name     string      `json:"name"`
	Section  string      `json:"section"`
	Rule     string      `json:"rule"`
	Binding  bool        `json:"binding"`
	Verdict  Verdict     `json:"verdict"`
	Reason   string      `json:"reason,omitempty"`
	Expected string      `json:"expected,omitempty"`
	Got      string      `json:"got,omitempty"`
	Seconds  float64     `json:"seconds"`
	Talk     []jsonEntry `json:"conversation,omitempty"`
}

// jsonEntry is a line of a conversation. Dir is as in a trace.
type jsonEntry struct {
	Seconds float64 `json:"seconds"` // since the first line
	Dir     string  `json:"dir"`
	Text    string  `json:"text"`
}

func writeJSON(w io.Writer, r *Report, s Style) error {
	out := jsonReport{
		Protocol: r.Protocol, Engine: r.Engine, Spec: r.Spec, OK: r.OK(), Unfinished: r.Unfinished(),
		Profile: r.Profile, Seconds: seconds(r.Took), Checks: []jsonResult{},
	}
	for _, res := range r.Results {
		j := jsonResult{
			Name: res.Name, Section: res.Section, Rule: res.Rule, Binding: !res.Advice,
			Verdict: res.Verdict, Reason: res.Reason, Expected: res.Expected, Got: res.Got, Seconds: seconds(res.Took),
		}
		if s.Verbose || res.Verdict == Failed || res.Verdict == Advised {
			for _, e := range res.Conversation {
				j.Talk = append(j.Talk, jsonEntry{seconds(e.Time.Sub(res.Conversation[0].Time)), e.Dir.String(), e.Text})
			}
		}
		out.Checks = append(out.Checks, j)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// seconds rounds to milliseconds.
func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }
