#!/usr/bin/env python3
"""Join what two engines have answered by the ids of the positions.

    qhsh hints -level 2 -o weak.jsonl suite.epd
    qhsh hints -level 5 -o strong.jsonl suite.epd
    python3 join.py weak.jsonl strong.jsonl

writes the positions with other best moves, separated by tabs: id, both moves and scores."""
import json
import sys


def answers(path):
    """The best hints of a file by their ids, 17 and "17" apart; failed positions have none."""
    with open(path, encoding="utf-8") as lines:
        for a in map(json.loads, lines):
            if "id" in a and a.get("hints"):
                yield json.dumps(a["id"]), a["hints"][0]


first, second = (dict(answers(path)) for path in sys.argv[1:3])
for key, a in first.items():
    b = second.get(key)
    if b and a["move"] != b["move"]:
        score = [h.get("cp", "mate %s" % h.get("mate")) for h in (a, b)]
        print(json.loads(key), a["move"], b["move"], *score, sep="\t")
