package main

import (
	"flag"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
)

// flagValues returns the possible values of a flag, each after prefix. What is known about them
// is in the flag's value, or in the name that its usage gives the value. f may be nil.
func (h host) flagValues(f *flag.Flag, prefix, typed string) []candidate {
	if f == nil {
		return nil
	}
	all := h.valuesOf(f, typed)
	for i := range all {
		all[i].text = prefix + all[i].text
	}
	return all
}

func (h host) valuesOf(f *flag.Flag, typed string) []candidate {
	switch v := f.Value.(type) {
	case interface{ Words() []string }:
		return wordCandidates(v.Words())
	case gameNameValue:
		return gameNames(h.Games, typed)
	}
	if isBool(f) {
		return wordCandidates([]string{"true", "false"})
	}
	switch name, _ := flag.UnquoteUsage(f); {
	case name == "FILE":
		return h.files(typed, nil)
	case name == "DIR" || name == "FOLDER":
		return h.folders(typed)
	case name == "SPEC":
		return specs(h, typed)
	case name == "NAME=SPEC":
		return players(h, nil, typed)
	case f.Name == "level":
		return levels()
	}
	return nil
}

// gameNames completes a game and, after a comma, its options.
func gameNames(all games.Table, typed string) []candidate {
	name, _, hasOptions := strings.Cut(typed, ",")
	if !hasOptions {
		return wordCandidates(all.Names())
	}
	head := typed[:strings.LastIndexByte(typed, ',')+1]
	key, _, hasValue := strings.Cut(typed[len(head):], "=")
	var found []candidate
	for _, o := range all.GameOptions() {
		switch {
		case o.Game.Name() != name:
		case !hasValue && !strings.Contains(head, ","+o.Name+"="):
			_, usage := flag.UnquoteUsage(&flag.Flag{Usage: o.Help})
			found = append(found, candidate{head + o.Name + "=", usage})
		case hasValue && o.Name == key:
			for _, word := range o.Words {
				found = append(found, candidate{text: head + key + "=" + word})
			}
		}
	}
	return found
}

// levels returns the levels of engines that have none of their own. An engine is not started for
// a completion.
func levels() (all []candidate) {
	for _, l := range engine.NodeLevels() {
		all = append(all, candidate{strconv.Itoa(l.ID), l.Text})
	}
	return all
}
