import type { StoredEvent } from '@scrip/event-store';
import { eventLogOf } from './event-log.handlers';

const call = { requestId: 'v-1', deadlineAt: Number.MAX_SAFE_INTEGER, traceparent: null };

const event = (version: number, bytes: number) =>
  ({ version, data: { text: 'x'.repeat(bytes) } }) as unknown as StoredEvent;

const logOf = (...events: StoredEvent[]) => {
  const readLog = jest.fn(async () => events);
  return { readLog, log: eventLogOf({ readLog }) };
};

const versions = ({ events }: { events: StoredEvent[] }) => events.map(({ version }) => version);

describe('the log of a service', () => {
  it('is read for one aggregate, from a position on', async () => {
    const { log, readLog } = logOf(event(1, 10));
    await log.readLog(call, { aggregate: 'voucher', after: '1-2-3', limit: 100 });
    expect(readLog).toHaveBeenCalledWith({
      aggregates: ['voucher'],
      after: '1-2-3',
      limit: 100,
      maxBytes: 600_000,
    });
  });

  it('is answered in pages that fit into a call', async () => {
    const { log } = logOf(event(1, 250_000), event(2, 250_000), event(3, 250_000));
    expect(versions(await log.readLog(call, { aggregate: 'voucher', after: null, limit: 3 }))).toEqual([
      1, 2,
    ]);
  });

  it('goes on though one event fills a page', async () => {
    const { log } = logOf(event(1, 650_000), event(2, 10));
    expect(versions(await log.readLog(call, { aggregate: 'voucher', after: null, limit: 2 }))).toEqual([1]);
  });
});
