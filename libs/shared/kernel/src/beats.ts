/** Calls `over` once after so many beats, unless the function that it returns was called before. They are beats of this
 *  process, not time: one that stood still, or gets hardly any processor time, has not heard what came meanwhile, and
 *  must not take its peers for dead. Does not keep the process alive. */
export const afterBeats = (
  { beats, everyMs }: { beats: number; everyMs: number },
  over: () => void,
): (() => void) => {
  let left = beats;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    over();
  }, everyMs).unref();
  return () => clearInterval(timer);
};
