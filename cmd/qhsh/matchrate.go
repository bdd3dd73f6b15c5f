package main

import (
	"context"
	"strconv"
	"strings"

	"qhsh/pluginclient"
	"qhsh/pluginclient/task/match"
)

// rateVerb is the first operand of 'qhsh match rate FILE...'.
const rateVerb = "rate"

func (c *matchAction) rate(ctx context.Context, h host, files []string) (err error) {
	if wrong := otherFlag(c.set, []string{"format", "anchor"}); wrong != "" {
		return usagef("-%s is not for 'qhsh match rate'", wrong)
	}
	format, err := choose(outputFlags{format: c.format}, match.RatingFormats())
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return usagef("missing file: 'qhsh match rate FILE...' rates the players of what 'qhsh match -o FILE' has stored")
	}
	anchor, elo := c.anchor, 0.0
	if i := strings.LastIndexByte(anchor, '='); i >= 0 {
		if elo, err = strconv.ParseFloat(anchor[i+1:], 64); err != nil || !(elo >= -10_000 && elo <= 10_000) {
			return usagef("-anchor %s: want NAME=ELO, such as old=2000", anchor)
		}
		anchor = anchor[:i]
	}
	var results match.Results
	for _, file := range files {
		if err := checkFile(file); err != nil {
			return usageError{err}
		}
		if err := results.Read(ctx, file); err != nil {
			return err
		}
	}
	ratings, err := results.Rate(anchor, elo)
	if err != nil {
		return err
	}
	if ratings.Bounded {
		h.sayf("match", "some players won or lost all games against the others: a draw is added to each meeting, so that their ratings are finite")
	}
	return format.Write(h.Stdout, ratings)
}

// matchOperands completes players, or files of matches behind the word rate.
func matchOperands(h host, operands []string, typed string) []pluginclient.Completion {
	if len(operands) > 0 && operands[0] == rateVerb {
		return h.files(typed, nil)
	}
	all := players(h, operands, typed)
	if len(operands) == 0 {
		all = append(all, pluginclient.Completion{Text: rateVerb})
	}
	return all
}
