import type { ContextName } from '@scrip/contracts/registry';
import type { Difference, EventStore } from '@scrip/event-store';
import { printDifferences } from './print-differences';

const stores = (found: Partial<Record<ContextName, object[]>>): ReadonlyMap<ContextName, EventStore> =>
  new Map(
    Object.entries(found).map(([name, differences]) => [
      name as ContextName,
      { verifyState: async () => differences as Difference[] } as EventStore,
    ]),
  );

const printed = async (found: Partial<Record<ContextName, object[]>>) => {
  const lines: string[] = [];
  const count = await printDifferences({ eventStores: stores(found) }, (line) => void lines.push(line));
  return { count, lines };
};

describe('comparing states with events', () => {
  it('says of each context that they agree', async () => {
    expect(await printed({ auth: [], campaigns: [] })).toEqual({
      count: 0,
      lines: ['auth: state and events agree', 'campaigns: state and events agree'],
    });
  });

  it('says how far it is, every 50,000 streams', async () => {
    const lines: string[] = [];
    const verifyState: EventStore['verifyState'] = async (progress) => {
      for (const streams of [49_500, 50_000, 50_500]) progress?.({ aggregate: 'voucher', streams });
      return [];
    };
    const eventStores = new Map([['campaigns' as ContextName, { verifyState } as EventStore]]);
    await printDifferences({ eventStores }, (line) => void lines.push(line));
    expect(lines).toEqual([
      'campaigns: 50000 streams of voucher compared',
      'campaigns: state and events agree',
    ]);
  });

  it('counts and shows every difference', async () => {
    expect(
      await printed({ auth: [{ streamId: 'a' }], campaigns: [{ streamId: 'b' }, { streamId: 'c' }] }),
    ).toEqual({
      count: 3,
      lines: [
        'auth: 1 differences',
        '  {"streamId":"a"}',
        'campaigns: 2 differences',
        '  {"streamId":"b"}',
        '  {"streamId":"c"}',
      ],
    });
  });
});
