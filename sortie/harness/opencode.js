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

export const Spar = async ({ client, directory, worktree }) => {
  const flown = new Set(); // sessions of a person's, to be landed at the end
  const asked = new Set();

  // learn asks for the parent of a session whose start was not seen: one that is
  // resumed. It gives up soon; not knowing only makes spar more careful.
  const learn = async (id) => {
    if (parents.has(id) || asked.has(id)) return;
    asked.add(id);
    try {
      const late = new Promise((done) => setTimeout(done, 500).unref());
      const got = await Promise.race([client.session.get({ path: { id } }), late]);
      if (got?.data) parents.set(id, got.data.parentID ?? null);
    } catch {}
  };

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
    for (const id of flown) send("session.end", id, { sessionID: id }, {});
  });

  return {
    event: async ({ event }) => {
      try {
        const info = event.properties?.info;
        if (event.type !== "session.created" || !info?.id) return;
        parents.set(info.id, info.parentID ?? null);
        if (info.parentID) return;
        flown.add(info.id);
        send("session.created", info.id, { sessionID: info.id }, {});
      } catch {}
    },
    "chat.message": async (input, output) => {
      try {
        await learn(input.sessionID);
        if (!parents.get(input.sessionID)) flown.add(input.sessionID);
        send("chat.message", input.sessionID, input, { parts: output.parts });
      } catch {}
    },
    "tool.execute.before": async (input, output) => {
      await learn(input.sessionID);
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
