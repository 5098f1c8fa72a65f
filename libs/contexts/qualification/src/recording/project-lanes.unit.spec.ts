import { ProjectLanes } from './project-lanes';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lanes whose work waits until it is let go; `begun` lists the batches in the order of their begin. */
const heldLanes = () => {
  const begun: string[][] = [];
  const ends: (() => void)[] = [];
  const lanes = new ProjectLanes<string>((batch) => {
    begun.push([...batch]);
    return new Promise((resolve) => ends.push(resolve));
  });
  const endNext = async () => {
    ends.shift()!();
    await turn();
  };
  return { lanes, begun, endNext };
};

it('puts what arrives while a batch of its project runs into the next', async () => {
  const { lanes, begun, endNext } = heldLanes();
  lanes.add('proj_1', 'a');
  lanes.add('proj_1', 'b');
  await turn();
  lanes.add('proj_1', 'c');
  await turn();
  expect(begun).toEqual([['a', 'b']]);
  await endNext();
  expect(begun).toEqual([['a', 'b'], ['c']]);
});

it('keeps batches to one project and 256 items, and lets projects of a lane take turns', async () => {
  const { lanes, begun, endNext } = heldLanes();
  // proj_a and proj_e differ by 4: they share one of the four lanes.
  for (let count = 0; count < 300; count += 1) lanes.add('proj_a', 'busy');
  lanes.add('proj_e', 'other');
  await turn();
  await endNext();
  await endNext();
  expect(begun.map((batch) => `${batch.length} ${batch[0]}`)).toEqual(['256 busy', '1 other', '44 busy']);
});

it('runs projects of other lanes while one is slow', async () => {
  const { lanes, begun } = heldLanes();
  lanes.add('proj_a', 'slow');
  lanes.add('proj_b', 'quick');
  await turn();
  expect(begun).toEqual([['slow'], ['quick']]);
});

it('refuses more than 5,000 waiting items of one project, and takes those of others', () => {
  const { lanes } = heldLanes();
  const accepted = Array.from({ length: 5_001 }, () => lanes.add('proj_a', 'x'));
  expect(accepted.indexOf(false)).toBe(5_000);
  expect(lanes.add('proj_e', 'x')).toBe(true);
});
