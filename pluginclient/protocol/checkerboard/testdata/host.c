/* A host for a library with the CheckerBoard API, for tests: it has the engine play both sides, and
 * prints the move of every ply, and what enginecommand answers to the rest of the command line. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct coor { int x, y; };
struct CBmove {
	int jumps, newpiece, oldpiece;
	struct coor from, to, path[12], del[12];
	int delpiece[12];
};
typedef int (*getmove_t)(int board[8][8], int color, double maxtime, char str[1024], int *playnow, int info, int moreinfo, struct CBmove *move);
typedef int (*enginecommand_t)(char command[256], char reply[1024]);

int main(int argc, char **argv)
{
	int board[8][8], x, y, i, color = atoi(argv[2]), plies = atoi(argv[3]);
	void *lib = dlopen(argv[1], RTLD_NOW);
	getmove_t getmove;
	enginecommand_t enginecommand;
	if (!lib) {
		puts(dlerror());
		return 1;
	}
	getmove = (getmove_t)dlsym(lib, "getmove");
	enginecommand = (enginecommand_t)dlsym(lib, "enginecommand");
	for (i = 4; i < argc; i++) {
		char command[256] = "", reply[1024] = "untouched";
		strcpy(command, argv[i]);
		printf("%s: %d", command, enginecommand(command, reply));
		printf(" %s\n", reply);
	}
	for (x = 0; x < 8; x++)
		for (y = 0; y < 8; y++)
			board[x][y] = (x + y) % 2 ? 0 : y < 3 ? 6 : y > 4 ? 5 : 0;
	for (i = 0; i < plies; i++, color ^= 3) {
		char str[1024] = "";
		int playnow = 0, before[8][8];
		struct CBmove move;
		memcpy(before, board, sizeof board);
		memset(&move, 0x5a, sizeof move);
		getmove(board, color, 0.01, str, &playnow, i == 0, 0, &move);
		if (memcmp(before, board, sizeof board) == 0)
			break;
		printf("%d %d,%d %d,%d %d %d %d\n", color, move.from.x, move.from.y, move.to.x, move.to.y, move.jumps, move.oldpiece, move.newpiece);
	}
	return 0;
}
