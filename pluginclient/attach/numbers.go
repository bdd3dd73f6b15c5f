package attach

import (
	"fmt"

	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
)

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
