import { type Refusal, isRefused } from '@scrip/kernel';
import type { EventStore } from '@scrip/event-store';
import type { ConsumerStatus, EventTransport } from '@scrip/messaging';
import type { OpenConsumers } from '@scrip/service';

/** Thrown for a wrong command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The result of a command. `isDone` false: something still waits, or was refused. */
export interface CommandEnd {
  lines: string[];
  isDone: boolean;
}

/** The dependencies of commands. */
export interface Subject {
  consumers: Consumers;
  eventStores: ReadonlyMap<string, Pick<EventStore, 'raiseEpoch'>>;
  rewindRelay: OpenConsumers['rewindRelay'];
}

type Consumers = Pick<EventTransport, 'consumerStatus' | 'replayParked' | 'rebuild'>;

/** What waits is counted further by each look, up to ten thousand. */
const looksMax = 25;

const waitingOf = (readers: readonly ConsumerStatus[]): number =>
  readers.reduce((sum, { lagEvents }) => sum + (lagEvents ?? 0), 0);

const counted = async (consumers: Consumers): Promise<ConsumerStatus[]> => {
  let readers = await consumers.consumerStatus();
  for (let looks = 1, before = 0; looks < looksMax && waitingOf(readers) > before; looks += 1) {
    before = waitingOf(readers);
    readers = await consumers.consumerStatus();
  }
  return readers;
};

const lagOf = ({ lagEvents, lagSeconds }: ConsumerStatus): string => {
  if (lagEvents === null || lagSeconds === null) return 'lag unknown';
  return lagEvents === 0 ? 'no lag' : `lag ${lagEvents} events, ${Math.round(lagSeconds)} s`;
};

const status = async (consumers: Consumers): Promise<CommandEnd> => {
  const readers = await counted(consumers);
  return {
    lines: readers.map((reader) => {
      const { group, topic, partition, position, parkedKeys, parkedEvents } = reader;
      return [
        `${group}  ${topic}  partition ${partition}  at ${position}  ${lagOf(reader)}`,
        parkedKeys > 0 ? `  ${parkedKeys} keys parked with ${parkedEvents} events` : '',
      ].join('');
    }),
    isDone: true,
  };
};

const replay = async (
  consumers: Consumers,
  which: { group: string; topic?: string; key?: string },
): Promise<CommandEnd> => {
  const replayed = await consumers.replayParked(which);
  if (isRefused(replayed)) return { lines: [`no consumer group ${which.group}`], isDone: false };
  const lines = replayed.map(({ topic, partition, key, applied, error }) => {
    const end = error === undefined ? '' : `, then failed: ${error}`;
    return `${topic}  partition ${partition}  ${key}: ${applied} applied${end}`;
  });
  return {
    lines: lines.length > 0 ? lines : ['nothing is parked'],
    isDone: replayed.every(({ error }) => error === undefined),
  };
};

const whyNotRebuilt = ({ refused, details }: Refusal): string => {
  if (refused === 'consumer_group_not_found') return 'there is no such group';
  if (refused === 'consumer_group_not_rebuildable') return 'its effects cannot be taken back';
  if (refused === 'consumer_group_rebuilding') return 'another rebuild of it is under way';
  return details ?? refused;
};

const rebuild = async (consumers: Consumers, group: string): Promise<CommandEnd> => {
  const rebuilt = await consumers.rebuild(group);
  if (isRefused(rebuilt))
    return { lines: [`${group} is not rebuilt: ${whyNotRebuilt(rebuilt)}`], isDone: false };
  const { events, topics } = rebuilt;
  return { lines: [`${group} is rebuilt from ${events} events of ${topics.join(', ')}`], isDone: true };
};

const raiseEpoch = async (eventStores: Subject['eventStores']): Promise<CommandEnd> => {
  const lines: string[] = [];
  for (const [name, store] of eventStores) lines.push(`${name}: epoch ${await store.raiseEpoch()}`);
  return { lines, isDone: true };
};

const relayRewind = async (
  { eventStores, rewindRelay }: Subject,
  service: string,
  since: string,
): Promise<CommandEnd> => {
  if (!eventStores.has(service)) throw new UsageError(`there is no service ${service}`);
  const instant = since === 'beginning' ? null : new Date(since);
  if (instant && Number.isNaN(instant.getTime())) throw new UsageError(`not an instant: ${since}`);
  const moved = await rewindRelay(service, instant?.toISOString() ?? null);
  if (isRefused(moved)) return { lines: [`${service} has no relay here: it never published`], isDone: false };
  if (moved.from === moved.to)
    return { lines: [`${service} is at ${moved.from}: nothing to go back to`], isDone: true };
  return { lines: [`${service} publishes again from ${moved.to}; it was at ${moved.from}`], isDone: true };
};

/** How the commands are written. */
export const usage = [
  'npm run messaging -- status                        where consumers are, and what waits or is set aside',
  'npm run messaging -- replay <group> [--topic <topic>] [--key <key>]',
  '                                                   takes again what the group has set aside',
  'npm run messaging -- rebuild <group>               builds a projection anew from the logs',
  'npm run messaging -- raise-epoch                   after files of PostgreSQL were restored',
  'npm run messaging -- relay-rewind <service> --since <instant, or beginning>',
  '                                                   publishes again what a topic has lost',
].join('\n');

/** Options of the commands. */
export interface MessagingOptions {
  topic?: string;
  key?: string;
  since?: string;
}

/** A command line that `runCommand` takes. */
export type MessagingCommand =
  ['status' | 'raise-epoch'] | ['replay' | 'rebuild', group: string] | ['relay-rewind', service: string];

/** Whether a command line is a command, of which nothing is missing. */
export const isCommand = (
  words: readonly string[],
  { since }: MessagingOptions,
): words is MessagingCommand => {
  const [command = ''] = words;
  if (command === 'status' || command === 'raise-epoch') return words.length === 1;
  if (command === 'relay-rewind') return words.length === 2 && since !== undefined;
  return (command === 'replay' || command === 'rebuild') && words.length === 2;
};

/** Runs a command. Throws `UsageError` for what is no command, and for a service or an instant that does not exist. */
export const runCommand = async (
  subject: Subject,
  words: readonly string[],
  options: MessagingOptions,
): Promise<CommandEnd> => {
  if (!isCommand(words, options)) throw new UsageError(usage);
  const { consumers, eventStores } = subject;
  const { since, ...which } = options;
  switch (words[0]) {
    case 'status':
      return status(consumers);
    case 'raise-epoch':
      return raiseEpoch(eventStores);
    case 'replay':
      return replay(consumers, { group: words[1], ...which });
    case 'rebuild':
      return rebuild(consumers, words[1]);
    case 'relay-rewind':
      return relayRewind(subject, words[1], since!);
  }
};
