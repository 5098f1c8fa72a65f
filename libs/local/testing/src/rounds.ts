/** Environment variable with the share of the full rounds that a run does; 0.1 unless it is set. */
export const scaleVariable = 'SCRIP_TEST_SCALE';

/** Returns how many of `full` rounds, requests or random cases this run does: a tenth in `npm test`, all of them in
 *  `npm run test:soak`, at least one. */
export const rounds = (full: number): number =>
  Math.max(1, Math.round(full * Number(process.env[scaleVariable] ?? '0.1')));
