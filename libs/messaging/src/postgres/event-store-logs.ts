import {
  EventStore,
  type LogPosition,
  type PositionParts,
  type StoredEvent,
  formatPosition,
} from '@scrip/event-store';
import { type Pool, escapeIdentifier, escapeLiteral } from 'pg';
import type { DataSource } from 'typeorm';
import { type Delivery, type Undecodable, keyOf } from '../delivery';
import { errorText } from '../parked-keys';
import { isTransient } from '../transient-error';
import type { LogPage, LogSource } from './log-source';

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

/** The last event of each log that no running transaction can still precede: the event store's own rule, for all
 *  schemas of a database in one statement. */
const headsSql = (logs: readonly ServiceLog[]): string =>
  logs
    .map((log) => {
      const schema = escapeIdentifier(schemaOf(log));
      return `(SELECT ${escapeLiteral(log.store.service)} AS service, e.epoch, e.ord::text, e.position::text
        FROM ${schema}.events e
        WHERE (e.epoch, e.ord) <
          ((SELECT epoch FROM ${schema}.event_store_meta), pg_snapshot_xmin(pg_current_snapshot()))
        ORDER BY e.epoch DESC, e.ord DESC, e.position DESC LIMIT 1)`;
    })
    .join('\nUNION ALL\n');

/** The logs of event stores that share one database, which is the embedded shape. Entries that no upcaster can read
 *  are handed over as undecodable, one by one, and do not hide their neighbours. */
export const eventStoreLogs = (logs: readonly ServiceLog[]): LogSource => {
  const byService = new Map(logs.map((log) => [log.store.service, log]));
  // The same tables without upcasters: shows what an entry is that cannot be decoded.
  const undecoded = new Map(
    logs.map(({ store, database }) => [store.service, new EventStore(store.service, database)]),
  );
  const heads = { name: 'scrip_log_heads', text: headsSql(logs) };

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

  const readOneByOne = async (service: string, page: LogPage): Promise<Delivery[]> => {
    const entries: Delivery[] = [];
    let { after } = page;
    for (const event of (await undecoded.get(service)?.readLog(page)) ?? []) {
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
    return entries;
  };

  return {
    services: [...byService.keys()],

    async read(service, page) {
      try {
        return await storeOf(service).readLog(page);
      } catch (error) {
        if (isTransient(error)) throw error;
        return readOneByOne(service, page);
      }
    },

    async heads() {
      const [any] = logs;
      if (!any) return new Map();
      // TypeORM offers no prepared statements, and planning this one costs more than running it.
      const pool = (any.database.driver as unknown as { master: Pool }).master;
      const { rows } = await pool.query<PositionParts & { service: string }>(heads);
      return new Map(rows.map((row) => [row.service, formatPosition(row)]));
    },

    onWake(listener) {
      const stops = logs.map(({ store }) => store.onCommit(() => listener(store.service)));
      return () => stops.forEach((stop) => stop());
    },

    decode: (raw) => entryAt(JSON.parse(raw) as Place),
  };
};
