import { StartFailure } from './start-failure';

const askTimeoutMs = 2_000;
const pauseMs = 100;

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(askTimeoutMs) })).ok;
  } catch {
    return false; // Not listening yet, or busy: asked again.
  }
};

/** Resolves when every address answers `/readyz` with 200. Throws `StartFailure` naming those that did not within
 *  `timeoutMs`, and whatever `check` throws meanwhile. */
export const untilReady = async (
  urls: ReadonlyMap<string, string>,
  timeoutMs: number,
  check: () => void,
): Promise<void> => {
  const waiting = new Map(urls);
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    check();
    const answers = await Promise.all(
      [...waiting].map(async ([label, url]) => ({ label, ready: await isReady(url) })),
    );
    for (const { label, ready } of answers) if (ready) waiting.delete(label);
    if (waiting.size === 0) return;
    if (Date.now() > deadline)
      throw new StartFailure(`not ready within ${timeoutMs / 1_000} s: ${[...waiting.keys()].join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};
