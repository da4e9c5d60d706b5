// The bridge from OpenCode to spar: each hook hands its payload to
// `spar hook --harness opencode` and acts on the answer. OpenCode has no command
// hooks, and an error in a handler aborts the tool: everything that can fail is
// caught here, and only spar's own denial is thrown.
import { spawnSync } from "node:child_process";

const SPAR = "SPAR";
const LIMIT_MS = 10000;

// parents maps a session to the one that started it: a subagent's calls belong to
// the session a person sits at.
const parents = new Map();

export const Spar = async ({ directory, worktree }) => {
  let last = "";

  // root is the session that everything below it belongs to, null for one that is
  // its own, undefined for one whose start was not seen.
  const root = (id) => {
    let up = parents.get(id);
    while (up && parents.get(up)) up = parents.get(up);
    return up;
  };

  const send = (hook, sessionID, input, output) => {
    try {
      const payload = { harness: "opencode", hook, directory, worktree, input, output, pid: process.pid };
      const parent = root(sessionID);
      if (parent !== undefined) payload.parent = parent;
      const ran = spawnSync(SPAR, ["hook", "--harness", "opencode", "--event", hook], {
        input: JSON.stringify(payload),
        encoding: "utf8",
        timeout: LIMIT_MS,
        windowsHide: true,
        maxBuffer: 16 * 1024 * 1024,
      });
      return ran.status === 0 && ran.stdout ? JSON.parse(ran.stdout) : {};
    } catch {
      return {};
    }
  };

  process.on("exit", () => {
    if (last) send("session.end", last, { sessionID: last }, {});
  });

  return {
    event: async ({ event }) => {
      try {
        const info = event.properties?.info;
        if (event.type !== "session.created" || !info?.id) return;
        parents.set(info.id, info.parentID ?? null);
        if (info.parentID) return;
        last = info.id;
        send("session.created", info.id, { sessionID: info.id }, {});
      } catch {}
    },
    "chat.message": async (input, output) => {
      try {
        if (!parents.get(input.sessionID)) last = input.sessionID;
        send("chat.message", input.sessionID, input, { parts: output.parts });
      } catch {}
    },
    "tool.execute.before": async (input, output) => {
      const answer = send("tool.execute.before", input.sessionID, input, { args: output.args });
      if (answer.deny) throw new Error(answer.deny);
    },
    "tool.execute.after": async (input, output) => {
      const answer = send("tool.execute.after", input.sessionID, input, {
        title: output.title,
        output: output.output,
        metadata: output.metadata,
      });
      try {
        if (answer.context) output.output = `${output.output ?? ""}\n\n${answer.context}`;
      } catch {}
    },
  };
};
