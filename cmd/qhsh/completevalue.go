package main

import (
	"flag"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

// flagValues returns the possible values of a flag. What is known about them is in the flag's
// value, or in the name that its usage gives the value. f may be nil.
func (h host) flagValues(f *flag.Flag, typed string) (all []pluginclient.Completion) {
	if f == nil {
		return nil
	}
	if v, ok := f.Value.(interface{ Words() []string }); ok && v.Words() != nil {
		return pluginclient.Completions(v.Words(), false)
	}
	if isBool(f) {
		return pluginclient.Completions([]string{"true", "false"}, false)
	}
	switch name, _ := flag.UnquoteUsage(f); {
	case name == "FILE":
		return h.files(typed, nil)
	case name == "DIR" || name == "FOLDER":
		return slices.DeleteFunc(h.files(typed, nil), func(c pluginclient.Completion) bool { return !strings.HasSuffix(c.Text, "/") })
	case name == "GAME":
		return gameNames(h.Games, typed)
	case name == "SPEC":
		return specs(h, typed)
	case name == "NAME=SPEC":
		return players(h, nil, typed)
	case f.Name == "level":
		for _, l := range engine.NodeLevels() { // an engine, which may have levels of its own, is not started
			all = append(all, pluginclient.Completion{Text: strconv.Itoa(l.ID), Note: l.Text})
		}
	}
	return all
}

// gameNames completes a game and, after a comma, its options.
func gameNames(all games.Table, typed string) []pluginclient.Completion {
	name, _, hasOptions := strings.Cut(typed, ",")
	if !hasOptions {
		return pluginclient.Completions(all.Names(), false)
	}
	head := typed[:strings.LastIndexByte(typed, ',')+1]
	key, _, hasValue := strings.Cut(typed[len(head):], "=")
	var found []pluginclient.Completion
	for _, o := range all.GameOptions() {
		switch {
		case o.Game.Name() != name:
		case !hasValue && !strings.Contains(head, ","+o.Name+"="):
			_, usage := flag.UnquoteUsage(&flag.Flag{Usage: o.Help})
			found = append(found, pluginclient.Completion{Text: head + o.Name + "=", Note: usage})
		case hasValue && o.Name == key:
			for _, word := range o.Words {
				found = append(found, pluginclient.Completion{Text: head + key + "=" + word})
			}
		}
	}
	return found
}
