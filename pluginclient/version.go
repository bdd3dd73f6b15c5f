package pluginclient

// Version is the version of qhsh.
const Version = "0.1.0"
