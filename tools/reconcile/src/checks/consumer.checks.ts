import { type ContextName, contextNames } from '@scrip/contracts/registry';
import { type LogPosition, comparePositions, formatPosition, parsePosition } from '@scrip/event-store';
import { parseTopic, partitionOfKey } from '@scrip/messaging';
import { type Check, type Finding, checkEach } from '../check';
import type { OpenRows, Row, Source } from '../sorted-rows';

interface Reader {
  group: string;
  topic: string;
  /** By partition. */
  positions: LogPosition[];
}

const readersOf = async (openRows: OpenRows, context: ContextName): Promise<Reader[]> => {
  const rows = await openRows({
    in: context,
    sql: `SELECT concat_ws(' ', consumer_group, topic, to_char(partition, '00000')) AS key,
       consumer_group AS "group", topic, position FROM ${context}.consumer_positions`,
  });
  const readers: Reader[] = [];
  try {
    for await (const { group, topic, position } of rows) {
      const last = readers.at(-1);
      if (last && last.group === group && last.topic === topic) last.positions.push(position as string);
      else readers.push({ group: group as string, topic: topic as string, positions: [position as string] });
    }
  } finally {
    await rows.close();
  }
  return readers;
};

const earliest = (positions: readonly LogPosition[]): LogPosition =>
  positions.reduce((a, b) => (comparePositions(a, b) <= 0 ? a : b));

const eventsBehind = (
  service: string,
  aggregate: string,
  after: LogPosition,
  settleSeconds: number,
): string => {
  const { epoch, ord, position } = parsePosition(after);
  return `
    SELECT event_id::text AS key, project_id || '|' || stream_id AS stream, epoch, ord::text AS ord,
      position::text AS position
    FROM ${service}.events
    WHERE aggregate = '${aggregate}' AND (epoch, ord, position) > (${epoch}, '${ord}'::xid8, ${position})
      AND recorded_at < now() - interval '${settleSeconds} seconds'`;
};

const positionOf = ({ epoch, ord, position }: Row): LogPosition =>
  formatPosition({ epoch: epoch as number, ord: ord as string, position: position as string });

async function* unreadBy(openRows: OpenRows, reader: Reader, settleSeconds: number): AsyncGenerator<Finding> {
  const { group, topic, positions } = reader;
  const { service, aggregate } = parseTopic(topic);
  const unread = positions.map(() => 0);
  const sql = eventsBehind(service, aggregate, earliest(positions), settleSeconds);
  const events = await openRows({ in: service as ContextName, sql });
  try {
    for await (const event of events) {
      const partition = partitionOfKey(event.stream as string, positions.length);
      if (comparePositions(positionOf(event), positions[partition] as LogPosition) > 0)
        unread[partition]! += 1;
    }
  } finally {
    await events.close();
  }
  for (const [partition, count] of unread.entries()) {
    const problem = count === 0 ? null : `${count} events wait behind ${positions[partition]}`;
    yield { key: `${group} ${topic} ${partition}`, problem };
  }
}

async function* consumersCaughtUp(openRows: OpenRows, settleSeconds: number): AsyncGenerator<Finding> {
  for (const context of contextNames) {
    for (const reader of await readersOf(openRows, context)) yield* unreadBy(openRows, reader, settleSeconds);
  }
}

const unrelayed = (context: ContextName, settleSeconds: number): Source => ({
  in: context,
  sql: `
    SELECT relay AS key, position, (
      SELECT count(*)::int FROM ${context}.events e
      WHERE (e.epoch, e.ord, e.position) > (split_part(r.position, '-', 1)::int, split_part(r.position, '-', 2)::xid8,
          split_part(r.position, '-', 3)::bigint)
        AND e.recorded_at < now() - interval '${settleSeconds} seconds') AS waiting
    FROM ${context}.relay_positions r`,
});

const ofContext = (context: ContextName, settleSeconds: number): Check[] => [
  checkEach(`the relay of ${context} has published its log to the end`, {
    each: unrelayed(context, settleSeconds),
    problem: ({ waiting, position }) => (waiting === 0 ? null : `${waiting} events wait behind ${position}`),
  }),
  checkEach(`every event of ${context} could be published`, {
    each: {
      in: context,
      sql: `SELECT event_id::text AS key, topic, error FROM ${context}.unpublished_events`,
    },
    problem: ({ topic, error }) => `not in ${topic}: ${error}`,
  }),
  checkEach(`nothing is parked in ${context}`, {
    each: {
      in: context,
      sql: `SELECT concat_ws(' ', consumer_group, topic, partition, key) AS key, state, attempts, error
        FROM ${context}.parked_keys`,
    },
    problem: ({ state, attempts, error }) => `${state} after ${attempts} attempts: ${error}`,
  }),
];

/** Compares positions of readers with the logs, and lists parked keys. */
export const consumerChecks = (settleSeconds: number): Check[] => [
  {
    name: 'each consumer group has read its topics to the end',
    run: (openRows) => consumersCaughtUp(openRows, settleSeconds),
  },
  ...contextNames.flatMap((context) => ofContext(context, settleSeconds)),
];
