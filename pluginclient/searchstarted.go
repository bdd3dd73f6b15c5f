package pluginclient

import "context"

type searchStartedKey struct{}

// WithSearchStarted returns a context for a call that starts a search. asked is called as soon
// as the search command has been sent. From then on Raw can send further commands, such as stop.
func WithSearchStarted(ctx context.Context, asked func()) context.Context {
	return context.WithValue(ctx, searchStartedKey{}, asked)
}

// SearchStarted calls the function given to WithSearchStarted, if any.
func SearchStarted(ctx context.Context) {
	if asked, ok := ctx.Value(searchStartedKey{}).(func()); ok {
		asked()
	}
}
