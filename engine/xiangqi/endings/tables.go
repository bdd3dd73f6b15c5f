// Package endings computes what positions of Xiangqi with few men are worth, exactly, and keeps it in files.
//
// A [Material] has a table with a [Value] for each position: won or lost in so many plies to mate or
// stalemate, or drawn. A table is made from those of the materials that a capture leads to, by retrograde
// analysis (generate.go): from the positions without a legal move back, ply by ply, to the positions before
// them. A side wins if one move leads to a loss of the other, and loses if all lead to wins, for which each
// position counts the moves that are still open. All cores work on one ply of one side to move: they read that
// side's values and change the other's.
//
// What is left are draws by going on for ever, and so by repetition (repetition.go). All rule sets forbid one
// of them, perpetual check by one side alone; that is solved, and has no number of plies. Whether a rule set forbids
// more is not solved: a draw is disputed unless the side can always move so that nothing can be held against it.
// Values are those of a game that begins with the position. They count moves without a capture for nothing, but where
// that could matter it is known how long a win needs to a capture (capture.go).
//
// Positions are numbered (layout.go) by the way in which each side's king, advisors and elephants stand, of which there
// are few, and by the points of the attackers. Red is the side with more attackers, and mirror images have one
// number where the way of Red's guards tells left from right.
package endings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"qhsh/engine"
	"qhsh/engine/filelock"
	"qhsh/engine/interruptible"
	"qhsh/engine/xiangqi"
)

// suffix ends the names of files of tables.
const suffix = ".ending"

// Tables are the tables of the program and those of a folder. They can be used by several goroutines.
type Tables struct {
	dir string // "": none

	present map[Material]bool // when Load was called
	most    int               // men of one of these

	mu     sync.Mutex
	files  map[Material]*file
	blocks map[blockID][]byte
	order  []blockID // of blocks, the oldest first
}

// A blockID names a block of a file.
type blockID struct {
	material      Material
	plane, number int
}

// keptBlocks is how many blocks are kept in memory: 64 MB.
const keptBlocks = 2048

// Open returns the tables of the program and of a folder, which need not exist; if it is "", of the program alone.
func Open(dir string) *Tables {
	if dir == "" {
		return program()
	}
	return newTables(dir)
}

func newTables(dir string) *Tables {
	t := &Tables{dir: dir, files: map[Material]*file{}, blocks: map[blockID][]byte{}}
	t.present, t.most = smallTables()
	return t
}

// program returns the tables of the program, which all share.
var program = sync.OnceValue(func() *Tables { return newTables("") })

// Close closes the files.
func (t *Tables) Close() error {
	if t.dir == "" {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var errs []error
	for _, f := range t.files {
		errs = append(errs, f.Close())
	}
	clear(t.files)
	return errors.Join(errs...)
}

func (t *Tables) path(m Material) string { return filepath.Join(t.dir, m.String()+suffix) }

// file returns the file of a standard material.
func (t *Tables) file(m Material) (*file, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.files[m]; f != nil {
		return f, nil
	}
	f, err := t.open(m)
	if err != nil {
		return nil, err
	}
	t.files[m] = f
	return f, nil
}

// open opens the file of a standard material: that in the program, or else that in the folder.
func (t *Tables) open(m Material) (*file, error) {
	if in, err := small.Open("small/" + m.String() + suffix); err == nil {
		return newFile(in.(source), m)
	}
	if t.dir == "" {
		return nil, fs.ErrNotExist
	}
	in, err := interruptible.OpenRegular(t.path(m))
	if err != nil {
		return nil, err
	}
	f, err := newFile(in, m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.path(m), errors.Join(err, in.Close()))
	}
	return f, nil
}

// Make makes the table of a material and, before, those of its parts, unless they are there. It calls begin with each of
// them and how many positions it has for each side to move, and done when it is there: made, or found.
func (t *Tables) Make(ctx context.Context, m Material, begin func(material string, positions int), done func(s Stats, made bool)) error {
	m, _ = m.standard()
	for _, m := range withParts(m) {
		l, err := layoutOf(m)
		if err != nil {
			return err
		}
		begin(m.String(), l.size)
		stats, made, err := t.makeOne(ctx, m)
		if err != nil {
			return fmt.Errorf("ending %v: %w", m, err)
		}
		done(stats, made)
	}
	return nil
}

// withParts returns a standard material after those that captures lead to.
func withParts(m Material) (all []Material) {
	seen := map[Material]bool{}
	var add func(m Material)
	add = func(m Material) {
		if seen[m] {
			return
		}
		seen[m] = true
		for _, part := range m.parts() {
			add(part)
		}
		all = append(all, m)
	}
	add(m)
	return all
}

