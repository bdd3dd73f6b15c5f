package record

import "testing"

func TestKnown(t *testing.T) {
	for value, want := range map[string]string{
		"": "", "?": "", "？": "", "????": "", "-": "", " . ": "", "Unknown": "", "N.N.": "", "未知": "", " 佚名 ": "",
		"红方": "", "黑方": "", "紅方": "", "红": "", "黑": "", "Red": "", "RED ": "", "White": "White", "红棋": "", "Redmond": "Redmond", "黑马": "黑马",
		"Hu": "Hu", "胡荣华": "胡荣华", "3": "3", "Hu?": "Hu?", "Nn Ho": "Nn Ho",
	} {
		tags := Tags{{"Red", value}}
		if got := tags.Known("red"); got != want {
			t.Errorf("%q: %q", value, got)
		}
	}
}
