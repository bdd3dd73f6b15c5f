/* A library with the CheckerBoard API for tests. It moves the first man of the side to move that
 * can step, in a way that the environment variable PROBE names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct coor { int x, y; };
struct CBmove {
	int jumps, newpiece, oldpiece;
	struct coor from, to, path[12], del[12];
	int delpiece[12];
};

static int is(const char *mode)
{
	const char *probe = getenv("PROBE");
	return probe && strcmp(probe, mode) == 0;
}

static int calls;
static char history[256];

static void fill(struct CBmove *move, int piece, int x, int y, int tox, int toy)
{
	memset(move, 0, sizeof *move);
	move->oldpiece = move->newpiece = piece;
	move->from.x = x; move->from.y = y;
	move->to.x = tox; move->to.y = toy;
	move->path[1] = move->to;
}

static int step(int board[8][8], int color, struct CBmove *move)
{
	int x, y, dx, toy;
	for (y = 0; y < 8; y++)
		for (x = 0; x < 8; x++) {
			if (board[x][y] != (color | 4))
				continue;
			toy = color == 2 ? y + 1 : y - 1;
			for (dx = -1; dx <= 1; dx += 2) {
				if (x + dx < 0 || x + dx > 7 || toy < 0 || toy > 7 || board[x + dx][toy])
					continue;
				if (!is("noboard")) {
					board[x + dx][toy] = board[x][y];
					board[x][y] = 0;
				}
				if (!is("nomove"))
					fill(move, color | 4, x, y, x + dx, toy);
				return 1;
			}
		}
	return 0;
}

int getmove(int board[8][8], int color, double maxtime, char str[1024], int *playnow, int info, int moreinfo, struct CBmove *move)
{
	int i, *memory = &board[0][0];
	char *s = str;
	calls++;
	if (is("memory")) {
		s += sprintf(s, "color %d maxtime %g playnow %d info %d moreinfo %d:", color, maxtime, *playnow, info, moreinfo);
		for (i = 0; i < 64; i++)
			if (memory[i])
				s += sprintf(s, " %d=%d", i, memory[i]);
	}
	if (is("history"))
		strcpy(str, history);
	if (is("prints")) {
		printf("best 11-15\nready or not\n");
		fflush(stdout);
	}
	if (is("crash"))
		*(volatile int *)8 = 1;
	if (is("exit"))
		exit(3);
	while (is("hang"))
		usleep(1000);
	while (is("loop") && !*(volatile int *)playnow)
		usleep(1000);
	if (is("longstatus"))
		memset(str, 'x', 1024); /* no NUL */
	if (is("status")) {
		strcpy(str, "thinking\n\001of it");
		usleep(300000);
	}
	step(board, color, move);
	if (is("garbageboard"))
		board[1][0] = 77, board[3][3] = -1;
	if (is("garbagemove"))
		memset(move, 0x55, sizeof *move);
	if (is("wrongmove"))
		move->to.x = move->from.x;
	if (is("illegal")) {
		memset(board, 0, 64 * sizeof(int));
		board[0][0] = color | 8;
		memset(move, 0, sizeof *move);
	}
	*playnow = is("setsplaynow");
	return is("loses") ? 2 : 3;
}

int enginecommand(char command[256], char reply[1024])
{
	if (strcmp(command, "name") == 0) {
		if (is("longreply"))
			memset(reply, 'n', 1024); /* no NUL */
		else
			strcpy(reply, "Probe");
		return 1;
	}
	if (strcmp(command, "about") == 0) {
		strcpy(reply, "Probe\r\nfor tests\n");
		return 1;
	}
	if (strcmp(command, "get gametype") == 0) {
		if (is("mute"))
			return 0;
		strcpy(reply, is("italian") ? "22" : is("gothic") ? "99" : is("words") ? "checkers" : is("english") ? "21" : "25");
		return 1;
	}
	if (strcmp(command, "get sizes") == 0) {
		sprintf(reply, "%d %d %d", (int)sizeof(struct CBmove), (int)sizeof(int), calls);
		return 1;
	}
	if (strncmp(command, "set gamehist ", 13) == 0) {
		strcpy(history, command);
		return 1;
	}
	if (strcmp(command, "hang") == 0)
		for (;;)
			usleep(1000);
	strcpy(reply, "?");
	return 0;
}

#ifndef NOLEGAL
int islegal(int board[8][8], int color, int from, int to, struct CBmove *move)
{
	if (is("garbagemove")) {
		memset(move, 0x55, sizeof *move);
		return 1;
	}
	/* 22-18 in the numbers of Russian checkers */
	if (from != 22 || to != 18)
		return 0;
	fill(move, color | 4, 5, 5, 4, 4);
	return 1;
}
#endif
