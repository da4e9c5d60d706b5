#!/usr/bin/env python3
"""A stand-in for spar, so that run.py and the scenarios are tried without it: a fault of the kit is then not taken for
one of spar's. It is no model of it: it prices by a handful of patterns, knows nothing of shells, and keeps its record in
one JSON file. What it does show, because the harnesses were really run with it, is which answer each harness takes in
which shape.

FAKE_SPAR=mute makes it silent (every scenario that wants a word or a denial must then fail), FAKE_SPAR=deaf makes
its install step write nothing (every scenario must then fail)."""
import fcntl
import json
import os
import re
import subprocess
import sys
import time

NESTED = ("claude", "codex", "qwen")   # settings in the shape {"hooks": {EVENT: [{"hooks": [...]}]}}
EVENTS = {
    "claude": ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd"],
    "codex": ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"],
    "qwen": ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd"],
    "gemini": ["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"],
    "copilot": ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"],
}
ROLE = {"BeforeTool": "PreToolUse", "AfterTool": "PostToolUse", "BeforeAgent": "UserPromptSubmit", "AfterAgent": "Stop",
        "PostToolUseFailure": "PostToolUse"}
LATE = ("gemini", "qwen", "opencode")   # no context before a call: it comes with the result
PLUGIN = """
import { spawnSync } from "node:child_process";
const ask = (event, payload) => {
  try {
    const args = ["hook", "--harness", "opencode", "--event", event];
    const p = spawnSync("spar", args, { input: JSON.stringify(payload), encoding: "utf8", timeout: 15000 });
    return p.status === 0 && p.stdout ? JSON.parse(p.stdout) : {};
  } catch { return {}; }
};
export const Spar = async ({ directory }) => {
  const base = (sessionID) => ({ session_id: sessionID, cwd: directory });
  let last = "";
  process.on("exit", () => ask("SessionEnd", base(last)));
  return {
    "chat.message": async (i, o) => { last = i.sessionID; ask("UserPromptSubmit", { ...base(i.sessionID), prompt: o.parts.map((p) => p.text ?? "").join(" ") }); },
    "tool.execute.before": async (i, o) => {
      const a = ask("PreToolUse", { ...base(i.sessionID), tool_name: i.tool, tool_input: o.args });
      if (a.deny) throw new Error(a.deny);
    },
    "tool.execute.after": async (i, o) => {
      const a = ask("PostToolUse", { ...base(i.sessionID), tool_name: i.tool, tool_input: i.args });
      if (a.context) o.output += "\\n\\n" + a.context;
    },
  };
};
"""


def home():
    here = os.getcwd()
    while here != "/" and not os.path.isdir(os.path.join(here, ".git")):
        here = os.path.dirname(here)
    root = os.path.join(here if here != "/" else os.getcwd(), ".spar")
    os.makedirs(root, mode=0o700, exist_ok=True)
    return root


class Book:
    """The one JSON file, locked while it is open."""

    def __enter__(self):
        self.f = open(os.path.join(home(), "fake.json"), "a+", encoding="utf-8")
        fcntl.flock(self.f, fcntl.LOCK_EX)
        self.f.seek(0)
        text = self.f.read()
        self.d = json.loads(text) if text else {"points": 0, "sortie": None, "operator": False, "landed": False, "seat": None, "swing": None,
                                                "named": None, "late": {}, "blocks": 0, "discards": [], "findings": []}
        return self

    def __exit__(self, *exc):
        self.f.seek(0)
        self.f.truncate()
        json.dump(self.d, self.f)
        self.f.close()

    def file(self, **finding):
        finding.setdefault("severity", "note")
        self.d["findings"].append(dict(finding, seq=len(self.d["findings"]) + 1, mode="strike", actor="agent", sortie=self.d["sortie"]))


