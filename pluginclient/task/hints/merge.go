package hints

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/stats"
	"qhsh/pluginclient/task/runlog"
)

// Merge combines the outputs of all shards of a run, in any formats, into the output and log of an
// undivided run. The shards' logs, next to their outputs, are compared; the error is a *RefusedError if
// they are not from the same run. Of the options, Output, Format, Game and Warn are used.
func Merge(ctx context.Context, o Options, paths []string) (summary Summary, err error) {
	parts, err := readParts(o.Format.Name, paths)
	if err != nil {
		return summary, err
	}
	whole := parts[0].Manifest
	whole.Shard, whole.Format = "", o.Format.Name
	o.Format, _ = batch.Formats(whole.Lines).ByName(o.Format.Name)
	r, err := Open(ctx, o)
	if err != nil {
		return summary, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	r.describe(&whole)
	if r.log != nil {
		r.log.Begin(runlog.MarshalLine(&whole))
	}
	isText := slices.Contains([]string{"json", "epd", "text"}, o.Format.Name) &&
		!slices.ContainsFunc(parts, func(p part) bool { return p.Format != o.Format.Name })
	if isText {
		err = r.dest.(*stream).mergeText(ctx, o.Format.Name, parts)
	} else {
		err = r.mergeAnswers(ctx, parts)
	}
	summary, r.checksum = sumSummaries(parts), parts[0].finished.Input
	if err == nil {
		err = r.Finish(summary)
	}
	return summary, err
}

// mergeAnswers reads the answers of parts of any formats, and writes them. For the position after the
// moves, where the output has it and a part has not, it needs the rules of the game.
func (r *Run) mergeAnswers(ctx context.Context, parts []part) error {
	answers := make([]func() (batch.Answer, error, bool), len(parts))
	for i, p := range parts {
		next, stop := iter.Pull2(stats.ReadAnswers(ctx, p.path, nil))
		defer stop()
		answers[i] = next
	}
	var game engine.Game
	hasPosition := !slices.Contains([]string{"csv", "json", "text"}, r.Format.Name)
	for i := 0; ; i++ {
		part := parts[i%len(parts)]
		a, err, ok := answers[i%len(parts)]()
		if !ok {
			return nil
		}
		if err == nil && hasPosition && !a.IsBad() && a.After == "" {
			if game == nil {
				game, err = r.Game(part.Spec)
			}
			if err == nil {
				item := batch.Record{Text: a.Text, Moves: a.Moves}.Item(game)
				a.Pos, err = item.Pos, item.Err
			}
			if err != nil {
				err = fmt.Errorf("%s: the position of line %d: %w", part.path, a.Line, err)
			}
		}
		if err == nil {
			err = r.dest.Write(a)
		}
		if err != nil {
			return err
		}
	}
}

// A part is the output of a shard's finished run.
type part struct {
	Manifest
	path     string
	shard    batch.Shard
	finished *Finished
}

// readParts returns the parts in shard order.
func readParts(format string, paths []string) ([]part, error) {
	var parts []part
	for _, path := range paths {
		p, err := readPart(path)
		if err != nil {
			return nil, err
		}
		if p.Format != format && (p.Format == "epd" || p.Format == "text") {
			return nil, refusef("%s is in format %s, which does not have all of an answer, but the output is in %s: use the same format", path, p.Format, format)
		}
		if len(parts) > 0 {
			if err := p.checkSameRun(parts[0]); err != nil {
				return nil, err
			}
		}
		parts = append(parts, p)
	}
	return sortParts(parts)
}

func readPart(path string) (p part, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return p, &RefusedError{err}
	}
	log := runlog.Path(path)
	run, err := runlog.Read(log, logKind)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, refusef("%s: its log %s is missing: copy it to the same folder", path, log)
	case err != nil:
		return p, &RefusedError{err}
	}
	p.path = path
	if p.finished, err = parseFinished(run); err == nil && p.finished == nil {
		return p, refusef("%s: unfinished run: finish it with -resume", path)
	}
	if err == nil {
		err = json.Unmarshal(run.Manifest, &p.Manifest)
	}
	if err != nil {
		return p, refusef("%s: %w", log, err)
	}
	if p.Shard == "" {
		return p, refusef("%s is not a shard: its run had no -shard", path)
	}
	if p.shard, err = batch.ParseShard(p.Shard); err != nil {
		return p, refusef("%s: shard %q: %w", log, p.Shard, err)
	}
	if info.Size() != p.finished.Bytes {
		return p, refusef("%s has %d bytes instead of %d: it has changed since its run finished", path, info.Size(), p.finished.Bytes)
	}
	return p, nil
}

// checkSameRun returns an error if p and first are from different runs.
func (p *part) checkSameRun(first part) error {
	theirs, ours := p.Manifest, first.Manifest
	theirs.Shard, ours.Shard, theirs.Format, ours.Format = "", "", "", ""
	differ, err := ours.differences(runlog.MarshalLine(theirs))
	if err != nil {
		return err
	}
	if p.shard.Of != first.shard.Of {
		differ = append(differ, fmt.Sprintf("the number of shards is %d there and %d here", p.shard.Of, first.shard.Of))
	}
	if len(differ) == 0 && p.finished.Input != first.finished.Input {
		differ = append(differ, "the inputs differ")
	}
	if len(differ) > 0 {
		return refusef("%s (there) and %s (here) are not shards of the same run: %s", p.path, first.path, strings.Join(differ, "; "))
	}
	return nil
}

// sortParts returns the parts in shard order. Each shard must occur exactly once.
func sortParts(parts []part) ([]part, error) {
	if len(parts) == 0 {
		return nil, refusef("no files to merge")
	}
	all, total := make([]part, parts[0].shard.Of), 0
	for _, p := range parts {
		at := &all[p.shard.Number-1]
		if at.path != "" {
			return nil, refusef("%s and %s are both shard %s", at.path, p.path, p.shard)
		}
		*at = p
		total += p.finished.Summary.Positions
	}
	var missing []string
	for i, p := range all {
		switch {
		case p.path == "":
			missing = append(missing, batch.Shard{Number: i + 1, Of: len(all)}.String())
		case len(parts) == len(all) && p.finished.Summary.Positions != p.shard.Count(total):
			return nil, refusef("%s has %d answers, expected %d for shard %s of %d positions", p.path, p.finished.Summary.Positions, p.shard.Count(total), p.shard, total)
		}
	}
	if len(missing) > 0 {
		return nil, refusef("missing shard %s", strings.Join(missing, ", "))
	}
	return all, nil
}

func sumSummaries(parts []part) Summary {
	sum := parts[0].finished.Summary
	for _, p := range parts[1:] {
		f := p.finished.Summary
		sum.Positions += f.Positions
		sum.Total += f.Total
		sum.Errors += f.Errors
		sum.Scored += f.Scored
		sum.Solved += f.Solved
		sum.Cached += f.Cached
		sum.Equal += f.Equal
		sum.Restarts += f.Restarts
		sum.Resumed += f.Resumed
		sum.Seconds += f.Seconds
	}
	if sum.Seconds > 0 {
		sum.Rate = float64(sum.Positions-sum.Resumed) / sum.Seconds
	}
	return sum
}
