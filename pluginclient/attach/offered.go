package attach

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"qhsh/engine/games"
	"qhsh/engine/lazyregexp"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
)

// aboutFiles matches the names of options whose text is the path of a file.
var aboutFiles = lazyregexp.New(`(?i)file|path|dir|folder|book|log|net|nnue|weight|table|base`)

// Offered returns the options that a stranger may set of an engine, of which s is a Session. The values of the SPEC are
// their defaults. None of them names a file, changes the game, or is set by this program itself.
func (e *Engine) Offered(s pluginclient.Session) (all []Option) {
	for _, o := range e.tunable {
		if isFile := o.File && o.Words == nil; !isFile && !o.Repeats && !strings.HasSuffix(o.Name, ".NAME") {
			all = append(all, o)
		}
	}
	find := func(key string) string { return key }
	if b, ok := pluginclient.As[*bridge](s); ok {
		offers := b.native.OfferedOptions()
		find = func(key string) string {
			o, _ := offers.Find(uci.ReadSetting(key, "").Name)
			return o.Name
		}
		for _, o := range offers {
			own := Option{Name: o.Name, Default: o.Default, Min: int(o.Min), Max: int(o.Max)}
			offered := !o.IsManaged() && o.Name != uci.Variant
			switch o.Kind {
			case uci.Check:
				own.Words = yesNo
			case uci.Combo:
				own.Words, offered = o.Vars, offered && len(o.Vars) > 0
			case uci.Spin:
			case uci.String:
				own.Text, own.Default = true, strings.TrimSuffix(o.Default, "<empty>")
				offered = offered && !aboutFiles().MatchString(o.Name) && own.Check(own.Default) == nil
			default:
				offered = false
			}
			if offered {
				all = append(all, own)
			}
		}
	}
	for _, given := range e.spec.Options {
		name := find(given.Key)
		if i := slices.IndexFunc(all, func(o Option) bool { return o.Name == name }); i >= 0 {
			all[i].Default = uci.ReadSetting("", given.Value).Value
		}
	}
	return all
}

// WithOffered is WithOptions for values of options that are Offered.
func (e *Engine) WithOffered(values map[string]string) (*Engine, error) {
	var settings []games.Setting
	for _, name := range slices.Sorted(maps.Keys(values)) {
		key, value := uci.EscapeSetting(uci.Setting{Name: name, Value: values[name]})
		settings = append(settings, games.Setting{Key: key, Value: value})
	}
	return e.WithOptions(settings)
}

// NumericOptions returns the names of options as the engine of s, which was opened from a SPEC of kind
// k, writes them. The keys are those of the SPEC; one that is not the engine's is returned as it is, and
// so are all where the protocol has no options. The error wraps ErrSpec if an option does not have numbers.
func NumericOptions(s pluginclient.Session, k Kind, keys []string) (names []string, err error) {
	client, announces := pluginclient.As[interface {
		OfferedOptions() uci.OptionList
	}](pluginclient.Native(s))
	for _, key := range keys {
		name := key
		if _, own := k.option(key); announces && !own {
			o, ok := client.OfferedOptions().Find(uci.ReadSetting(key, "").Name)
			switch {
			case !ok:
				return nil, fmt.Errorf("%w: %s: the engine does not offer the option %q", ErrSpec, k.Name, key)
			case o.Kind != uci.Spin && o.Kind != uci.String:
				return nil, fmt.Errorf("%w: %s: engine option %s is a %s: want one of numbers", ErrSpec, k.Name, o.Name, o.Kind)
			}
			name = o.Name
		}
		names = append(names, name)
	}
	return names, nil
}
