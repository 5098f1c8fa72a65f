import { Logger } from '@nestjs/common';
import { createDatabase, dropDatabase, waitUntil } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { LeaderLock, type Leadership } from './leader-lock';

Logger.overrideLogger(false);

describe('the lead', () => {
  let url: string;
  let database: DataSource;
  let stopping: AbortController;
  let leads: Leadership[];

  beforeEach(async () => {
    url = await createDatabase('leads');
    database = await new DataSource({ type: 'postgres', url }).initialize();
    [stopping, leads] = [new AbortController(), []];
  });
  afterEach(async () => {
    stopping.abort();
    await Promise.all(leads.map((lead) => lead.giveUp()));
    await database.destroy();
    await dropDatabase(url);
  });

  it('is told by a process that waits for it, and by no other', async () => {
    const [first, second, other] = ['relay shop', 'relay shop', 'relay pets'].map(
      (name) => new LeaderLock(database, name),
    );
    const heard: string[] = [];
    for (const [lock, name] of [
      [first!, 'shop'],
      [other!, 'pets'],
    ] as const) {
      const lead = await lock.acquire(stopping.signal);
      leads.push(lead!);
      await lead!.onTold(() => heard.push(name));
    }
    const waiting = second!.acquire(stopping.signal);
    await waitUntil(
      () =>
        second!.tellLeader().then(
          () => true,
          () => false,
        ),
      {
        what: 'the second process to wait',
      },
    );
    await waitUntil(() => heard.length > 0, { what: 'the leader to hear it' });
    expect(heard).toEqual(['shop']);
    await expect(first!.tellLeader()).rejects.toThrow('does not wait for the lead of relay shop');
    stopping.abort();
    expect(await waiting).toBeUndefined();
  });
});