func (t *Tables) makeOne(ctx context.Context, m Material) (s Stats, made bool, err error) {
	if f, err := t.file(m); err == nil {
		return f.stats, false, nil
	}
	if err := os.MkdirAll(t.dir, 0o777); err != nil {
		return s, false, err
	}
	locked, err := filelock.Open(t.path(m)) // empty until the table is complete
	if err != nil {
		return s, false, err
	}
	if info, err := locked.Stat(); err != nil || info.Size() > 0 { // damaged, or meanwhile made by another process
		locked.Close()
		f, err := t.file(m)
		if err != nil {
			return s, false, err
		}
		return f.stats, false, nil
	}
	parts := map[Material]*table{}
	for _, part := range m.parts() {
		f, err := t.file(part)
		if err == nil {
			parts[part], err = f.load()
		}
		if err != nil {
			return s, false, errors.Join(err, filelock.Remove(locked))
		}
	}
	k, err := newMaker(ctx, m, parts)
	if err == nil {
		err = k.solve()
	}
	if err != nil {
		return s, false, errors.Join(err, filelock.Remove(locked))
	}
	if s, err = k.stats(); err != nil {
		return s, false, errors.Join(err, filelock.Remove(locked))
	}
	return s, true, filelock.Replace(locked, func(w io.Writer) error { return k.write(w, s) })
}

// Load has Probe use the tables of the folder, too, and returns a checksum of them.
func (t *Tables) Load() (checksum string, err error) {
	found, err := t.find()
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", fmt.Errorf("no tables in %s", t.dir)
	}
	t.present = maps.Clone(t.present)
	sum := crc32.NewIEEE()
	for _, m := range found {
		f, err := t.file(m)
		if err != nil {
			return "", err
		}
		t.present[m] = true
		t.most = max(t.most, m.men())
		fmt.Fprintln(sum, m, f.sum)
	}
	return fmt.Sprintf("%08x", sum.Sum32()), nil
}

// find returns the materials of the complete tables in the folder.
func (t *Tables) find() (found []Material, err error) {
	entries, err := os.ReadDir(t.dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		m, ok := materialOfFile(e.Name())
		if info, err := e.Info(); ok && (err != nil || info.Size() > 0) { // else it is being made
			found = append(found, m)
		}
	}
	return found, nil
}

// materialOfFile returns the material of a file's name.
func materialOfFile(name string) (m Material, ok bool) {
	text, ok := strings.CutSuffix(name, suffix)
	m, err := ParseMaterial(text)
	return m, ok && err == nil
}

// List returns the stats of all tables, those of fewer men first.
func (t *Tables) List() (all []Stats, err error) {
	found, err := t.find()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	materials, _ := smallTables()
	materials = maps.Clone(materials)
	for _, m := range found {
		materials[m] = true
	}
	for m := range materials {
		f, err := t.file(m)
		if err != nil {
			return nil, err
		}
		all = append(all, f.stats)
	}
	slices.SortFunc(all, func(a, b Stats) int {
		return cmp.Or(len(a.Material)-len(b.Material), strings.Compare(a.Material, b.Material))
	})
	return all, nil
}

// Probe returns the number of plies to mate or stalemate of a position without its history, with which the side
// to move wins if it is odd; or whether it is a draw by all rule sets. It is not ok if there is no table, or if
// the value depends on what is forbidden.
func (t *Tables) Probe(b *xiangqi.Board) (plies int, drawn, ok bool) {
	if b.Occupied().Count() > t.most {
		return 0, false, false
	}
	material, swap := MaterialOf(b).standard()
	if !t.present[material] {
		return 0, false, false
	}
	v, err := t.value(b, material, swap)
	if err != nil {
		return 0, false, false
	}
	plies, ok = v.Plies()
	return plies, v == Draw, ok || v == Draw
}

// Value returns the value of a position without its history for the side to move.
func (t *Tables) Value(b *xiangqi.Board) (Value, error) {
	material, swap := MaterialOf(b).standard()
	v, err := t.value(b, material, swap)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%w of %v: 'qhsh endings make %v' makes it", engine.ErrUnknownEnding, material, material)
	}
	return v, err
}

// value is Value by the table of a standard material.
func (t *Tables) value(b *xiangqi.Board, material Material, swap bool) (Value, error) {
	f, err := t.file(material)
	if err != nil {
		return 0, err
	}
	v, err := t.read(f, b, swap, 0)
	return Value(v), err
}

// untilCapture returns the plies to a capture or mate of a position that is won or lost by mate in plies, or where no
// win takes too long these.
func (t *Tables) untilCapture(b *xiangqi.Board, plies int) (int, error) {
	material, swap := MaterialOf(b).standard()
	f, err := t.file(material)
	if err != nil || f.planes() == len(sides) {
		return plies, err
	}
	v, err := t.read(f, b, swap, len(sides))
	return int(v), err
}

// read reads what a plane has about a position, of two that begin with first that of the side to move.
func (t *Tables) read(f *file, b *xiangqi.Board, swap bool, first int) (byte, error) {
	var p placement
	for at := range b.Occupied().All() {
		p.add(man{b.At(at), at})
	}
	number, _, _ := f.layout.number(&p, swap, false)
	side := int(b.Side())
	if swap {
		side ^= 1
	}
	values, err := t.block(f, blockID{f.layout.material, first + side, number / blockSize})
	if err != nil {
		return 0, err
	}
	return values[number%blockSize], nil
}

// block returns a block of a file, from memory if it is there.
func (t *Tables) block(f *file, id blockID) ([]byte, error) {
	t.mu.Lock()
	values := t.blocks[id]
	t.mu.Unlock()
	if values != nil {
		return values, nil
	}
	values, err := f.block(id.plane, id.number)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.blocks[id] == nil {
		if len(t.order) == keptBlocks {
			delete(t.blocks, t.order[0])
			t.order = t.order[1:]
		}
		t.blocks[id] = values
		t.order = append(t.order, id)
	}
	return values, nil
}
