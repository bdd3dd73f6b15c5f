#!/usr/bin/env python3
"""qhsh in Python: searches, boards, games, what was played before. qhsh python > qhsh.py writes this file.

    with Engine("-engine", "uci:./pikafish") as e:
        board = e.board(moves=["h2e2", "h9g7"])
        print(board, board.moves)
        print(e.search(**board.after("h0g2"), limits={"time": 1000}).best)

Qhsh is the same for asyncio: many searches at once, partial answers, cancelled tasks.

    async with Qhsh("-jobs", "4") as q:
        async for a in q.analyze(limits={"time": 5000}, report=500):
            print(a.turn, a.final, *a.lines)

A notebook shows boards, and answers with an arrow for the best move. python3 qhsh.py twelve.fen writes number,
move and score of every position as soon as its search has ended.

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
import threading
from typing import Any, AsyncGenerator, Awaitable, Iterable, Iterator, TypeVar

T = TypeVar("T")
ROOM = 5000  # turns in flight: at 10,000 qhsh would not read on, not even actions


class QhshError(Exception):
    """qhsh cannot be run, or has ended."""


class RequestError(QhshError):
    """A request has no answer but an error. field is the key that is wrong, "" if none is."""

    def __init__(self, answer: dict[str, Any]):
        super().__init__(answer["error"])
        self.answer = answer
        self.field: str = answer.get("field", "")


def _program() -> str:
    return os.environ.get("QHSH", "qhsh")


def _output(command: list[str]) -> Iterator[str]:
    """The lines that a command writes."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
        said: list[str] = []
        assert process.stdout and process.stderr
        listener = threading.Thread(target=said.extend, args=(process.stderr,))
        listener.start()
        try:
            yield from process.stdout
        except GeneratorExit:
            process.kill()
            raise
        finally:
            listener.join()
    if process.returncode:
        raise QhshError("".join(said).strip())


def run(*words: str) -> str:
    """Runs a command of qhsh, such as run("explore", "add", "-db", "my.db", "my.pgn"), and returns what it writes."""
    return "".join(_output([_program(), *words]))


def _picture(drawing: list[str], request: dict[str, Any], turn: int | None = None, arrow: str = "") -> str:
    """The board of a request at one of its turns, by default the last, as SVG."""
    start, _, played = request.get("fen", "startpos").partition(" moves ")
    moves = [*played.split(), *request.get("moves", [])][:turn]
    arrows = ["-arrows", arrow.replace(" ", "")] if arrow else []
    words = [*start.split(), "moves", *" ".join(moves).split()] if moves else start.split()
    return "".join(_output([*drawing, *arrows, "--", *words]))


def games(*paths: str, notation: str = "uci", game: str = "xiangqi") -> Iterator[dict[str, Any]]:
    """Yields the games of files in any format: tags, fen, result, moves, as 'qhsh help formats' has them."""
    return map(json.loads, _output([_program(), "convert", "-game", game, "-notation", notation, "-format", "json", "--", *paths]))


def explore(db: str, fen: str = "startpos", moves: Iterable[str] = (), **flags: str) -> dict[str, Any]:
    """Returns what was played in a position, of the games of a database of qhsh explore that flags select, such as
    player="胡荣华", since="1960"."""
    words = [*fen.split(), *(["moves", *moves] if moves else [])]
    selected = [word for name, text in flags.items() for word in ("-" + name, text)]
    found: dict[str, Any] = json.loads(next(_output([_program(), "explore", "-db", db, "-format", "json", *selected, "--", *words])))
    return found


