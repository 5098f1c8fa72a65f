/** The seed of random cases, printed so that a run can be repeated with `SCRIP_TEST_SEED`. */
export const printedSeed = (what: string): number => {
  const seed = Number(process.env.SCRIP_TEST_SEED ?? Math.trunc(Math.random() * 2 ** 31));
  process.stdout.write(`random ${what}: SCRIP_TEST_SEED=${seed}\n`);
  return seed;
};
