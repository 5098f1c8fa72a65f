import type { Databases } from '@scrip/reconcile';
import { notationOf } from '@scrip/messaging';
import type { KafkaMessage } from 'kafkajs';
import { rowsOf } from './rows';

/** A consumer group and one of its topics. */
export interface GroupTopic {
  group: string;
  topic: string;
}

const contextOf = (group: string): keyof Databases => group.slice(0, group.indexOf('.')) as keyof Databases;

/** How many keys of a group's topic are parked for good. */
export const parkedOf = async (databases: Databases, { group, topic }: GroupTopic): Promise<number> => {
  const context = contextOf(group);
  const [row] = await rowsOf<{ count: number }>(
    databases[context],
    `SELECT count(*)::int AS count FROM ${context}.parked_keys
     WHERE consumer_group = $1 AND topic = $2 AND state = 'PARKED'`,
    [group, topic],
  );
  return row?.count ?? 0;
};

/** How many keys a group has set aside, parked or with tries left, over all its topics. */
export const setAsideOf = async (databases: Databases, group: string): Promise<number> => {
  const context = contextOf(group);
  const [row] = await rowsOf<{ count: number }>(
    databases[context],
    `SELECT count(*)::int AS count FROM ${context}.parked_keys WHERE consumer_group = $1`,
    [group],
  );
  return row?.count ?? 0;
};

/** Replaces a parked message that no handler could read. */
export const repair = async (
  databases: Databases,
  { group, topic }: GroupTopic,
  { key, value, headers = {} }: KafkaMessage,
): Promise<void> => {
  const context = contextOf(group);
  await rowsOf(
    databases[context],
    `UPDATE ${context}.parked_events SET event = $3 WHERE consumer_group = $1 AND topic = $2 AND NOT decoded`,
    [group, topic, notationOf({ topic, key, value, headers })],
  );
};
