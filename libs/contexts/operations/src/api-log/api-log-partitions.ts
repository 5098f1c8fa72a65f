import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { addDays, type CalendarDay, calendarDayOf } from '@scrip/kernel';
import { Periodic, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';

const everyMs = 3_600_000;
const daysAhead = 2;
/** What waits for a lock of the log holds up all that ask for it later. */
const lockTimeoutMs = 500;

const partitionOf = (day: CalendarDay): string => `api_log_${day.replaceAll('-', '_')}`;

/** Makes the partitions of the log's next days (UTC), and drops those past their time, once an hour. A day that is being exported is
 *  dropped an hour later. Machine time: partitions. Source: ADR 151. */
@Injectable()
export class ApiLogPartitions implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ApiLogPartitions.name);
  private readonly rounds = new Periodic({
    name: ApiLogPartitions.name,
    everyMs,
    run: () => this.maintain(new Date()),
  });

  constructor(
    @InjectDataSource('operations') private readonly dataSource: DataSource,
    @Inject(SCRIP_CONFIG) private readonly config: Pick<ScripConfig, 'apiLog'>,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.rounds.start();
    // No start fails over it: partitions exist days ahead.
    await this.maintain(new Date()).catch((error: unknown) => this.logger.warn(String(error)));
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** Does it now. Where the log is off, no day gets a partition, and what it has is dropped at its time. Throws the first error, after
   *  all days were tried. */
  async maintain(now: Date): Promise<void> {
    const { isOn, days } = this.config.apiLog;
    const today = calendarDayOf(now, 'UTC');
    const wanted = isOn ? Array.from({ length: daysAhead + 2 }, (_, index) => addDays(today, index - 1)) : [];
    const work = [
      ...wanted.map((day) => (manager: EntityManager) => this.attach(manager, day)),
      ...(await this.olderThan(addDays(today, -days))).map(
        (name) => (manager: EntityManager) => manager.query(`DROP TABLE IF EXISTS ${name}`),
      ),
    ];
    const failed: unknown[] = [];
    for (const step of work) await this.locked(step).catch((error: unknown) => failed.push(error));
    if (failed.length > 0) throw failed[0];
  }

  private locked(step: (manager: EntityManager) => Promise<unknown>): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL lock_timeout = '${lockTimeoutMs}ms'`);
      await manager.query(`SELECT pg_advisory_xact_lock(hashtext('operations.api_log'))`);
      await step(manager);
    });
  }

  /** `CREATE … PARTITION OF` would lock the whole log, and wait for an export that reads it. A table of its own needs no lock of it, and
   *  `ATTACH` lets others read and write. */
  private async attach(manager: EntityManager, day: CalendarDay): Promise<void> {
    const name = partitionOf(day);
    const [there] = await manager.query<unknown[]>('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [name]);
    if (there) return;
    await manager.query(`
      CREATE TABLE ${name} (LIKE api_log INCLUDING ALL);
      ALTER TABLE api_log ATTACH PARTITION ${name} FOR VALUES FROM ('${day}Z') TO ('${addDays(day, 1)}Z')`);
  }

  private async olderThan(day: CalendarDay): Promise<string[]> {
    const rows = await this.dataSource.query<{ name: string }[]>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'api_log'::regclass AND c.relname < $1 ORDER BY c.relname`,
      [partitionOf(day)],
    );
    return rows.map(({ name }) => name);
  }
}
