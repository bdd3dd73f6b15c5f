#!/usr/bin/env python3
"""A client of qhsh analyze: many requests in flight, partial answers, answers as futures.

    python3 analyze.py twelve.fen

writes id, move and score of every position as soon as its search has ended. The environment
variable QHSH names the program."""
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys
import threading


class Analysis:
    """A running qhsh analyze. Its methods may be called from several threads."""

    def __init__(self, *flags):
        command = [os.environ.get("QHSH", "qhsh"), "analyze", *flags]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.ids = itertools.count(1)
        self.waiting = {}  # futures and listeners by the ids of requests in flight
        self.writing = threading.Lock()  # which the reader never waits for: it makes room for more requests
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def request(self, on_partial=None, **keys):
        """Returns a future of the final answer. on_partial is called with every answer before it,
        if the request has an interval, as in report=500."""
        future = concurrent.futures.Future()
        with self.writing:
            keys["id"] = next(self.ids)  # which is the number of its line, too
            self.waiting[keys["id"]] = future, on_partial
            self.process.stdin.write(json.dumps(keys) + "\n")
            self.process.stdin.flush()
        return future

    def cancel(self, *ids):
        """Cancels requests, or all. Each still has its final answer, with the key cancelled."""
        return self.request(action="cancel", **({"ids": ids} if ids else {}))

    def _read(self):
        try:
            for answer in map(json.loads, self.process.stdout):
                key = answer.get("id", answer.get("line"))  # no id: the line could not be read
                if answer["final"]:
                    self.waiting.pop(key)[0].set_result(answer)
                elif self.waiting[key][1]:
                    self.waiting[key][1](answer)
        finally:
            for future, _ in list(self.waiting.values()):
                future.set_exception(EOFError("qhsh analyze has ended"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Waits for what is in flight."""
        self.process.stdin.close()
        self.reader.join()
        self.process.wait()


def main(paths):
    with Analysis("-level", "3", "-jobs", "2") as analysis:
        lines = itertools.chain.from_iterable(open(path, encoding="utf-8") for path in paths)
        requests = [analysis.request(fen=line.strip()) for line in lines if line.strip() and line[0] != "#"]
        for done in concurrent.futures.as_completed(requests):
            answer = done.result()
            for hint in answer.get("hints", [])[:1]:
                print(answer["id"], hint["move"], hint.get("cp", "mate %s" % hint.get("mate")), sep="\t")
            if "error" in answer:
                print(answer["id"], answer["error"], sep="\t")


if __name__ == "__main__":
    main(sys.argv[1:])
