import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type CalendarDay, addDays, calendarDayOf } from '@scrip/kernel';
import { BackgroundQueue, InjectMetrics, type Metrics, Periodic } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import { addedValidations } from './validation-sums.table';

/** One validation, kept for inspection. No personal data: only the customer's id. Amounts: minor units. */
export interface ValidationRecord {
  project_id: string;
  id: string;
  created_at: string;
  request_id: string;
  valid: boolean;
  customer_id: string | null;
  redeemables: { object: string; id: string; campaign_id: string | null; status: string; key?: string }[];
  totals: object | null;
}

const waitingMax = 10_000;
const rowsPerStatement = 500;
const keptDays = 30;
const daysAhead = 2;
const maintainEveryMs = 3_600_000;

const partitionOf = (day: CalendarDay): string => `validations_${day.replaceAll('-', '_')}`;

/** Writes validations in batches after their answers, and counts them for their campaigns. Losing some (a crash, a full queue) changes nothing for anybody.
 *  A partition per day, kept for 30 days. Source: reference 03 §5.4, architecture §8.
 *  Machine time: partitions. */
@Injectable()
export class ValidationLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ValidationLog.name);
  private readonly dropped: (labels: Record<string, string>, count: number) => void;
  private readonly queue = new BackgroundQueue<ValidationRecord>({
    waitingMax,
    run: (records) => this.write(records),
    dropped: () => this.dropped({}, 1),
  });
  private readonly maintenance = new Periodic({
    name: ValidationLog.name,
    everyMs: maintainEveryMs,
    run: () => this.tryToMaintain(),
  });

  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    @InjectMetrics() metrics: Metrics,
  ) {
    this.dropped = metrics.counter(
      'scrip_validation_records_lost_total',
      'Validations not kept for inspection',
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    this.maintenance.start();
    await this.tryToMaintain();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.maintenance.stop();
    await this.written();
  }

  /** Never throws, never waits. */
  add(record: ValidationRecord): void {
    this.queue.push(record);
  }

  /** Everything added so far is in the table, or lost. */
  written(): Promise<void> {
    return this.queue.drained();
  }

  /** Creates the partitions of today and the next days, and drops those past their time; one process at a time. */
  maintain(now: Date): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL lock_timeout = '5s'`);
      await manager.query(`SELECT pg_advisory_xact_lock(hashtext('qualification.validations'))`);
      await this.movePartitions(manager, calendarDayOf(now, 'UTC'));
    });
  }

  /** Partitions exist days ahead: another time will do, and no start fails over it. */
  private async tryToMaintain(): Promise<void> {
    try {
      await this.maintain(new Date());
    } catch (error) {
      this.logger.warn(`partitions: ${String(error)}`);
    }
  }

  private async movePartitions(manager: EntityManager, today: CalendarDay): Promise<void> {
    for (let ahead = 0; ahead <= daysAhead; ahead += 1) {
      const day = addDays(today, ahead);
      await manager.query(
        `CREATE TABLE IF NOT EXISTS ${partitionOf(day)} PARTITION OF validations
         FOR VALUES FROM ('${day}') TO ('${addDays(day, 1)}')`,
      );
    }
    const oldest = partitionOf(addDays(today, -keptDays));
    const expired = await manager.query<{ name: string }[]>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'validations'::regclass AND c.relname ~ '^validations_\\d{4}_\\d\\d_\\d\\d$' AND c.relname < $1`,
      [oldest],
    );
    for (const { name } of expired) await manager.query(`DROP TABLE ${name}`);
  }

  private async write(records: readonly ValidationRecord[]): Promise<void> {
    for (let from = 0; from < records.length; from += rowsPerStatement) {
      const rows = records.slice(from, from + rowsPerStatement);
      try {
        await this.dataSource.query(
          `WITH written AS (
             INSERT INTO validations (project_id, id, created_at, request_id, valid, customer_id, redeemables, totals)
             SELECT project_id, id, created_at, request_id, valid, customer_id, redeemables, totals
             FROM jsonb_populate_recordset(NULL::validations, $1::jsonb)
             RETURNING project_id, created_at, redeemables)
           ${addedValidations}`,
          [JSON.stringify(rows)],
        );
      } catch (error) {
        this.dropped({}, rows.length);
        this.logger.warn(`${rows.length} validations not kept: ${String(error)}`);
      }
    }
  }
}
