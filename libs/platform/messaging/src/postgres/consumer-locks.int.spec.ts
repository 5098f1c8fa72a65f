import { Logger } from '@nestjs/common';
import { createDatabase, databaseWay, dropDatabase, waitUntil } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { ConsumerLocks } from './consumer-locks';

Logger.overrideLogger(false);

describe('the locks of consumers', () => {
  it('are given up when their connection falls silent, and taken again on another one', async () => {
    const url = await createDatabase('locks');
    const way = await databaseWay(url);
    const database = await new DataSource({ type: 'postgres', url: way.url }).initialize();
    const told: string[] = [];
    const owner = {
      acquired: (name: string) => void told.push(`acquired ${name}`),
      lost: (names: readonly string[]) => void told.push(`lost ${names.join(', ')}`),
    };
    const locks = new ConsumerLocks(database, ['a', 'b'], owner, 20, { checkMs: 20, answerMs: 3_000 });
    await locks.start();
    expect(told).toEqual(['acquired a', 'acquired b']);
    way.stall();
    await waitUntil(() => told.length === 5, { what: 'the locks to be taken again' });
    expect(told.slice(2)).toEqual(['lost a, b', 'acquired a', 'acquired b']);
    await locks.stop();
    await database.destroy();
    await way.close();
    await dropDatabase(url);
  });
});
