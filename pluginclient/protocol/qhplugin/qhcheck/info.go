package qhcheck

import (
	"slices"
	"strings"
	"time"

	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
)

// infoExit is enough time for a program in info mode to exit on any machine: the specification names
// none.
const infoExit = 5 * time.Second

// readInfoBlock runs the plugin in info mode, once per examination.
func readInfoBlock(e *exam) error {
	if e.infoRead {
		return e.blockErr
	}
	talk := e.NewProcess(e.plugin.Info)
	defer talk.Kill()
	if err := talk.Start(e.Context); err != nil {
		return err
	}
	b := qhplugin.Block{}
	for !slices.Contains(b.Lines, "ENDINFO") {
		text, err := talk.Line(e.Context, e.Deadlines.Start)
		if err != nil {
			break
		}
		b.Lines = append(b.Lines, strings.TrimRight(text, " \t"))
	}
	limit := max(e.Deadlines.Quit, infoExit)
	rest, status, err := talk.WaitExit(e.Context, limit)
	if e.Err() != nil {
		return e.MissingReply("the info block", err)
	}
	b.Lines, b.Status = append(b.Lines, rest...), status
	if err != nil {
		b.Stays = limit
	}
	if rest := talk.Partial(); rest != "" {
		b.Lines, b.Half = append(b.Lines, rest), true
	}
	if len(b.Lines) == 0 {
		e.blockErr = check.Faultf("an info block", "no output")
	}
	for i, text := range b.Lines {
		b.Lines[i] = strings.TrimRight(text, " \t")
	}
	e.infoRead, e.block = true, b
	e.info, _, _ = qhplugin.ParseInfo(strings.Join(b.Lines, "\n"))
	return e.blockErr
}

func informs(rule string) step {
	return func(e *exam) error {
		for _, found := range e.block.Judge() {
			if found.Rule == rule {
				return &check.Fault{Expected: found.Expected, Got: found.Got}
			}
		}
		return nil
	}
}
