package cluster

import "context"

// A room holds the jobs of a worker that have a chunk, or one alone.
type room struct{ entrance, places chan struct{} }

// enter takes the places of so many jobs, or of all for one that must be alone: others wait behind
// it. The error is the cause of ctx's end.
func (r room) enter(ctx context.Context, jobs int) (leave func(), err error) {
	select {
	case r.entrance <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-r.entrance }()
	for taken := range jobs {
		select {
		case r.places <- struct{}{}:
		case <-ctx.Done():
			r.leave(taken)
			return nil, context.Cause(ctx)
		}
	}
	return func() { r.leave(jobs) }, nil
}

func (r room) leave(jobs int) {
	for range jobs {
		<-r.places
	}
}
