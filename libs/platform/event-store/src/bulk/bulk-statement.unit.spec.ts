import type { RowChange } from '../aggregate/aggregate';
import { ticketDefinition } from '../test-bed/tickets.fixture';
import { bulkStatement, type BulkWrite, change, creation, loneStatement } from './bulk-statement';

const first = { shape: 'nothing', values: [7], sql: ([seven]: readonly string[]) => `SELECT ${seven}::int` };

const write = (streamId: string, changes: RowChange[] = []): BulkWrite<never> => ({
  projectId: 'proj_1',
  rows: [
    {
      ...{ streamId, version: 2, state: { code: streamId, limit: 5, taken: 1 } as never, snapshot: null },
      ...{ expectedVersion: 1, expectedEpoch: 1, expectedBasis: null },
    },
  ],
  events: ['{}'],
  changes,
});

const inserted = (values: Record<string, string>): RowChange[] => [{ insert: 'takings', values }];
const closed: RowChange[] = [
  { update: 'takings', key: { source_id: 'a' }, expect: { state: 'OPEN' }, set: { state: 'CLOSED' } },
];

describe('the text of a statement', () => {
  it('is the same for writes of one shape, whatever their values', () => {
    const one = bulkStatement([
      change(ticketDefinition, write('t1', inserted({ source_id: 'a', state: 'OPEN' }))),
    ]);
    const other = bulkStatement([
      change(ticketDefinition, write('t2', inserted({ state: 'LOST', source_id: 'b' }))),
    ]);
    expect(other.text).toBe(one.text);
    expect(other.values).not.toEqual(one.values);
    expect(other.values).toContainEqual(['t2']);
    expect(other.values.at(-1)).toBe('[{"state":"LOST","source_id":"b"}]');
  });

  it('differs by what is written, its columns, what runs first, and the definition of the streams', () => {
    const renamed = { ...ticketDefinition, table: 'other_tickets' };
    const parts = [
      change(ticketDefinition, write('t1')),
      creation(ticketDefinition, write('t1')),
      change(renamed, write('t1')),
      change(ticketDefinition, write('t1', inserted({ source_id: 'a' }))),
      change(ticketDefinition, write('t1', inserted({ source_id: 'a', state: 'OPEN' }))),
      change(ticketDefinition, write('t1', closed)),
    ];
    const alone = parts.map((part) => loneStatement([part], first));
    const texts = [...parts.map((part) => bulkStatement([part])), ...alone].map(({ text }) => text);
    expect(new Set(texts).size).toBe(12);
    expect(texts[2]).toContain('UPDATE other_tickets');
  });

  it('gives each value the place that it is sent at', () => {
    const parts = [
      creation(ticketDefinition, write('new', closed)),
      change(ticketDefinition, write('known', inserted({ source_id: 'a' }))),
    ];
    for (const { text, values } of [bulkStatement(parts), loneStatement(parts, first)]) {
      const places = new Set([...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)));
      expect([...places].sort((a, b) => a - b)).toEqual(values.map((_, index) => index + 1));
    }
    expect(loneStatement(parts, first).values[0]).toBe(7);
  });
});
