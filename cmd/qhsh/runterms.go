package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/runlog"
)

// manifestVersion is raised when the same terms come to mean other answers.
const manifestVersion = 1

// runTerms are what the answers of a run depend on.
type runTerms struct {
	manifest runManifest
	name     string // of the engine
}

// runManifest is the first line of a log, so that a run is not resumed under other terms. Its
// first key is how the logs are known.
type runManifest struct {
	Hints     int         `json:"hints"` // the version
	Game      string      `json:"game"`
	Inputs    []inputTerm `json:"inputs"`
	Reading   string      `json:"reading"`
	Format    string      `json:"format"`
	Unordered bool        `json:"unordered"`
	engineTerms
}

// engineTerms are what an answer depends on besides its position.
type engineTerms struct {
	Spec    string   `json:"engine"`
	Name    string   `json:"engine_name"`
	Files   []string `json:"engine_files,omitempty"` // the program and what its command line names: size and CRC-32C
	Level   *int     `json:"level,omitempty"`
	Timeout string   `json:"timeout,omitempty"`
	Lines   int      `json:"lines"`
}

// inputTerm is what is known of an input. Of one that can be read once only it is the name.
type inputTerm struct {
	Name   string `json:"name"`
	Size   int64  `json:"size,omitempty"`
	Begins string `json:"begins,omitempty"` // half of a SHA-256 of the first 64 KiB
}

// terms are those of a run with an engine that has been started.
func (c *hints) terms(in *inputs, engines *opener, pool *batch.Pool, format string) (*runTerms, error) {
	e, err := c.engineTerms(engines, pool)
	if err != nil {
		return nil, err
	}
	t := &runTerms{name: pool.Info().Name, manifest: runManifest{
		Hints: manifestVersion, Game: c.game.Name(), engineTerms: e, Reading: in.terms(), Format: format, Unordered: c.unordered,
	}}
	for i, name := range in.names {
		term, err := inputTermOf(name, in.infos[i])
		if err != nil {
			return nil, err
		}
		t.manifest.Inputs = append(t.manifest.Inputs, term)
	}
	return t, nil
}

func (c *hints) engineTerms(engines *opener, pool *batch.Pool) (engineTerms, error) {
	d, err := attach.Describe(engines.spec, engines.options)
	if err != nil {
		return engineTerms{}, err
	}
	files := d.Files
	if len(files) == 0 {
		self, err := os.Executable()
		if err != nil {
			return engineTerms{}, err
		}
		files = []string{self}
	}
	t := engineTerms{Spec: d.Spec, Name: pool.Info().Name, Lines: c.lines}
	if who := pool.Who(); who.HasLevel {
		t.Level = &who.Level
	}
	if c.timeout > 0 {
		t.Timeout = c.timeout.String()
	}
	for _, path := range files {
		mark, err := fileMark(path)
		if err != nil {
			return t, err
		}
		t.Files = append(t.Files, mark)
	}
	return t, nil
}

// fileMark tells a file from other versions of it.
func fileMark(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	n, err := io.Copy(sum, bufio.NewReaderSize(file, 1<<20))
	return fmt.Sprintf("%d-%08x", n, sum.Sum32()), err
}

// differences tells how the run of another manifest differs, a clause for each difference.
func (t *runTerms) differences(theirs []byte) (differ []string, err error) {
	var before runManifest
	if err := json.Unmarshal(theirs, &before); err != nil {
		return nil, err
	}
	differ = changes(before.Inputs, t.manifest.Inputs)
	now := t.manifest
	before.Inputs, now.Inputs = nil, nil
	a, err := runlog.Line(before)
	if err != nil {
		return nil, err
	}
	b, err := runlog.Line(now)
	if err != nil {
		return nil, err
	}
	more, err := runlog.Differences(a, b)
	return append(differ, more...), err
}

// changes tells how the inputs of a run have changed since it began, as far as it can be seen
// without reading them; what they hold is compared as they are read.
func changes(before, now []inputTerm) (differ []string) {
	if a, b := inputNames(before), inputNames(now); a != b {
		return []string{fmt.Sprintf("it reads %s, not %s", a, b)}
	}
	for i, b := range now {
		if before[i] != b {
			differ = append(differ, inputNames(now[i:i+1])+" has changed since the run began")
		}
	}
	return differ
}

// inputNames are the names of inputs, for a person.
func inputNames(inputs []inputTerm) string {
	names := make([]string, len(inputs))
	for i, in := range inputs {
		names[i] = in.Name
	}
	return namesOf(names)
}

// namesOf are inputs as a person is told of them.
func namesOf(names []string) string {
	names = slices.Clone(names)
	for i, name := range names {
		if name == stdinName {
			names[i] = "standard input"
		}
	}
	return strings.Join(names, ", ")
}

// identity is all that an answer depends on besides its position, for a cache.
func (t *runTerms) identity() string {
	text, err := json.Marshal(struct {
		Version int
		Game    string
		Engine  engineTerms
	}{manifestVersion, t.manifest.Game, t.manifest.engineTerms})
	if err != nil {
		panic(err) // of plain structs of this file
	}
	return string(text)
}

// inputTermOf is what is known of an input. Standard input that is a file is like any other.
func inputTermOf(name string, info fs.FileInfo) (inputTerm, error) {
	t := inputTerm{Name: name}
	if !output.IsRegular(info) {
		return t, nil
	}
	t.Size = info.Size()
	if name == stdinName {
		return t, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return t, err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(file, 64<<10)); err != nil {
		return t, err
	}
	t.Begins = fmt.Sprintf("%x", sum.Sum(nil)[:16])
	return t, nil
}
