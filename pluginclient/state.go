package pluginclient

// A Status is how the engine of a Session is.
type Status byte

// The statuses.
const (
	StatusRunning Status = iota // it runs, or is being started
	StatusEnded                 // it was closed, told to quit, or given up; a typed call that needs it starts it again unless it was closed
	StatusLost                  // it has ended by its own fault, or did not obey; a typed call that needs it starts it again
)

// A State is a Status, and why.
type State struct {
	Status   Status
	Err      error // why the engine is lost; nil otherwise
	Reported bool  // a call has failed with Err; false: the engine has ended since the latest call
}
