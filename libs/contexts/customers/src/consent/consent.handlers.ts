import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Refusal, type RequestContext, notFound } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { CustomerReads } from '../customer/customer.reads';
import { CustomerVault } from '../customer/customer-vault';
import type { Consents } from './consents-request';
import { newestConsents } from './newest-consents';

const lockSql = `
  SELECT k.consents FROM customer_keys k JOIN customers c ON c.project_id = k.project_id AND c.id = k.customer_id
  WHERE k.project_id = $1 AND k.customer_id = $2 AND c.deleted_at IS NULL FOR UPDATE OF k`;

/** Stores what customers consent to. Source: reference 07 §3. */
@Injectable()
export class ConsentHandlers {
  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    private readonly reads: CustomerReads,
    private readonly vault: CustomerVault,
  ) {}

  /** Merges the consents by their ids into those of a customer named by id or source id. Refuses `not_found`. */
  async give(
    { project }: RequestContext,
    idOrSourceId: string,
    sent: Consents,
  ): Promise<null | Refusal<'not_found'>> {
    const found = await this.reads.findNamed(project.id, idOrSourceId);
    if (!found) return notFound('customer', idOrSourceId);
    const address = { projectId: project.id, customerId: found.state.id };
    const stored = await this.dataSource.transaction(async (manager) => {
      const [row] = await manager.query<{ consents: string | null }[]>(lockSql, [project.id, found.state.id]);
      if (!row) return false;
      const before = row.consents === null ? [] : this.vault.openConsents(row.consents, found.key, address);
      const consents = newestConsents(before, sent);
      await manager.query(
        'UPDATE customer_keys SET consents = $3 WHERE project_id = $1 AND customer_id = $2',
        [project.id, found.state.id, this.vault.sealConsents(consents, found.key, address)],
      );
      return true;
    });
    return stored ? null : notFound('customer', idOrSourceId);
  }
}
