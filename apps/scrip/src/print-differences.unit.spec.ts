import type { Difference, EventStore } from '@scrip/event-store';
import type { ContextName } from '@scrip/service';
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
