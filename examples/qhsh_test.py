"""Tests of qhsh.py."""
import asyncio
import os
import sys
import tempfile
import unittest
import unittest.mock

from qhsh import Engine, Qhsh, QhshError, RequestError, explore, games, run

HOUR = {"time": 3600000}
MANY = 30  # requests, where there is ROOM for fewer

DYING = """import json
for line in map(json.loads, iter(input, "")):
    if "action" not in line:
        raise SystemExit
    print(json.dumps({"id": line["id"], "engines": [{"name": "dying"}]}), flush=True)
"""


class TestEngine(unittest.TestCase):
    def test_engine(self):
        with Engine("-level", "1") as e:
            board = e.board(moves=["h2e2"])
            self.assertEqual((board.turn, board.result, board.over, len(board.moves)), ("second", None, None, 45))
            self.assertIn("[r][h][e]", str(board))
            self.assertTrue(board._repr_svg_().startswith("<svg"))
            best = e.search(**board.after("h9g7")).best.move
            self.assertIn(best, e.board(**board.after("h9g7")).moves)
            self.assertEqual([a.turn for a in e.game(["h2e2", "h9g7"])], [0, 1, 2])
            self.assertTrue([a.final for a in e.analyze(report=1)][-1])
            mate = e.board(fen="3k5/9/9/9/9/9/9/9/r8/r3K4 w")
            self.assertEqual((mate.result, mate.over, mate.moves), ("0-1", "checkmate", []))
            with self.assertRaisesRegex(RequestError, "blocked"):
                e.board(moves=["a0a9"])
        with self.assertRaisesRegex(QhshError, "closed"):
            e.search()

    def test_engine_that_cannot_be_started(self):
        with self.assertRaisesRegex(QhshError, "cannot be started"), Engine("-engine", "./missing") as e:
            e.search()
        with unittest.mock.patch.dict(os.environ, QHSH="./missing"), self.assertRaisesRegex(QhshError, "names the program"):
            Engine()

    def test_games(self):
        self.assertEqual([g["tags"]["Red"] for g in games("games.pgn")][:2], ["HU RongHua", "LI LaiQun"])
        self.assertEqual(next(games("games.pgn", notation="wxf"))["moves"][0], "E3+5")
        with self.assertRaisesRegex(QhshError, "missing.pgn: no such file"):
            list(games("missing.pgn"))

    def test_explore(self):
        with tempfile.TemporaryDirectory() as folder:
            db = os.path.join(folder, "x.db")
            run("explore", "add", "-db", db, "games.pgn")
            self.assertEqual(explore(db)["games"], 20)
            self.assertEqual(explore(db, moves=["h2e2"], player="lv qin")["games"], 1)
        with self.assertRaisesRegex(QhshError, "no such file"):
            explore("missing.db")


