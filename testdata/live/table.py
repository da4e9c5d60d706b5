#!/usr/bin/env python3
"""table.py VERSION RESULT.jsonl...: the results of run.py as the table of docs/live.md, a row a scenario and a column
a harness. A cell is the number of single checks that held; one that failed, was skipped or is missing says so. Of two
results of one scenario with one harness the later file's counts."""
import json
import sys
import time


def read(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f if line.startswith("{")]


def cell(result):
    if result is None:
        return "not flown"
    if "skipped" in result:
        return "skipped: " + result["skipped"]
    if result["failed"]:
        return "**%d of %d failed**" % (result["failed"], result["passed"] + result["failed"])
    return "%d" % result["passed"]


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: table.py VERSION RESULT.jsonl...")
    version, columns, names = sys.argv[1], {}, set()
    for path in sys.argv[2:]:
        results = {r["scenario"]: r for r in read(path)}
        if not results:
            print("table.py: %s holds no result" % path, file=sys.stderr)
            continue
        first = next(iter(results.values()))
        columns.setdefault("%s %s" % (first["harness"], first["version"]), {}).update(results)
        names |= set(results)
    columns = list(columns.items())
    print("spar %s, %s (UTC)\n" % (version, time.strftime("%Y-%m-%d", time.gmtime())))
    print("| scenario | %s |" % " | ".join(title for title, _ in columns))
    print("|%s" % (" --- |" * (len(columns) + 1)))
    for name in sorted(names):
        print("| %s | %s |" % (name, " | ".join(cell(results.get(name)) for _, results in columns)))
    slowest = [max((r.get("hook_ms_max") or 0 for r in results.values()), default=0) for _, results in columns]
    print("| slowest hook, ms | %s |" % " | ".join("%d" % ms for ms in slowest))


if __name__ == "__main__":
    main()
