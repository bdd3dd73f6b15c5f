#!/usr/bin/env python3
"""Breakthrough, its rules and an engine, as 'qhsh help jsonl' describes them."""
import json
import random
import sys

START = "b" * 16 + "." * 32 + "w" * 16 + " w"
NAMES = [file + rank for rank in "87654321" for file in "abcdefgh"]


def moves(fen):
    """The legal moves, such as b2c3, with the positions that they lead to."""
    board, side = fen.split()
    other, up, home = ("b", -8, board[56:]) if side == "w" else ("w", 8, board[:8])
    found = {}
    for at in range(64):
        for to in range(at + up - 1, at + up + 2):
            if board[at] == side and 0 <= to < 64 and abs(at % 8 - to % 8) < 2 and (
                    board[to] == "." or board[to] == other and to != at + up):
                after = list(board)
                after[at], after[to] = ".", side
                found[NAMES[at] + NAMES[to]] = "".join(after) + " " + other
    return {} if other in home else found


def answer(request):
    fen = request.get("fen", START)
    for move in request.get("moves", []):
        fen = moves(fen)[move]
    board, side = fen.split()
    legal = list(moves(fen))
    if request.get("action") == "state":
        state = {"fen": fen, "turn": "first" if side == "w" else "second", "moves": legal,
                 "board": "\n".join(board[i:i + 8] for i in range(0, 64, 8))}
        if not legal:
            state.update(result="0-1" if side == "w" else "1-0", over="breakthrough")
        return {"state": state}
    if "action" in request:
        return {"error": "unknown action"}
    choice = [move for move in legal if move not in request.get("ban", [])]
    return {"hints": [{"move": random.choice(choice)}]} if choice else {"over": "breakthrough"}


for line in sys.stdin:
    request = json.loads(line)
    try:
        reply = answer(request)
    except (KeyError, ValueError) as problem:
        reply = {"error": "invalid: %s" % problem}
    print(json.dumps({"id": request["id"], **reply}), flush=True)
