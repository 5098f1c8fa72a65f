import { readFileSync } from 'node:fs';

/** Resident memory of a process in MB, from /proc. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

const everyMs = 50;

/** Runs `work`; returns what it returns, and by how many MB the process grew above its resident memory of before at most. */
export const memoryWhile = async <Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; aboveMb: number }> => {
  const before = residentMb(pid);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentMb(pid))), everyMs);
  try {
    return { result: await work(), aboveMb: Math.max(most, residentMb(pid)) - before };
  } finally {
    clearInterval(timer);
  }
};
