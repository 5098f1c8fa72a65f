import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';

const waits: number[] = [];
let answer: Promise<readonly unknown[]>;
// Before it is wrapped, which happens as the module loads.
ConsumerGroup.prototype.fetch = async function fetched(this: ConsumerGroup) {
  waits.push(this.maxWaitTime);
  return answer;
};
const { endFetches, makeFetchesPatient } =
  jest.requireActual<typeof import('./patient-fetches')>('./patient-fetches');

describe('fetches of a group', () => {
  let paused: unknown[];
  let group: ConsumerGroup;

  beforeAll(makeFetchesPatient);
  beforeEach(() => {
    [paused, answer, waits.length] = [[], Promise.resolve([]), 0];
    group = Object.assign(Object.create(ConsumerGroup.prototype) as ConsumerGroup, {
      groupId: 'stats.notes',
      maxWaitTime: 2_000,
      paused: () => paused,
    });
  });

  it('wait for long, and shortly while a partition is held back', async () => {
    await group.fetch('1');
    paused = [{ topic: 'shop.note', partitions: [0] }];
    await group.fetch('1');
    paused = [];
    await group.fetch('1');
    expect(waits).toEqual([2_000, 250, 2_000]);
  });

  it('never wait longer than they were told', async () => {
    group.maxWaitTime = 100;
    paused = [{ topic: 'shop.note', partitions: [0] }];
    await group.fetch('1');
    expect(waits).toEqual([100]);
  });

  it('give what came', async () => {
    answer = Promise.resolve(['a batch']);
    expect(await group.fetch('1')).toEqual(['a batch']);
  });

  it('end without entries when the group is left, and fail for nobody later', async () => {
    let fail: (error: Error) => void = () => undefined;
    answer = new Promise((_resolve, reject) => (fail = reject));
    const fetched = group.fetch('1');
    endFetches('stats.others');
    endFetches('stats.notes');
    expect(await fetched).toEqual([]);
    fail(new Error('the connection was closed'));
    await new Promise(setImmediate);
  });
});
