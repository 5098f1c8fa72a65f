import { type DatabaseWay, databaseWay } from '@scrip/testing';
import { Processes, bothWays, issue, project, take } from '../test-bed/tickets.fixture';

describe.each(bothWays)('a write that goes %s', (_way, limits) => {
  let processes: Processes;
  let way: DatabaseWay;

  beforeAll(async () => {
    processes = await Processes.start('silent_server');
    way = await databaseWay(processes.url);
  });
  afterAll(async () => {
    await processes.stop();
    await way.close();
  });

  it('has its effect once when its connection falls silent, and its caller learns of it', async () => {
    const { tickets, store } = await processes.process({ url: way.url, limits, answerMs: 1_000 });
    await tickets.execute(issue('silent'));
    way.stall();
    expect(await tickets.execute(take('silent', 'ann'))).toBe(1);
    expect(await tickets.execute(take('silent', 'bob'))).toBe(2);
    const events = await store.readStream('ticket', project.id, 'silent');
    expect(events.map(({ type }) => type)).toEqual(['TicketIssued', 'TicketTaken', 'TicketTaken']);
  });
});
