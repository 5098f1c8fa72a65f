import { readFileSync, readdirSync } from 'node:fs';

interface Seen {
  parent: number;
  /** Of the process itself, and of its children that have ended; ticks. */
  own: number;
  ended: number;
}

/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

const processes = (): Map<number, Seen> => {
  const seen = new Map<number, Seen>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name stands in brackets and may hold anything.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((at) => fields[at] ?? 0);
      seen.set(pid, { parent: parent!, own: user! + system!, ended: endedUser! + endedSystem! });
    } catch {
      // The process ended meanwhile.
    }
  }
  return seen;
};

/** The parent of a process of this machine. */
export const parentOf = (pid: number): number => processes().get(pid)?.parent ?? 0;

/** CPU time that a process, its descendants, and those of them that have ended, have used so far. Milliseconds, in steps
 *  of ten. */
export const cpuMsOfTree = (root: number): number => {
  const seen = processes();
  const isInside = (pid: number): boolean => {
    for (let at = pid; at > 1; at = seen.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  let ticks = 0;
  for (const [pid, { own, ended }] of seen) if (isInside(pid)) ticks += own + ended;
  return ticks * tickMs;
};
