import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Periodic } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { isLive } from './customer.decider';
import { type CustomerRow, CustomerReads } from './customer.reads';
import { type CustomerListing, listingOf, unlisted } from './customer-listing';
import { CustomerVault } from './customer-vault';

const everyMs = 60_000;
const rowsTogether = 500;

const unreadSql = `
  SELECT k.project_id, k.customer_id, k.wrapped_key, c.version::int AS version, c.epoch, c.state
  FROM customer_keys k JOIN customers c ON c.project_id = k.project_id AND c.id = k.customer_id
  WHERE k.listed IS NULL AND (k.project_id, k.customer_id) > ($1, $2)
  ORDER BY k.project_id, k.customer_id LIMIT ${rowsTogether}`;

// A call that changes the customer meanwhile writes the newer row, which is left alone.
const fillSql = `
  UPDATE customer_keys k SET source_id = r.source_id, name_hash = r.name_hash, email_hash = r.email_hash,
    city_hash = r.city_hash, created_at = r.created_at, listed = r.listed
  FROM jsonb_populate_recordset(NULL::customer_keys, $1::jsonb) r
  WHERE k.project_id = r.project_id AND k.customer_id = r.customer_id AND k.listed IS NULL`;

/** Fills in what lists find customers by, where a release without lists has written the row: after a start, and each
 *  minute, as such a release may still run beside this one. Source: ADR 72. */
@Injectable()
export class ListingFiller implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ListingFiller.name);
  private readonly rounds = new Periodic({ name: ListingFiller.name, everyMs, run: () => this.fill() });
  private first: Promise<unknown> = Promise.resolve();
  private isStopped = false;

  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    private readonly reads: CustomerReads,
    private readonly vault: CustomerVault,
  ) {}

  onApplicationBootstrap(): void {
    this.first = this.fill().catch((error: unknown) => this.logger.warn(String(error)));
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    await Promise.all([this.first, this.rounds.stop()]);
  }

  /** Fills in all rows that lack it now. A row that does not open is left for the next round. */
  async fill(): Promise<void> {
    let after: Pick<CustomerRow, 'project_id' | 'customer_id'> | undefined = {
      project_id: '',
      customer_id: '',
    };
    while (after && !this.isStopped) {
      const rows: CustomerRow[] = await this.dataSource.query(unreadSql, [
        after.project_id,
        after.customer_id,
      ]);
      const filled = rows.flatMap((row) => this.listed(row));
      if (filled.length > 0) await this.dataSource.query(fillSql, [JSON.stringify(filled)]);
      after = rows.length < rowsTogether ? undefined : rows.at(-1);
    }
  }

  private listed(row: CustomerRow): (CustomerListing & Pick<CustomerRow, 'project_id' | 'customer_id'>)[] {
    const { project_id, customer_id } = row;
    try {
      const { state, profile } = this.reads.openedOnce(row);
      const listing = isLive(state) ? listingOf(this.vault, project_id, profile, state.created_at) : unlisted;
      return [{ project_id, customer_id, ...listing }];
    } catch (error) {
      this.logger.warn(`customer ${customer_id} cannot be listed: ${String(error)}`);
      return [];
    }
  }
}
