package pluginclient

// A Status says whether the engine of a Session is running.
type Status byte

// The statuses. A typed call starts an engine that is ended or lost, unless the Session is closed.
const (
	StatusRunning Status = iota // running or being started
	StatusEnded                 // closed, told to quit, or terminated
	StatusLost                  // crashed, or ended because it did not respond
)

// A State is a Status and its reason.
type State struct {
	Status   Status
	Err      error // why the engine is lost; nil otherwise
	Reported bool  // a call has already failed with Err; false: the engine ended between calls
}
