const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const leastOf = (runs: number, work: () => unknown): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = cpuMs();
    work();
    least = Math.min(least, cpuMs() - before);
  }
  return least;
};

// What the machine takes on which the bounds were chosen.
const yardstickMs = 1.2;
const yardstick = (): void => {
  let text = '';
  for (let index = 0; index < 20_000; index += 1) text += `${index % 97},`;
  JSON.parse(`[${text}0]`);
};

let slowness: number | undefined;

/** Returns the least CPU time, in milliseconds, that this process spent on one of `runs` runs of `work`, as it would be on
 *  the machine on which such bounds are chosen: what a slower one takes is divided by how much slower it is. Other programs
 *  on the machine lengthen it little, unlike the time that passes. */
export const leastCpuMs = (work: () => unknown, { runs = 1 }: { runs?: number } = {}): number => {
  slowness ??= Math.max(1, leastOf(20, yardstick) / yardstickMs);
  return leastOf(runs, work) / slowness;
};
