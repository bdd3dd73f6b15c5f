#!/usr/bin/env python3
"""A client of qhsh analyze for asyncio: many searches at once, whole games, partial answers, pictures.

    python3 qhsh.py twelve.fen

writes number, move and score of every position as soon as its search has ended. In a notebook, the
last line of the first cell shows the board with the best move:

    q = await Qhsh("-jobs", "4").start()
    await q.search(moves=["h2e2", "h9g7"], limits={"level": 3})

    async for a in q.analyze(limits={"time": 5000}, report=500):
        print(a.turn, a.final, *a.lines)

The environment variable QHSH names the program. Python 3.8 or later will do. 'qhsh help analyze'
describes the keys of requests and answers."""
from __future__ import annotations

import asyncio
import collections
import dataclasses
import itertools
import json
import os
import subprocess
import sys
from typing import Any, AsyncIterator, Iterable

ROOM = 5000  # turns in flight: at 10,000 qhsh would not read on, not even actions


class QhshError(Exception):
    """qhsh cannot be run, or has ended."""


class RequestError(QhshError):
    """A request has no answer but an error. field is the key that is wrong, "" if none is."""

    def __init__(self, answer: dict[str, Any]):
        super().__init__(answer["error"])
        self.answer = answer
        self.field: str = answer.get("field", "")


@dataclasses.dataclass(frozen=True)
class Line:
    """A line of play. The score is for the side to move: cp, or mate in so many moves of the winner."""

    move: str
    pv: list[str]
    cp: int | None
    mate: int | None
    depth: int | None
    nodes: int | None

    def __str__(self) -> str:
        return f"{self.move} {self.score}"

    @property
    def score(self) -> str:
        return f"mate {self.mate}" if self.cp is None else str(self.cp)


@dataclasses.dataclass(frozen=True)
class Analysis:
    """An answer about one turn of a request. A notebook shows its board, with an arrow for the best move."""

    answer: dict[str, Any]  # as qhsh has written it
    request: dict[str, Any]
    board: list[str]  # the command that draws boards

    @property
    def id(self) -> int:
        return self.answer["id"]

    @property
    def turn(self) -> int:
        return self.answer["turnNumber"]

    @property
    def final(self) -> bool:
        """Whether the search of the turn has ended."""
        return not self.answer["isDuringSearch"]

    @property
    def lines(self) -> list[Line]:
        """Best first; none if the game is over, or if the turn was stopped before it had any."""
        names = [f.name for f in dataclasses.fields(Line)]
        return [Line(*map(hint.get, names)) for hint in self.answer.get("hints", [])]

    @property
    def best(self) -> Line | None:
        return next(iter(self.lines), None)

    def _repr_svg_(self) -> str:
        start, _, played = self.request.get("fen", "startpos").partition(" moves ")
        moves = [*played.split(), *self.request.get("moves", [])][: self.turn]
        arrows = ["-arrows", self.best.move.replace(" ", "")] if self.best else []
        words = [*start.split(), "moves", *" ".join(moves).split()] if moves else start.split()
        drawn = subprocess.run([*self.board, *arrows, "--", *words], capture_output=True, encoding="utf-8")
        if drawn.returncode:
            raise QhshError(drawn.stderr.strip())
        return drawn.stdout


@dataclasses.dataclass(eq=False)
class _Request:
    message: dict[str, Any]
    answers: asyncio.Queue[dict[str, Any] | QhshError]
    turns: int  # in flight
    id: int = 0  # the number of its line, once it is sent


