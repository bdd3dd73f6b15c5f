package hints

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/runlog"
)

// Merge writes the outputs of all shards of a run as the one of a run that was not divided, with its
// log. Their logs, which lie beside them, show whether they belong together. The error is a
// *RefusedError if they do not. Of the options the Output, the Format and Say count.
func Merge(ctx context.Context, o Options, paths []string) (summary Summary, err error) {
	parts, err := readParts(o.Format.Name, paths)
	if err != nil {
		return summary, err
	}
	r, err := Open(ctx, o)
	if err != nil {
		return summary, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	whole := parts[0].Manifest
	whole.header.Shard = ""
	if r.log != nil {
		err = r.beginNew(&whole)
	}
	if err == nil {
		err = r.dest.merge(ctx, parts)
	}
	summary, r.checksum = sumSummaries(parts), parts[0].finished.Input
	if err == nil {
		err = r.Finish(ctx, summary)
	}
	return summary, err
}

// A part is the output of the finished run of a shard.
type part struct {
	Manifest
	path     string
	shard    batch.Shard
	finished *Finished
	summary  Summary
}

// readParts returns the parts of a run in the order of their numbers.
func readParts(format string, paths []string) ([]part, error) {
	var parts []part
	for _, path := range paths {
		p, err := readPart(path)
		if err != nil {
			return nil, err
		}
		if p.header.Format != format {
			return nil, refusef("%s has the format %s, and the output %s: both must be the same", path, p.header.Format, format)
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

// readPart reads what the log of a part says.
func readPart(path string) (p part, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return p, &RefusedError{err}
	}
	log := runlog.Path(path)
	run, err := runlog.Read(log, logKind)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, refusef("%s: %s, which tells of its run, is not there: copy it there too", path, log)
	case err != nil:
		return p, &RefusedError{err}
	}
	p.path = path
	if p.finished, err = parseFinished(run); err == nil && p.finished == nil {
		return p, refusef("%s: its run is not finished: finish it with -resume", path)
	}
	if err == nil {
		err = errors.Join(json.Unmarshal(run.Manifest, &p.header), json.Unmarshal(p.finished.Summary, &p.summary))
	}
	if err != nil {
		return p, refusef("%s: %w", log, err)
	}
	if p.header.Shard == "" {
		return p, refusef("%s is no part: its run had no -shard", path)
	}
	if p.shard, err = batch.ParseShard(p.header.Shard); err != nil {
		return p, refusef("%s: shard %q: %w", log, p.header.Shard, err)
	}
	if info.Size() != p.finished.Bytes {
		return p, refusef("%s has %d bytes, and had %d when its run was finished", path, info.Size(), p.finished.Bytes)
	}
	return p, nil
}

// checkSameRun returns an error if two parts are not of the same run.
func (p *part) checkSameRun(first part) error {
	theirs, ours := p.header, first.Manifest
	theirs.Shard, ours.header.Shard = "", ""
	line, err := runlog.MarshalLine(theirs)
	if err != nil {
		return err
	}
	differ, err := ours.differences(line)
	if err != nil {
		return err
	}
	if p.shard.Of != first.shard.Of {
		differ = append(differ, fmt.Sprintf("it is one of %d parts there and of %d here", p.shard.Of, first.shard.Of))
	}
	if len(differ) == 0 && p.finished.Input != first.finished.Input {
		differ = append(differ, "they have read other positions")
	}
	if len(differ) > 0 {
		return refusef("%s and %s (there and here) are no parts of the same run: %s", p.path, first.path, strings.Join(differ, "; "))
	}
	return nil
}

// sortParts returns parts by their numbers, of which none may be missing or there twice.
func sortParts(parts []part) ([]part, error) {
	if len(parts) == 0 {
		return nil, refusef("there are no parts to merge")
	}
	all, total := make([]part, parts[0].shard.Of), 0
	for _, p := range parts {
		at := &all[p.shard.Number-1]
		if at.path != "" {
			return nil, refusef("%s and %s are both part %s", at.path, p.path, p.shard)
		}
		*at = p
		total += p.summary.Positions
	}
	var missing []string
	for i, p := range all {
		switch {
		case p.path == "":
			missing = append(missing, batch.Shard{Number: i + 1, Of: len(all)}.String())
		case len(parts) == len(all) && p.summary.Positions != p.shard.Count(total):
			return nil, refusef("%s has %d answers, and part %s of %d has %d", p.path, p.summary.Positions, p.shard, total, p.shard.Count(total))
		}
	}
	if len(missing) > 0 {
		return nil, refusef("missing: part %s", strings.Join(missing, ", "))
	}
	return all, nil
}

// sumSummaries returns the figures of the whole run.
func sumSummaries(parts []part) Summary {
	sum := parts[0].summary
	for _, p := range parts[1:] {
		f := p.summary
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
