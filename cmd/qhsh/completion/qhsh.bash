# Completion of qhsh for bash. The program itself knows what completes a line.

_qhsh() {
	local reply program=${1/#\~/$HOME}
	COMPREPLY=()
	while IFS= read -r reply; do
		COMPREPLY+=("$reply")
	done < <("$program" complete -line "${COMP_LINE:0:COMP_POINT}" -breaks "$COMP_WORDBREAKS" 2>/dev/null)
}

complete -o nospace -F _qhsh qhsh
