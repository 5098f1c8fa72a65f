import { Injectable } from '@nestjs/common';

/** Checks one part. Returns null when it works; returns a text or throws when it does not. */
export type ReadinessCheck = () => Promise<string | null> | string | null;

const checkTimeoutMs = 2_000;

/** How long a result is good, in ms: the checks ask databases, and anybody may ask for readiness. */
const resultLifetimeMs = 1_000;

/** Collects the checks that must pass before the process gets traffic. */
@Injectable()
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();
  private closing = false;
  private last: { at: number; complaints: Promise<Record<string, string>> } | null = null;

  add(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
    this.recheck();
  }

  /** Makes the process unready, because it is shutting down. */
  close(): void {
    this.closing = true;
  }

  /** Looks again at the next call, whatever was found before. */
  recheck(): void {
    this.last = null;
  }

  /** Returns the failed checks with their reasons; empty when ready. At most a second old. */
  async complaints(): Promise<Record<string, string>> {
    if (this.closing) return { process: 'shutting down' };
    const now = performance.now();
    if (!this.last || now - this.last.at >= resultLifetimeMs)
      this.last = { at: now, complaints: this.look() };
    return this.last.complaints;
  }

  private async look(): Promise<Record<string, string>> {
    const found = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await resultOf(check)] as const),
    );
    return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null));
  }
}

const resultOf = async (check: ReadinessCheck): Promise<string | null> => {
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

/** Returns what `/readyz` answers. */
export const readinessAnswer = async (
  readiness: Pick<Readiness, 'complaints'>,
): Promise<{ status: 200 | 503; body: object }> => {
  const complaints = await readiness.complaints();
  return Object.keys(complaints).length === 0
    ? { status: 200, body: { status: 'ready' } }
    : { status: 503, body: { status: 'not_ready', complaints } };
};
