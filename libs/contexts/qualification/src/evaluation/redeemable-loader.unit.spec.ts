import { Fault, type RequestContext } from '@scrip/kernel';
import type { Participants } from '../participants/participants';
import { RedeemableLoader } from './redeemable-loader';

const contextOf = (projectId: string, deadlineAt = 1): RequestContext =>
  ({ project: { id: projectId }, deadlineAt }) as RequestContext;

describe('loading redeemables', () => {
  const load = jest.fn(
    async (owner: string, { project }: RequestContext, { objects }: { objects: readonly string[] }) => {
      if (owner === 'away') throw new Fault('unavailable', 'its owner is away');
      return objects.map((object) => `${object} of ${owner} in ${project.id}`);
    },
  );
  const participants = {
    source: (owner: string) => ({ port: { load: load.bind(undefined, owner) } }),
  } as unknown as Participants;
  let loader: RedeemableLoader;

  beforeEach(() => {
    load.mockClear();
    loader = new RedeemableLoader(participants);
  });

  it('asks once for each owner, project and session, for each object once, until the latest deadline', async () => {
    const [one, later, other] = [contextOf('p1', 1), contextOf('p1', 2), contextOf('p2')];
    const asked = [
      { context: one, participant: 'campaigns', object: 'a', session: null },
      { context: later, participant: 'campaigns', object: 'b', session: null },
      { context: one, participant: 'campaigns', object: 'b', session: null },
      { context: other, participant: 'campaigns', object: 'a', session: null },
      { context: one, participant: 'tiers', object: 'a', session: null },
      { context: one, participant: 'campaigns', object: 'a', session: 'cart-1' },
    ];
    expect(await Promise.all(asked.map(loader.load))).toEqual([
      'a of campaigns in p1',
      'b of campaigns in p1',
      'b of campaigns in p1',
      'a of campaigns in p2',
      'a of tiers in p1',
      'a of campaigns in p1',
    ]);
    expect(load.mock.calls).toEqual([
      ['campaigns', later, { objects: ['a', 'b'] }],
      ['campaigns', other, { objects: ['a'] }],
      ['tiers', one, { objects: ['a'] }],
      ['campaigns', one, { objects: ['a'], session: 'cart-1' }],
    ]);
  });

  it('asks an owner that is away once, and tells nobody else', async () => {
    const context = contextOf('p1');
    const asked = [
      { context, participant: 'away', object: 'a', session: null },
      { context, participant: 'campaigns', object: 'b', session: null },
      { context, participant: 'away', object: 'c', session: null },
    ];
    const settled = await Promise.allSettled(asked.map(loader.load));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
    expect(load).toHaveBeenCalledTimes(2);
  });
});
