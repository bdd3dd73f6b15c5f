package hints

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"

	"qhsh/engine/interruptible"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/runlog"
)

// answersVersion is incremented when the same manifest comes to mean different answers, logVersion
// also when the format of the logs changes.
const (
	answersVersion = 2
	logVersion     = 2
)

// Stdin is the name of standard input among the inputs.
const Stdin = "-"

// An Input is a file of positions, or standard input.
type Input struct {
	Name string
	Info fs.FileInfo // nil: not a file
	File *os.File    // of the caller, who closes it; nil: to be opened whenever it is read
}

// Open returns what reads a file from its beginning, until ctx is done. Closing that does not close File.
func (in Input) Open(ctx context.Context) (io.ReadCloser, error) {
	if in.File == nil {
		return interruptible.Open(ctx, in.Name)
	}
	return io.NopCloser(interruptible.Reader(ctx, io.NewSectionReader(in.File, 0, math.MaxInt64))), nil
}

// An Engine is everything that an answer depends on besides its position.
type Engine struct {
	Spec       string       `json:"engine"`
	Name       string       `json:"engine_name"`
	Evaluation string       `json:"evaluation,omitempty"`   // of an embedded engine
	Files      []string     `json:"engine_files,omitempty"` // size and CRC-32C of the program and the files in its command line
	Limits     batch.Limits `json:"limits,omitzero"`        // of each search
	Lines      int          `json:"lines"`
	Restart    bool         `json:"restart,omitempty"` // it is restarted for each position
	History    bool         `json:"history,omitempty"` // answers say when the best move was found
}

// A Manifest is everything that the answers of a run depend on: the first line of a log, compared when
// the run is resumed. Its first key identifies logs.
type Manifest struct {
	Hints     int             `json:"hints"` // the logVersion
	Game      string          `json:"game"`
	Inputs    []inputManifest `json:"inputs"`
	Reading   string          `json:"reading"`
	Format    string          `json:"format"`
	Unordered bool            `json:"unordered"`
	Shard     string          `json:"shard,omitempty"`
	Task      string          `json:"task,omitempty"`
	Engine
}

// An inputManifest identifies an input. It is only the name if the input can be read only once.
type inputManifest struct {
	Name   string `json:"name"`
	Size   int64  `json:"size,omitempty"`
	Begins string `json:"begins,omitempty"` // half of a SHA-256 of the first 64 KiB
}

// NewManifest returns the manifest of a run with engine e. reading describes how inputs are parsed.
func (o *Options) NewManifest(ctx context.Context, game, reading string, unordered bool, e Engine) (*Manifest, error) {
	t := &Manifest{Hints: logVersion, Game: game, Engine: e, Reading: reading, Format: o.Format.Name, Unordered: unordered, Shard: o.Shard.String(), Task: o.Task}
	for _, in := range o.Inputs {
		m, err := in.manifest(ctx)
		if err != nil {
			return nil, err
		}
		t.Inputs = append(t.Inputs, m)
	}
	return t, nil
}

// Fingerprints returns what identifies an engine's files; those of this program if there are none.
func Fingerprints(files []string) (all []string, err error) {
	if len(files) == 0 {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		files = []string{self}
	}
	for _, path := range files {
		fingerprint, err := Fingerprint(path)
		if err != nil {
			return nil, err
		}
		all = append(all, fingerprint)
	}
	return all, nil
}

// Fingerprint returns a file's size and checksum.
func Fingerprint(path string) (string, error) {
	file, err := interruptible.OpenRegular(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	n, err := io.Copy(sum, bufio.NewReaderSize(file, 64<<10))
	return fmt.Sprintf("%d-%08x", n, sum.Sum32()), err
}

// manifest returns what identifies the input. Standard input that is redirected from a file has the
// file's size.
func (in Input) manifest(ctx context.Context) (inputManifest, error) {
	t := inputManifest{Name: in.Name}
	if !output.IsRegular(in.Info) {
		return t, nil
	}
	t.Size = in.Info.Size()
	if in.Name == Stdin {
		return t, nil
	}
	file, err := in.Open(ctx)
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

// differences returns one clause for each difference to the manifest of a log.
func (t *Manifest) differences(theirs []byte) (differ []string, err error) {
	var before Manifest
	if err := json.Unmarshal(theirs, &before); err != nil {
		return nil, err
	}
	now := *t
	inputs := inputDifferences(before.Inputs, now.Inputs)
	before.Inputs, now.Inputs = nil, nil
	differ, err = logKind.Differences(runlog.MarshalLine(before), runlog.MarshalLine(now))
	if before.Hints != now.Hints {
		return differ, err
	}
	return append(inputs, differ...), err
}

// inputDifferences returns how the inputs differ, as far as that is known without reading them.
// Their content is compared as they are read.
func inputDifferences(before, now []inputManifest) (differ []string) {
	if a, b := manifestNames(before), manifestNames(now); a != b {
		return []string{fmt.Sprintf("its input is %s, not %s", a, b)}
	}
	for i, b := range now {
		if before[i] != b {
			differ = append(differ, manifestNames(now[i:i+1])+" has changed since the run began")
		}
	}
	return differ
}

func manifestNames(manifest []inputManifest) string {
	inputs := make([]Input, len(manifest))
	for i, t := range manifest {
		inputs[i].Name = t.Name
	}
	return inputNames(inputs)
}

// inputNames returns the names of inputs for messages.
func inputNames(inputs []Input) string {
	names := make([]string, len(inputs))
	for i, in := range inputs {
		names[i] = in.Name
		if in.Name == Stdin {
			names[i] = "standard input"
		}
	}
	return strings.Join(names, ", ")
}

// Identity returns everything that an answer about a game depends on besides its position, as a key for
// a cache.
func (e Engine) Identity(game string) string {
	text, err := json.Marshal(struct {
		Version int
		Game    string
		Engine  Engine
	}{answersVersion, game, e})
	if err != nil {
		panic(err) // cannot happen: plain structs
	}
	return string(text)
}
