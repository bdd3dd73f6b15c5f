package pluginclient

// Version is the version of qhsh.
const Version = "0.2.0"
