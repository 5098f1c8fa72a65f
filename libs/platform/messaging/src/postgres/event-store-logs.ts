import {
  EventStore,
  type LogPosition,
  type PositionParts,
  type StoredEvent,
  formatPosition,
  poolOf,
} from '@scrip/event-store';
import { escapeIdentifier } from 'pg';
import type { DataSource } from 'typeorm';
import { type Delivery, type Undecodable, keyOf } from '../feed/delivery';
import { errorText } from '../parking/parked-keys';
import { isTransient } from '../partition/transient-error';
import { type LogEntries, type LogPage, type LogSource, pageBytesMax } from './log-source';

/** One service's event store, on the DataSource whose schema holds its tables. */
export interface ServiceLog {
  store: EventStore;
  database: DataSource;
}

/** Where an undecodable entry stands: the one event of its aggregate that follows `after`. */
interface Place {
  service: string;
  aggregate: string;
  after: LogPosition;
  position: LogPosition;
}

const schemaOf = ({ store, database }: ServiceLog): string =>
  (database.options as { schema?: string }).schema ?? store.service;

/** The last event of a log that no running transaction can still precede: the event store's own rule. */
const headSql = (log: ServiceLog): string => {
  const schema = escapeIdentifier(schemaOf(log));
  return `
    SELECT e.epoch, e.ord::text, e.position::text FROM ${schema}.events e
    WHERE (e.epoch, e.ord) <
      ((SELECT epoch FROM ${schema}.event_store_meta), pg_snapshot_xmin(pg_current_snapshot()))
    ORDER BY e.epoch DESC, e.ord DESC, e.position DESC LIMIT 1`;
};

/** Which transactions have ended, of all databases of the server. While it is the same, no event can be read that could
 *  not be read before. */
const snapshotQuery = {
  name: 'scrip_snapshot',
  text: 'SELECT pg_current_snapshot()::text AS snapshot',
};

/** The logs of event stores that share one database, which is the embedded shape. Entries that no upcaster can read
 *  are handed over as undecodable, one by one, and do not hide their neighbours. */
export const eventStoreLogs = (logs: readonly ServiceLog[]): LogSource => {
  const byService = new Map(logs.map((log) => [log.store.service, log]));
  // The same tables without upcasters: shows what an entry is that cannot be decoded.
  const undecoded = new Map(
    logs.map(({ store, database }) => [store.service, new EventStore(store.service, database)]),
  );
  // Each by the role of its own context, which alone can read it.
  const headOf = async (log: ServiceLog): Promise<[string, LogPosition][]> => {
    // TypeORM offers no prepared statements, and planning this one costs more than running it.
    const head = { name: 'scrip_log_head', text: headSql(log) };
    const { rows } = await poolOf(log.database).query<PositionParts>(head);
    return rows.map((row) => [log.store.service, formatPosition(row)]);
  };

  let known: { snapshot: string; heads: ReadonlyMap<string, LogPosition> } | undefined;

  const headsNow = async (): Promise<ReadonlyMap<string, LogPosition>> => {
    const [first] = logs;
    if (!first) return new Map();
    // Before the heads: what ends in between shows in the next one.
    const { rows } = await poolOf(first.database).query<{ snapshot: string }>(snapshotQuery);
    const { snapshot } = rows[0]!;
    if (known && known.snapshot === snapshot) return known.heads;
    known = { snapshot, heads: new Map((await Promise.all(logs.map(headOf))).flat()) };
    return known.heads;
  };

  const storeOf = (service: string): EventStore => {
    const log = byService.get(service);
    if (!log) throw new Error(`no log of ${service} here`);
    return log.store;
  };

  const entryAt = async (at: Place): Promise<StoredEvent> => {
    const [event] = await storeOf(at.service).readLog({
      after: at.after,
      limit: 1,
      aggregates: [at.aggregate],
    });
    if (event?.position !== at.position) throw new Error(`no event of ${at.service} at ${at.position}`);
    return event;
  };

  const readOneByOne = async (service: string, page: LogPage): Promise<LogEntries> => {
    const entries: Delivery[] = [];
    let { after } = page;
    const { events, more } = await undecoded.get(service)!.readPage({ ...page, maxBytes: pageBytesMax });
    for (const event of events) {
      const place: Place = { service, aggregate: event.aggregate, after, position: event.position };
      const undecodable = (error: unknown): Undecodable => {
        if (isTransient(error)) throw error;
        const [key, raw] = [keyOf(event), JSON.stringify(place)];
        return {
          undecodable: true,
          aggregate: event.aggregate,
          key,
          position: event.position,
          raw,
          error: errorText(error),
        };
      };
      entries.push(await entryAt(place).catch(undecodable));
      after = event.position;
    }
    return { entries, more };
  };

  return {
    services: [...byService.keys()],

    async read(service, page) {
      try {
        const { events, more } = await storeOf(service).readPage({ ...page, maxBytes: pageBytesMax });
        return { entries: events, more };
      } catch (error) {
        if (isTransient(error)) throw error;
        return readOneByOne(service, page);
      }
    },

    heads: headsNow,

    onWake(listener) {
      const stops = logs.map(({ store }) => store.onCommit(() => listener(store.service)));
      return () => stops.forEach((stop) => stop());
    },

    decode: (raw) => entryAt(JSON.parse(raw) as Place),
  };
};
