import type { RunningChild } from './child-process';
import { waitUntil } from './wait-until';

/** Starts a process and kills it `kills` times, each time once `progress` has grown; then starts it again. Returns the
 *  process that runs at last. `before`: the progress before the work was asked for, where it may be done by now; absent: the present
 *  one. `afterKill`: told the progress that a kill left. */
export const killWhileWorking = async ({
  kills,
  first,
  again,
  progress,
  before: begun,
  afterKill,
}: {
  kills: number;
  /** Runs already, with work to do. */
  first: RunningChild;
  again(): Promise<RunningChild>;
  progress(): Promise<number>;
  before?: number;
  afterKill?(progress: number): Promise<void> | void;
}): Promise<RunningChild> => {
  let child = first;
  for (let killed = 0; killed < kills; killed += 1) {
    const before = killed === 0 && begun !== undefined ? begun : await progress();
    await waitUntil(async () => (await progress()) > before, {
      what: 'another step of the work',
      timeoutMs: 60_000,
      intervalMs: 1,
    });
    await child.kill();
    await afterKill?.(await progress());
    child = await again();
  }
  return child;
};
