import { Injectable } from '@nestjs/common';

/** Tells those who wait for a voucher's provisional claims that some were settled, within this process. */
@Injectable()
export class SettledSignal {
  private readonly waiting = new Map<string, Set<() => void>>();

  wake(projectId: string, voucherId: string): void {
    const key = `${projectId}\n${voucherId}`;
    const woken = this.waiting.get(key);
    this.waiting.delete(key);
    for (const resume of woken ?? []) resume();
  }

  /** Resolves at the next `wake` of the voucher, and after `timeoutMs` at the latest: another process may settle. */
  next(projectId: string, voucherId: string, timeoutMs: number): Promise<void> {
    const key = `${projectId}\n${voucherId}`;
    return new Promise((resolve) => {
      const waiting = this.waiting.get(key) ?? new Set();
      const resume = (): void => {
        clearTimeout(timer);
        waiting.delete(resume);
        if (waiting.size === 0 && this.waiting.get(key) === waiting) this.waiting.delete(key);
        resolve();
      };
      const timer = setTimeout(resume, timeoutMs);
      waiting.add(resume);
      this.waiting.set(key, waiting);
    });
  }
}
