import { ChunksUnderWay } from './chunks-under-way';

/** A chunk that ends when it is told to. */
const chunk = () => {
  let [end, fail] = [() => {}, (_: Error) => {}];
  const ended = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]));
  return { carryOut: () => ended, end, fail };
};

const records = (...names: string[]): ReadonlySet<string> => new Set(names);

/** Whether a promise is settled once all that waits has run. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false;
  const settle = () => (settled = true);
  promise.then(settle, settle);
  await new Promise(setImmediate);
  return settled;
};

describe('chunks under way', () => {
  it.each([
    ['no record in common', records('a', 'b'), records('c'), true],
    ['no records at all', records(), records(), true],
    ['a record in common', records('a', 'b'), records('b', 'c'), false],
    ['records that are not known', null, records('c'), false],
    ['records that are not known yet', records('a'), null, false],
  ])('with %s', async (_, first, second, areSideBySide) => {
    const [underWay, one] = [new ChunksUnderWay(2), chunk()];
    underWay.begin(first, one.carryOut);
    const way = underWay.makeWayFor(second);
    expect(await isSettled(way)).toBe(areSideBySide);
    one.end();
    expect(await isSettled(way)).toBe(true);
  });

  it('are as many as allowed', async () => {
    const [underWay, one, other] = [new ChunksUnderWay(2), chunk(), chunk()];
    underWay.begin(records('a'), one.carryOut);
    underWay.begin(records('b'), other.carryOut);
    const way = underWay.makeWayFor(records('c'));
    expect(await isSettled(way)).toBe(false);
    other.end();
    expect(await isSettled(way)).toBe(true);
  });

  it('keep others from beginning where one failed', async () => {
    const [underWay, one] = [new ChunksUnderWay(2), chunk()];
    underWay.begin(records('a'), one.carryOut);
    one.fail(new Error('the database is away'));
    await isSettled(one.carryOut());
    await expect(underWay.makeWayFor(records('b'))).rejects.toThrow('the database is away');
  });

  it('keep others from beginning where one failed beside another, and end when none is under way any more', async () => {
    const [underWay, one, other] = [new ChunksUnderWay(2), chunk(), chunk()];
    underWay.begin(records('a'), one.carryOut);
    underWay.begin(records('b'), other.carryOut);
    one.fail(new Error('the database is away'));
    await expect(underWay.makeWayFor(records('c'))).rejects.toThrow('the database is away');
    await expect(underWay.makeWayFor(records('a'))).rejects.toThrow('the database is away');
    const end = underWay.end();
    expect(await isSettled(end)).toBe(false);
    other.end();
    await expect(end).rejects.toThrow('the database is away');
  });
});
