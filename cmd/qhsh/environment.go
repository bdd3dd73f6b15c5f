package main

// variables are the environment variables that qhsh reads, in the order of the help.
var variables = []struct{ name, text string }{
	{engineVariable, "the SPEC of the engine behind `-plugin`, `-uci` and the other modes, if they have no `-engine`"},
	{"PATH", "where programs of engines are looked for that are named without a folder"},
	{"XDG_CONFIG_HOME", "the folder in which `qhsh` is the configuration folder; by default `~/.config`, on macOS `~/Library/Application Support`"},
	{"AppData", "the same on Windows"},
	{"XDG_STATE_HOME", "the folder in which `qhsh` has the shell's history and the games of `serve`; by default `~/.local/state`, on Windows and macOS the configuration folder"},
	{"HOME", "the home folder `~`"},
	{"EDITOR", "the text editor of the shell's `.edit`; without it that of `VISUAL`, else vi, or notepad on Windows"},
	{"VISUAL", "see `EDITOR`"},
	{"PAGER", "the program that shows help on a terminal; by default less, if there is one. `cat` or nothing: none"},
	{"LESS", "the options of less; set to `FRX` if it is not set"},
	{"DISPLAY", "`serve` opens the browser by itself on Linux and its like only if this or `WAYLAND_DISPLAY` is set"},
	{"WAYLAND_DISPLAY", "see `DISPLAY`"},
	{"NO_COLOR", "if it is set, nothing is coloured"},
	{"TERM", "if it is `dumb`, lines are not edited, nothing is coloured, and there is no status line and no pager"},
	{"GOGC", "how often the memory of scripts is collected, as for every Go program"},
}