@dataclasses.dataclass(frozen=True)
class Board:
    """A position, with what the rules say about it. A notebook shows its picture, print a board of text."""

    keys: dict[str, Any]  # of a request about it: fen and moves
    state: dict[str, Any]  # as qhsh has written it
    drawing: list[str]  # the command that draws boards

    @property
    def fen(self) -> str:
        return str(self.state["fen"])

    @property
    def turn(self) -> str:
        """Who is to move: first, second, or chance."""
        return str(self.state["turn"])

    @property
    def moves(self) -> list[str]:
        """The legal ones."""
        return self.state.get("moves", [])

    @property
    def result(self) -> str | None:
        """None while the game goes on."""
        return self.state.get("result")

    @property
    def over(self) -> str | None:
        """How the game has ended."""
        return self.state.get("over")

    def after(self, *moves: str) -> dict[str, Any]:
        """Returns the keys of a request about the position after more moves."""
        return {**self.keys, "moves": [*self.keys["moves"], *moves]}

    def __str__(self) -> str:
        return str(self.state["board"]).rstrip("\n")

    def _repr_svg_(self) -> str:
        return _picture(self.drawing, self.keys)


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
    drawing: list[str]  # the command that draws boards

    @property
    def id(self) -> int:
        return int(self.answer["id"])

    @property
    def turn(self) -> int:
        return int(self.answer["turnNumber"])

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
        return _picture(self.drawing, self.request, self.turn, self.best.move if self.best else "")


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
        program = _program()
        self.command = [program, "analyze", *flags]
        self.drawing = [program, "board", "-game", game]
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
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self._stdin, self._stdout, self._stderr = self.process.stdin, self.process.stdout, self.process.stderr
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
    ) -> AsyncGenerator[Analysis, None]:
        """Yields every answer to a request: the final one of each turn, and with report partial ones
        before it. If the loop is left, or its task cancelled, the request is cancelled."""
        keys = {k: list(v) if k in ("moves", "analyzeTurns", "ban") else v
                for k, v in locals().items() if k != "self" and v is not None}
        async for answer in self._answers(keys):
            yield Analysis(answer, keys, self.drawing)

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

    async def board(self, *, fen: str | None = None, moves: Iterable[str] = ()) -> Board:
        """Returns a position, by default the start, after moves."""
        keys: dict[str, Any] = {"moves": list(moves)} if fen is None else {"fen": fen, "moves": list(moves)}
        return Board(keys, (await self.action("state", **keys))["state"], self.drawing)

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

    async def _answers(self, message: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
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
        self._stdin.write(json.dumps({"id": r.id, **r.message}).encode() + b"\n")

    async def _write(self) -> None:
        """Sends requests, the highest priority first, while there is room for them."""
        while not self._ended:
            while self._turns >= ROOM and not self._ended:
                self._room.clear()
                await self._room.wait()
            r = (await self._outbox.get())[-1]
            if r is None:
                self._stdin.close()
                return
            if r in self._open:
                self._send(r)
                try:
                    await self._stdin.drain()
                except ConnectionError:
                    return  # which _read explains

    async def _read(self) -> None:
        why, line = "it has ended", b""
        try:
            async for line in self._stdout:
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
        async for line in self._stderr:
            text = line.decode(errors="replace").rstrip()
            self._said.append(text)
            print(text, file=sys.stderr)


class Engine:
    """Qhsh for programs that do not await. It has an event loop of its own, in a thread.

    with Engine("-level", "3") as e: ..."""

    def __init__(self, *flags: str, game: str = "xiangqi"):
        self._loop = asyncio.new_event_loop()
        self._closed = False
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.qhsh = Qhsh(*flags, game=game)
        try:
            self._await(self.qhsh.start())
        except BaseException:
            self._stop()
            raise

    def _await(self, work: Awaitable[T]) -> T:
        async def done() -> T:
            return await work

        if self._closed:
            getattr(work, "close", lambda: None)()  # of a coroutine
            raise QhshError("the engine has been closed")
        future = asyncio.run_coroutine_threadsafe(done(), self._loop)
        try:
            return future.result()
        except BaseException:  # such as Ctrl-C: the request is cancelled
            future.cancel()
            raise

    def _stop(self) -> None:
        self._closed = True
        self._loop.call_soon_threadsafe(self._loop.stop)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if self._closed:
            return
        try:
            self._await(self.qhsh.__aexit__(kind))
        finally:
            self._stop()

    def close(self) -> None:
        self.__exit__(None)

    def board(self, *, fen: str | None = None, moves: Iterable[str] = ()) -> Board:
        return self._await(self.qhsh.board(fen=fen, moves=moves))

    def search(self, **keys: Any) -> Analysis:
        return self._await(self.qhsh.search(**keys))

    def game(self, moves: Iterable[str], **keys: Any) -> list[Analysis]:
        return self._await(self.qhsh.game(moves, **keys))

    def analyze(self, **keys: Any) -> Iterator[Analysis]:
        answers = self.qhsh.analyze(**keys)
        try:
            while True:
                yield self._await(answers.__anext__())
        except StopAsyncIteration:
            return
        finally:
            self._await(answers.aclose())


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
