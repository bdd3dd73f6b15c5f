package gamefile

// Reasons are those of results, by their numbers.
var Reasons = reasons
