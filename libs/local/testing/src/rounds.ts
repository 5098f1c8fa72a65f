import { testedShape } from './scrip-program';

/** Environment variable with the share of the full rounds that a run does. */
export const scaleVariable = 'SCRIP_TEST_SCALE';

// A round between services takes three times as long, and what it shows is shown in one process as well.
const shareOf = { embedded: 0.05, distributed: 0.02 };

/** Returns how many of `full` rounds, requests or random cases this run does: a twentieth in `npm test`, less between services, all
 *  of them in `npm run test:soak`, at least one. */
export const rounds = (full: number): number =>
  Math.max(1, Math.round(full * Number(process.env[scaleVariable] ?? shareOf[testedShape()])));
