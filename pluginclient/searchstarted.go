package pluginclient

import "context"

type searchStartedKey struct{}

// WithSearchStarted returns a context for a call that makes an engine think. asked is called when the
// engine has been asked, and can be told more with Raw, such as to stop.
func WithSearchStarted(ctx context.Context, asked func()) context.Context {
	return context.WithValue(ctx, searchStartedKey{}, asked)
}

// SearchStarted calls what WhenAsked was given, if anything.
func SearchStarted(ctx context.Context) {
	if asked, ok := ctx.Value(searchStartedKey{}).(func()); ok {
		asked()
	}
}