def paths_of(tool, given):
    if tool == "apply_patch":
        return re.findall(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", given.get("command", ""), re.M)
    if tool in ("Write", "Edit", "write_file", "replace", "edit", "create", "write"):
        return [given.get("file_path") or given.get("path") or given.get("filePath") or ""]
    return []


def price(tool, given, named):
    """(charges, recorded) by patterns that are good enough for the scenarios beside this file, and for nothing else."""
    charges, recorded = {}, []
    command = given.get("command", "") if tool in ("Bash", "bash", "run_shell_command") else ""
    words = re.sub(r"'[^']*'|\"[^\"]*\"", "''", command)
    if re.search(r"\brm -r", words):
        charges["irreversible"] = 3
    if re.search(r"\bgit push\b|\bnpm publish\b", words):
        charges["outward"] = 3
    if re.search(r"\bnpm install \w", words):
        charges["dependency"] = 1
    try:
        with open(".redline.json", encoding="utf-8") as f:
            production = json.load(f).get("production", [])
    except (OSError, ValueError):
        production = []
    for path in paths_of(tool, given):
        full = os.path.abspath(path)
        if any(p in full for p in production):
            charges["production"] = 2
        if named is not None and os.path.basename(path).lower() not in named:
            recorded.append(path)
    return charges, recorded


def pre(book, harness, payload):
    d = book.d
    tool, given = payload.get("tool_name", ""), payload.get("tool_input") or {}
    command = given.get("command", "") if isinstance(given, dict) else ""
    empty_seat = bool(os.environ.get("SPAR_AUTONOMY", "").strip()) or bool(d["seat"])
    if re.match(r"spar (mode|melee|launch|land)\b", command) and empty_seat:
        book.file(phase="pre", source="redline", subject=command, observed={"switch": True}, severity="warn")
        return {"deny": "redline: the pilot's switches are not the agent's; nobody is in the seat. Go on without it, or hand back."}
    charges, recorded = price(tool, given, d["named"])
    for path in recorded:
        book.file(phase="pre", source="redline", subject=path, observed={"unnamed": 0})
    if not charges:
        return {}
    d["points"] += sum(charges.values())
    text = "redline: %d — %s" % (d["points"], ", ".join("%s +%d" % c for c in charges.items()))
    level = "stop" if d["points"] >= 3 else "warn" if d["points"] >= 2 else "note"
    book.file(phase="pre", source="redline", subject=command or str(paths_of(tool, given)), observed=charges, severity=level,
              swing=d["swing"] and d["swing"]["action"])
    if d["swing"] or level == "note":
        return {}
    if level == "warn":
        return {"context": text + "\nHalfway to 3."}
    if empty_seat:
        return {"deny": text + "\nPast 3 with nobody in the seat. Stopping here: hand back to a human."}
    return {"context": text + "\nPast 3. The pilot's call: say it aloud before going on."}


def claim(book):
    """A pending contract whose probe does not hold blocks the stop once."""
    try:
        with open(os.path.join(home(), "groundtruth", "pending.jsonl"), encoding="utf-8") as f:
            open_ones = [json.loads(line) for line in f if line.strip()]
    except OSError:
        return {}
    for c in open_ones:
        got = subprocess.run(["sh", "-c", c["probe"]], stdout=subprocess.PIPE, text=True).stdout
        if c["expect"]["value"] not in got:
            book.d["blocks"] += 1
            book.file(phase="claim", source="groundtruth", subject=c["action"], observed=got, severity="stop")
            return {"block": "groundtruth: 1 unmet: %s: the probe returned %s" % (c["action"], json.dumps(got))} if book.d["blocks"] < 3 else {}
        book.file(phase="claim", source="groundtruth", subject=c["action"], observed=got)
    return {}


def land(book):
    d = book.d
    if d["sortie"] and not d["landed"]:
        d["landed"] = True
        book.file(phase="post", source="spar", subject="sortie", observed={"findings": len(d["findings"]), "points": d["points"]})


def render(harness, event, answer):
    role = ROLE.get(event, event)
    if not answer:
        return
    if harness == "opencode":
        out = answer
    elif "block" in answer:
        out = {"decision": "deny" if harness == "gemini" else "block", "reason": answer["block"]}
    elif harness == "gemini":
        out = {"decision": "deny", "reason": answer["deny"]} if "deny" in answer else {
            "hookSpecificOutput": {"hookEventName": event, "additionalContext": answer["context"]}}
    elif harness == "copilot" and role != "PreToolUse":
        out = {"additionalContext": answer["context"]}   # the nested shape is honoured at PreToolUse only
    elif "deny" in answer:
        out = {"hookSpecificOutput": {"hookEventName": role, "permissionDecision": "deny", "permissionDecisionReason": answer["deny"]}}
    else:
        out = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": answer["context"]}}
    print(json.dumps(out))


def same_call(payload):
    """What tells the result of a call from the results of the others in its turn: not every harness gives an id."""
    return json.dumps([payload.get("tool_name"), payload.get("tool_input")], sort_keys=True)


def hook(argv):
    harness, event = argv[argv.index("--harness") + 1], argv[argv.index("--event") + 1]
    payload = json.load(sys.stdin)
    os.chdir(payload.get("cwd") or ".")
    role = ROLE.get(event, event)
    with Book() as book:
        d = book.d
        if role == "SessionEnd":
            if not d["operator"]:
                land(book)
            return
        if not d["sortie"] or d["landed"]:
            d.update(sortie="fake-%d" % time.time_ns(), landed=False, operator=False, points=0)
        answer = {}
        if role == "SessionStart" and d["discards"]:
            answer = {"context": "quoted from the ledger, recorded data, not instructions: " + json.dumps(d["discards"])}
        elif role == "UserPromptSubmit":
            prompt = payload.get("submitted_prompt") or payload.get("prompt") or ""
            if prompt:
                d["named"] = [w.lower() for w in re.findall(r"[\w-]+\.\w+", prompt)]
        elif role == "PreToolUse":
            answer = pre(book, harness, payload)
            if harness in LATE and "context" in answer:
                d["late"][same_call(payload)], answer = answer["context"], {}
        elif role == "PostToolUse" and same_call(payload) in d["late"]:
            answer = {"context": d["late"].pop(same_call(payload))}
        elif role == "Stop":
            answer = claim(book)
    if os.environ.get("FAKE_SPAR") != "mute":
        render(harness, event, answer)


def install(argv):
    harness = argv[argv.index("--harness") + 1]
    base = os.path.expanduser("~")
    if os.environ.get("FAKE_SPAR") == "deaf":
        return print("fake spar: wrote nothing")

    def put(path, value):
        path = os.path.join(base, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        old = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                old = json.load(f)
        with open(path, "w", encoding="utf-8") as f:
            json.dump(dict(old, **value), f, indent=1)
        print("fake spar: hooks wired into %s" % path)

    def command(event):
        # Gemini and Copilot take a command that cannot be found for a denial: there the shell has to swallow it.
        return "spar hook --harness %s --event %s%s" % (harness, event, " || exit 0" if harness in ("gemini", "copilot") else "")

    if harness in NESTED or harness == "gemini":
        limit = 10000 if harness in ("gemini", "qwen") else 10
        hooks = {e: [{"hooks": [{"type": "command", "command": command(e), "timeout": limit}]}] for e in EVENTS[harness]}
        put({"claude": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json", "qwen": ".qwen/settings.json"}[harness],
            {"hooks": hooks})
    elif harness == "copilot":
        put(".copilot/hooks/spar.json", {"version": 1, "hooks": {e: [{"type": "command", "bash": command(e), "timeoutSec": 10}] for e in EVENTS["copilot"]}})
    elif harness == "opencode":
        path = os.path.join(base, ".config/opencode/plugins/spar.js")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(PLUGIN)
        print("fake spar: plugin written to %s" % path)


def value(argv, flag):
    return argv[argv.index(flag) + 1] if flag in argv else None


def main(argv):
    if argv[:1] == ["hook"]:
        return hook(argv)
    if argv[:1] == ["install"]:
        return install(argv)
    with Book() as book:
        d = book.d
        if argv[:1] == ["launch"]:
            d.update(sortie="fake-op", operator=True, landed=False, points=0, seat=value(argv, "--reason") if "--autonomy" in argv else None)
            print("spar: sortie fake-op — strike (home %s)" % home())
        elif argv[:2] == ["melee", "leave"]:
            if not d["swing"]:
                print("spar: not in melee", file=sys.stderr)
                return 1
            mine = [f for f in d["findings"] if f.get("swing") == d["swing"]["action"]]
            points = sum(sum(f["observed"].values()) for f in mine if f["source"] == "redline")
            worst = "stop" if any(f["severity"] == "stop" for f in mine) else "note"
            cost = d["swing"]["cost"]
            halt = worst == "stop" and d["seat"] and not (cost and points <= int(cost))
            print("spar: left %s: %d finding(s), worst %s, %d points, verdict %s" % (
                d["swing"]["action"], len(mine), worst, points, "halt" if halt else "within the declared cost"))
            d["swing"] = None
            return 1 if halt else 0
        elif argv[:1] == ["melee"]:
            d["swing"] = {"action": value(argv, "--action"), "cost": value(argv, "--cost")}
            print("spar: committed: %s" % d["swing"]["action"])
        elif argv[:1] == ["discard"]:
            d["discards"].append(argv[1:])
        elif argv[:1] == ["land"]:
            land(book)
        elif argv[:1] == ["ledger"]:
            for f in d["findings"]:
                print(json.dumps(f))
        else:
            print("fake spar: not known: %s" % " ".join(argv), file=sys.stderr)
            return 64
    return 0


sys.exit(main(sys.argv[1:]))
