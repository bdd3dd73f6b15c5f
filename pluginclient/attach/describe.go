package attach

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/lazyregexp"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
)

// A Description describes the engine of a SPEC without starting it.
type Description struct {
	Kind
	Spec      string      // with the names of engines.json looked up
	Name      string      // what people call it: its SPEC if it is embedded, and else the name of its program or script
	ShortName string      // the same in short, for a prompt: the Kind's name if it is embedded, and else no extension
	Game      engine.Game // that it plays; a guess if only the engine itself knows it, see [Game]

	// Files are the program and, if its first argument is a file, that file, as in
	// "python3 engine.py". Empty for an embedded engine or a missing program.
	Files []string

	// Reads are the files that the options of an embedded engine name.
	Reads []string
	// Evaluation identifies what an embedded engine evaluates positions with. Two engines of the same
	// SPEC whose Evaluation differs play differently.
	Evaluation string
	// Book is the file of Reads whose moves an embedded engine plays, or "".
	Book string

	Repeatable bool // it answers the same question alike every time
	Memory     int  // MiB that its options give to its tables; 0: as usual
}

// Describe describes the engine of a SPEC. It returns the errors of Open that need no running engine,
// together with what is known, such as the Kind.
func Describe(text string, o Options) (d Description, err error) {
	s, row, err := o.parse(text)
	if row != nil {
		d.Kind = row.Kind()
	}
	if err != nil {
		return d, err
	}
	d.Name = strings.TrimSpace(text)
	if d.Spec, err = resolve(d.Name, o.Names); err != nil {
		return d, err
	}
	d.ShortName = d.shortName(s)
	if d.Game, err = row.Game(s); err != nil {
		return d, err
	}
	if r, ok := row.(Repeater); ok {
		d.Repeatable = r.Repeatable(s)
	}
	if p, ok := row.(interface{ plan(Spec) games.Engine }); ok {
		plan := p.plan(s)
		d.Memory, d.Reads, d.Evaluation = memoryOf(s, plan), plan.Files, plan.Evaluation
		d.Book = bookOf(s)
	}
	if d.Embedded {
		return d, nil
	}
	if d.Spec == d.Name { // no name of engines.json
		d.Name = strings.TrimSuffix(filepath.Base(programOf(s.Command)), ".exe")
	}
	cmd, _, err := s.Program()
	d.Files = programFiles(cmd)
	return d, err
}

// shortName returns the ShortName.
func (d Description) shortName(s Spec) string {
	switch {
	case d.Spec != d.Name: // a name of engines.json
		return d.Name
	case d.Embedded:
		return s.Name
	}
	base := filepath.Base(programOf(s.Command))
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// interpreter matches the names of programs that run others.
var interpreter = lazyregexp.New(`^(python|pypy|perl|ruby|lua|luajit|node|php|java|mono|dotnet|wine|sh|bash|dash|zsh)[\d.]*(w|64)?$`)

// programOf returns the word of a command line that tells people which program it is: for an
// interpreter, as in "python3 -u engine.py", that which it runs.
func programOf(command []string) string {
	base := strings.TrimSuffix(filepath.Base(command[0]), ".exe")
	i := slices.IndexFunc(command[1:], func(word string) bool { return !strings.HasPrefix(word, "-") })
	if i < 0 || !interpreter().MatchString(base) || strings.ContainsAny(command[1+i], " \t\n;|&") { // a line of a shell
		return command[0]
	}
	return command[1+i]
}

// programFiles returns the files of a program.
func programFiles(cmd pluginclient.Command) []string {
	program, dir, err := cmd.Locate()
	if err != nil {
		return nil
	}
	files := []string{program}
	if len(cmd.Args) == 0 || strings.HasPrefix(cmd.Args[0], "-") {
		return files
	}
	word := cmd.Args[0]
	if !filepath.IsAbs(word) {
		word = filepath.Join(dir, word)
	}
	if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
		files = append(files, word)
	}
	return files
}

// WithQuirks returns the SPEC of a QHPLUGIN plugin with its quirks replaced by those that choose
// returns. It returns "" if there are neither old nor new quirks.
func WithQuirks(text string, choose func(given []string) []string, o Options) (string, error) {
	s, row, err := o.parse(text)
	if _, ok := row.(plugins); err != nil || !ok {
		return "", err
	}
	p, err := readPlugin(s)
	if err != nil {
		return "", err
	}
	var given []string
	if text := p.quirks.String(); text != "" {
		given = strings.Split(text, ",")
	}
	chosen := choose(given)
	if len(given)+len(chosen) == 0 {
		return "", nil
	}
	if text, err = resolve(strings.TrimSpace(text), o.Names); err != nil {
		return "", err
	}
	_, _, command, _, err := o.kinds().split(text)
	kept := slices.DeleteFunc(s.Options, func(opt games.Setting) bool { return new(qhplugin.Quirks).Set(opt.Key, opt.Value) == nil })
	return strings.Join(append([]string{s.head(kept)}, chosen...), ",") + ":" + command, err
}

// head returns the SPEC with other options, without the command line.
func (s Spec) head(options []games.Setting) string {
	head := s.Name
	for _, opt := range options {
		head += "," + opt.Key + "=" + quoteValue(opt.Value)
	}
	return head
}

// WithOptions returns a SPEC with options set, which replace those of the same names.
func WithOptions(text string, options []games.Setting, o Options) (string, error) {
	s, _, err := o.parse(text)
	if err != nil {
		return "", err
	}
	if text, err = resolve(strings.TrimSpace(text), o.Names); err != nil {
		return "", err
	}
	_, _, command, hasCommand, err := o.kinds().split(text)
	kept := slices.DeleteFunc(s.Options, func(old games.Setting) bool {
		return slices.ContainsFunc(options, func(new games.Setting) bool { return new.Key == old.Key })
	})
	spec := s.head(append(kept, options...))
	if hasCommand {
		spec += ":" + command
	}
	return spec, err
}

// quoteValue returns a value, quoted for a SPEC, if necessary.
func quoteValue(value string) string {
	if !strings.ContainsAny(value, `,:'"\`) {
		return value
	}
	var b strings.Builder
	for _, r := range value {
		if strings.ContainsRune("$`\"\\", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return `"` + b.String() + `"`
}
