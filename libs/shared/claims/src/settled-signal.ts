/** Wakes those in this process who wait for an object's provisional claims to be settled. */
export class SettledSignal {
  private readonly waiting = new Map<string, Set<() => void>>();

  wake(projectId: string, objectId: string): void {
    const key = `${projectId}\n${objectId}`;
    const woken = this.waiting.get(key);
    this.waiting.delete(key);
    for (const resume of woken ?? []) resume();
  }

  /** Resolves at the next `wake` of the object, and after `timeoutMs` at the latest: another process may settle. */
  next(projectId: string, objectId: string, timeoutMs: number): Promise<void> {
    const key = `${projectId}\n${objectId}`;
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
