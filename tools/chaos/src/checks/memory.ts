import { readFileSync } from 'node:fs';

const lookEveryMs = 200;

/** Resident memory of a process in MB; 0 when it is gone. */
export const residentMb = (pid: number): number => {
  try {
    const [, kilobytes = '0'] =
      /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1_024;
  } catch {
    return 0; // It ended.
  }
};

/** Watches processes, which may change; tells the most that one of them ever took, in MB. */
export class MemoryWatch {
  private most = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(pids: () => readonly number[]) {
    this.timer = setInterval(() => {
      for (const pid of pids()) this.most = Math.max(this.most, residentMb(pid));
    }, lookEveryMs);
  }

  end(): number {
    clearInterval(this.timer);
    return this.most;
  }
}
