# A plugin that would clear the screen, name the window and turn the text around.
if [ "$1" = -info ]; then
	printf 'QHPLUGIN V1.3\nHOST\033[2J\033]0;PWNED\007ILE \302\233\342\200\256\377\nLEVELS 1\n1 lev\033[31mel\nUNDO 1\nHINTS 1\nRULES 0\nBGTHINK 0\nTIMEOUT 1\nENDINFO\n'
	exit
fi
while read -r word rest; do
	case $word in
	LEVEL) if [ -n "$rest" ]; then echo OK; else echo 1; fi ;;
	LOAD | BAN)
		while [ "$rest" -gt 0 ]; do read -r move; rest=$((rest - 1)); done
		printf 'OK \033[2J\342\200\256\377\n'
		;;
	HINTS) printf 'H2-E2 \033[2J\302\233\342\200\256\342\201\246\377\nENDHINTS\n' ;;
	QUIT) echo BYE; exit ;;
	*) printf 'OK \033[2J\342\200\256\377\n' ;;
	esac
done