class Qhsh:
    """A running qhsh analyze with flags. game is the engine's, for pictures.

    async with Qhsh("-engine", "quoridor,size=5", game="quoridor,size=5") as q: ..."""

    def __init__(self, *flags: str, game: str = "xiangqi"):
        program = os.environ.get("QHSH", "qhsh")
        self.command = [program, "analyze", *flags]
        self.board = [program, "board", "-game", game]
        self._open: set[_Request] = set()  # those that are not done
        self._in_flight: dict[int, _Request] = {}  # those that qhsh has, also if nobody waits for them
        self._turns = 0  # of these
        self._lines = 0  # sent
        self._ended = ""  # how
        self._said: collections.deque[str] = collections.deque(maxlen=5)  # on standard error

    async def start(self) -> Qhsh:
        """Is what async with does at its beginning, for a notebook."""
        self._outbox: asyncio.PriorityQueue[tuple[float, int, _Request | None]] = asyncio.PriorityQueue()
        self._room = asyncio.Event()
        self._numbers = itertools.count()
        pipe = asyncio.subprocess.PIPE
        try:
            self.process = await asyncio.create_subprocess_exec(
                *self.command, stdin=pipe, stdout=pipe, stderr=pipe, limit=1 << 26)
        except OSError as e:
            raise QhshError(f"{self.command[0]}: {e.strerror}: the environment variable QHSH names the program") from e
        self._tasks = [asyncio.create_task(work()) for work in (self._write, self._read, self._listen)]
        return self

    async def close(self) -> None:
        """Waits for what is in flight."""
        self._outbox.put_nowait((float("inf"), next(self._numbers), None))
        try:
            await asyncio.gather(*self._tasks)
        finally:
            if self.process.returncode is None:
                self.process.kill()

    async def __aenter__(self) -> Qhsh:
        return await self.start()

    async def __aexit__(self, kind: Any, *_: Any) -> None:
        if kind:
            for r in list(self._open):
                self._give_up(r)
                r.answers.put_nowait(QhshError("the client has been closed"))
        await self.close()

    async def analyze(
        self, *, fen: str | None = None, moves: Iterable[str] | None = None,
        analyzeTurns: Iterable[int] | None = None, limits: dict[str, int] | None = None,
        lines: int | None = None, ban: Iterable[str] | None = None,
        avoidMoves: list[dict[str, Any]] | None = None, allowMoves: list[dict[str, Any]] | None = None,
        priority: int | None = None, report: int | None = None, engine: str | None = None,
    ) -> AsyncIterator[Analysis]:
        """Yields every answer to a request: the final one of each turn, and with report partial ones
        before it. If the loop is left, or its task cancelled, the request is cancelled."""
        keys = {k: list(v) if k in ("moves", "analyzeTurns", "ban") else v
                for k, v in locals().items() if k != "self" and v is not None}
        async for answer in self._answers(keys):
            yield Analysis(answer, keys, self.board)

    async def search(self, **keys: Any) -> Analysis:
        """Returns the final answer about one position, with the keys of analyze."""
        async for a in self.analyze(**keys):
            pass
        return a

    async def game(self, moves: Iterable[str], **keys: Any) -> list[Analysis]:
        """Returns the final answers about all positions of a game, in its order."""
        moves = list(moves)
        answers = self.analyze(moves=moves, analyzeTurns=range(len(moves) + 1), **keys)
        return sorted([a async for a in answers if a.final], key=lambda a: a.turn)

    async def action(self, action: str, **keys: Any) -> dict[str, Any]:
        """Returns the answer to an action, such as action("terminate", terminateId=a.id, turnNumbers=[3])."""
        async for answer in self._answers({"action": action, **keys}):
            pass
        return answer

    async def terminate_all(self) -> dict[str, Any]:
        """Has all requests answered with what is known. Those that are not sent yet have no results."""
        for r in [r for r in self._open if not r.id]:
            turns = r.message.get("analyzeTurns", [len(r.message.get("moves", []))])
            for n in turns:
                r.answers.put_nowait({"id": 0, "final": n == turns[-1], "isDuringSearch": False, "turnNumber": n,
                                      "hints": [], "stopped": True, "noResults": True})
            self._open.discard(r)
        return await self.action("terminate_all")

    async def _answers(self, message: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        json.dumps(message, allow_nan=False)  # an error of this request, and of no other
        if self._ended:
            raise QhshError(self._ended)
        r = _Request(message, asyncio.Queue(), len(message.get("analyzeTurns", [0])))
        self._open.add(r)
        if "action" in message:
            self._send(r)
        else:
            self._outbox.put_nowait((-message.get("priority", 0), next(self._numbers), r))
        try:
            while True:
                answer = await r.answers.get()
                if isinstance(answer, QhshError):
                    raise answer
                if "error" in answer:
                    raise RequestError(answer)
                yield answer
                if answer["final"]:
                    return
        finally:
            self._give_up(r)

    def _give_up(self, r: _Request) -> None:
        """Cancels a request that is not done."""
        if r in self._open:
            self._open.discard(r)
            if r.id and not self._ended:
                self._send(_Request({"action": "cancel", "ids": [r.id]}, asyncio.Queue(), 0))

    def _send(self, r: _Request) -> None:
        self._lines += 1
        r.id = self._lines
        self._in_flight[r.id] = r
        self._turns += r.turns
        self.process.stdin.write(json.dumps({"id": r.id, **r.message}).encode() + b"\n")

    async def _write(self) -> None:
        """Sends requests, the highest priority first, while there is room for them."""
        while not self._ended:
            while self._turns >= ROOM and not self._ended:
                self._room.clear()
                await self._room.wait()
            r = (await self._outbox.get())[-1]
            if r is None:
                self.process.stdin.close()
                return
            if r in self._open:
                self._send(r)
                try:
                    await self.process.stdin.drain()
                except ConnectionError:
                    return  # which _read explains

    async def _read(self) -> None:
        why, line = "it has ended", b""
        try:
            async for line in self.process.stdout:
                answer = json.loads(line)
                r = self._in_flight[answer.get("id", answer.get("line"))]  # no id: the line could not be read
                if answer["final"]:
                    del self._in_flight[r.id]
                    self._open.discard(r)
                    self._turns -= r.turns
                    self._room.set()
                r.answers.put_nowait(answer)
        except Exception:  # whose answer is it?
            why = f"its answer {line[:200]!r} belongs to no request"
            self.process.kill()
        status = await self.process.wait()
        await self._tasks[2]
        self._ended = "\n".join([f"{' '.join(self.command)}: {why}, with status {status}", *self._said])
        self._room.set()
        for r in self._open:
            r.answers.put_nowait(QhshError(self._ended))

    async def _listen(self) -> None:
        async for line in self.process.stderr:
            text = line.decode(errors="replace").rstrip()
            self._said.append(text)
            print(text, file=sys.stderr)


async def main(paths: list[str]) -> None:
    async def report(number: int, fen: str) -> None:
        try:
            a = await q.search(fen=fen)
            if a.best:
                print(number, a.best.move, a.best.score, sep="\t")
        except RequestError as e:
            print(number, e, sep="\t")

    lines = itertools.chain.from_iterable(open(path, encoding="utf-8") for path in paths)
    fens = [line.strip() for line in lines if line.strip() and line[0] != "#"]
    async with Qhsh("-level", "3", "-jobs", "2") as q:
        await asyncio.gather(*itertools.starmap(report, enumerate(fens, 1)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