class Test(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)  # which takes its time

    async def test_many_at_once(self):
        async with Qhsh("-level", "1") as q:
            all = await asyncio.gather(*(q.search(limits={"nodes": 1}) for _ in range(11000)))
            self.assertEqual(len({a.best.move for a in all}), 1)

    async def test_games_and_rules(self):
        async with Qhsh("-level", "1", "-jobs", "2") as q:
            game = await q.game(["h2e2", "h9g7", "h0g2"], avoidMoves=[{"player": "black", "moves": ["h9g7"]}], lines=50)
            self.assertEqual([a.turn for a in game], [0, 1, 2, 3])
            self.assertIn("H2-E2", [line.move for line in game[0].lines])
            self.assertNotIn("H9-G7", [line.move for line in game[1].lines])
            only = await q.search(allowMoves=[{"moves": ["a0a1"]}], lines=50)
            self.assertEqual([line.move for line in only.lines], ["A0-A1"])
            self.assertIn("marker-end", only._repr_svg_())
            self.assertNotEqual(game[1]._repr_svg_(), game[2]._repr_svg_())
            self.assertEqual((await q.action("clear_cache"))["action"], "clear_cache")

    async def test_lines_that_cannot_be_read(self):
        async with Qhsh("-level", "1") as q:
            bad = [q.search(fen="x" * (1 << 20)), q.search(fen="9/9 w"), q.search(analyzeTurns=[1]),
                   q.search(moves=["\ud800"]), q.search(limits={"nodes": float("nan")}), q.action("sleep"), q.search()]
            results = await asyncio.gather(*bad, return_exceptions=True)
            self.assertEqual([getattr(r, "field", type(r).__name__) for r in results],
                             ["", "fen", "analyzeTurns", "moves", "ValueError", "action", "Analysis"])
            self.assertNotIn("id", results[0].answer)
            with self.assertRaises(RequestError):
                async for _ in q.analyze(fen="9/9 w"):
                    self.fail("an answer")

    async def test_answers_to_nothing(self):
        for said in ('{"final":true,"error":"?"}', '{"id":7,"final":true}', '{"id":1}', "7", "nonsense"):
            q = Qhsh()
            q.command = [sys.executable, "-c", f"input(); print({said!r}, flush=True); input()"]
            async with q:
                ends = await asyncio.gather(*(q.search() for _ in range(3)), return_exceptions=True)
            self.assertEqual({type(e) for e in ends}, {QhshError})

    @unittest.mock.patch("qhsh.ROOM", 20)
    async def test_cancelled(self):
        async with Qhsh() as q:
            async def watch():
                async for a in q.analyze(limits=HOUR, report=1):
                    began.set()
            began = asyncio.Event()
            tasks = [asyncio.create_task(watch())]
            await began.wait()
            tasks += [asyncio.create_task(q.search(limits=HOUR)) for _ in range(MANY)]
            await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
            self.assertEqual({type(e) for e in ends}, {asyncio.CancelledError})
            self.assertTrue((await q.search(limits={"nodes": 1})).best)  # and nothing is in its way
            async for a in q.analyze(limits=HOUR, report=1):
                break
            self.assertTrue((await q.search(limits={"nodes": 1})).best)

    @unittest.mock.patch("qhsh.ROOM", 20)
    async def test_terminated(self):
        async with Qhsh() as q:
            async def watch():
                async for a in q.analyze(moves=["h2e2"], analyzeTurns=[0, 1], limits=HOUR, report=1):
                    began.put_nowait(a)
                return a
            began = asyncio.Queue()
            first = asyncio.create_task(watch())
            a = await began.get()
            await q.action("terminate", terminateId=a.id, turnNumbers=[0])
            while not a.final:
                a = await began.get()
            self.assertEqual((a.turn, a.answer["stopped"], bool(a.best)), (0, True, True))
            rest = [asyncio.create_task(q.search(limits=HOUR)) for _ in range(MANY)]
            await asyncio.sleep(0)  # they ask before the next answer is read, which may be there already
            while a.turn == 0:
                a = await began.get()
            await q.terminate_all()
            self.assertTrue((await first).best)
            self.assertEqual({a.answer.get("noResults") for a in await asyncio.gather(*rest)}, {True})

    async def test_engine_dies(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "dying.py")
            with open(path, "w") as f:
                f.write(DYING)
            dying = f"dying=jsonl:'{sys.executable}' '{path}'"
            async with Qhsh("-engine", dying, "-engine", "builtin", "-level", "1") as q:
                with self.assertRaisesRegex(RequestError, "dying"):
                    await q.search(engine="dying", limits={"nodes": 1})
                self.assertTrue((await q.search(engine="builtin")).best)

    @unittest.mock.patch("qhsh.ROOM", 20)
    async def test_program_dies(self):
        async with Qhsh() as q:
            tasks = [asyncio.create_task(q.search(limits=HOUR)) for _ in range(MANY)]
            async for _ in q.analyze(priority=1, limits=HOUR, report=1):
                break
            q.process.kill()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
            self.assertEqual({type(e) for e in ends}, {QhshError})
            with self.assertRaisesRegex(QhshError, "has ended, with status"):
                await q.search()

    @unittest.mock.patch("qhsh.ROOM", 20)
    async def test_closed_by_an_error(self):
        with self.assertRaises(ZeroDivisionError):
            async with Qhsh() as q:
                tasks = [asyncio.create_task(q.search(limits=HOUR)) for _ in range(MANY)]
                await q.action("queue")
                1 / 0
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        self.assertEqual({type(e) for e in ends}, {QhshError})

    async def test_not_started(self):
        with self.assertRaisesRegex(QhshError, "no such engine|absent"):
            async with Qhsh("-engine", "absent") as q:
                await q.search()
        program, os.environ["QHSH"] = os.environ["QHSH"], "/no/qhsh"
        with self.assertRaisesRegex(QhshError, "QHSH names the program"):
            await Qhsh().start()
        os.environ["QHSH"] = program


if __name__ == "__main__":
    unittest.main()
