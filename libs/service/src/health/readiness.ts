import { Injectable } from '@nestjs/common';

/** Looks whether one part works; throws or answers a text saying what is wrong, else null. */
export type ReadinessCheck = () => Promise<string | null> | string | null;

const checkTimeoutMs = 2_000;

/** What must hold before traffic is sent here: each part adds its check. */
@Injectable()
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();
  private closing = false;

  add(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
  }

  /** From now on not ready: the process is going down. */
  close(): void {
    this.closing = true;
  }

  /** What is wrong, by check; empty when ready. */
  async complaints(): Promise<Record<string, string>> {
    if (this.closing) return { process: 'shutting down' };
    const found = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await verdict(check)] as const),
    );
    return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null));
  }
}

const verdict = async (check: ReadinessCheck): Promise<string | null> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no answer'), checkTimeoutMs);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    // Reasons may name hosts and users; the log has them.
    return 'failing';
  } finally {
    clearTimeout(timer);
  }
};
