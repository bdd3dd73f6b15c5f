package manual

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRoff(t *testing.T) {
	const page = "# Title\n\n" +
		"First `a-b` **bold**\n.dot [x](y.md) it's\n\n" +
		"A list:\n- one\n  more\n- `two`\n\n" +
		"## Part \"two\"\n\n" +
		"```sh\n$ echo 'a\\n' `b` ~ ^\n\n.TH\n'quoted\n```\n" +
		"After it 炮二\n\n" +
		"| name | of | |\n|---|---|---|\n| `-x N` | all | a \\| b |\n| .y | | z |\n"
	const want = `.TH "QHSH\-X" 1 "2026-01-02" "qhsh 1"
.nh
.ad l
.SH NAME
qhsh\-x \- do \[u00E9]
First \fBa\-b\fR \fBbold\fR
\&.dot x@y.md it\(aqs
.PP
A list:
.IP \(bu 2
one
more
.IP \(bu 2
\fBtwo\fR
.SH "PART \(dqTWO\(dq"
.RS 4
.nf
$ echo \(aqa\en\(aq \(gab\(ga \(ti \(ha
\&
\&.TH
\(aqquoted
.fi
.RE
.PP
After it \[u70AE]\:\[u4E8C]\:
.TP
\fB\-x N\fR
all: a | b
.TP
\&.y
z
`
	h := Header{Name: "qhsh-x", Section: 1, Summary: "do é", Date: "2026-01-02", Source: "qhsh 1"}
	got := Roff(h, page, func(text, target string) string { return text + "@" + target })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
