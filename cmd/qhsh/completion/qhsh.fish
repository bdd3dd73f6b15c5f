# Completion of qhsh for fish. The program itself knows what completes a line.

function __qhsh_complete
	set -l words (commandline -opc)
	set -l program (string replace -r '^~' $HOME -- $words[1])
	$program complete -- $words[2..-1] (commandline -ct | string unescape) 2>/dev/null
end

complete -c qhsh -f -k -a '(__qhsh_complete)'
