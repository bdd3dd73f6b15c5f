#compdef qhsh

# Completion of qhsh for zsh. The program itself knows what completes a line.

_qhsh() {
	local text note program=${${(Q)words[1]}/#\~/$HOME}
	local -a ready readyNotes open openNotes columns
	while IFS=$'\t' read -r text note; do
		if [[ -n $note ]]; then
			columns=(-l)
			note="$text  -- $note"
		else
			note=$text
		fi
		if [[ -z $compstate[quote] && $text == \~* ]]; then
			text="~${(q)text#\~}" # compadd would quote the tilde
		elif [[ -z $compstate[quote] ]]; then
			text=${(q)text}
		fi
		if [[ $text == *[=,:./] ]]; then
			open+=("$text") openNotes+=("$note")
		else
			ready+=("$text") readyNotes+=("$note")
		fi
	done < <("$program" complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
	[[ -z $compstate[quote] ]] && columns+=(-Q)
	compadd -V qhsh $columns -d readyNotes -a ready
	compadd -V qhsh $columns -S '' -d openNotes -a open
}

if [[ $funcstack[1] == _qhsh ]]; then
	_qhsh # this file is in fpath
else
	compdef _qhsh qhsh
fi
