import { Injectable } from '@nestjs/common';
import type { SegmentSnapshot } from '@scrip/contracts/customers';
import { StatementValues } from '@scrip/list-query';
import type { DataSource, EntityManager } from 'typeorm';
import type { FieldHash } from '../customer/customer-list.sql';
import { emptyProfile, snapshotOf } from '../customer/customer-profile';
import { CustomerVault } from '../customer/customer-vault';
import { blocksOf, type CustomerSums } from '../summary/customer-blocks';
import { candidatesSql, chunk, isMemberSql, lockSql, lookedThroughToSql, upToSql } from './candidates.sql';
import type { FactsRead } from './facts-read';
import { narrowingOfAny, narrowingSql } from './narrowing';
import { documentOf } from './segment-filter';
import type { Candidate } from './segment-matching';

interface VersionOf {
  version: number;
  epoch: number;
}

interface CandidateRow extends VersionOf, Partial<CustomerSums> {
  project_id: string;
  customer_id: string;
  created_at: string;
  updated_at: string | null;
  /** Absent where no profile is read, like `sealed`. */
  wrapped_key?: string;
  sealed?: string;
}

/** A customer to test, as it was read. */
export interface ReadCandidate extends Candidate, VersionOf {}

/** Customers of one step, and the last one of those that were looked through for them; null behind the last of all. */
export interface CandidatePage {
  candidates: ReadCandidate[];
  last: string | null;
}

/** What is read of customers to test. `narrowedBy`: customers whose hashes say that they do not match this filter are left
 *  out. */
export interface Read {
  facts: FactsRead;
  narrowedBy?: SegmentSnapshot['filter'];
}

/** Reads customers to test against filters of segments: what the filters read of them, and no more. Source: ADR 117. */
@Injectable()
export class Candidates {
  constructor(private readonly vault: CustomerVault) {}

  /** Those of the ids that are there. `lock`: they stay as they are until the end of the transaction. `testedBy`: segments. Leaves
   *  out customers who are members of none and whose hashes say that they match none. */
  async named(
    on: DataSource | EntityManager,
    projectId: string,
    ids: readonly string[],
    { facts, lock = false, testedBy = [] }: Read & { lock?: boolean; testedBy?: readonly SegmentSnapshot[] },
  ): Promise<ReadCandidate[]> {
    const { add, all } = new StatementValues();
    all.push(projectId, ids);
    const filters = facts.profile ? testedBy.map(({ filter }) => filter) : [];
    const narrowing = narrowingOfAny(filters, { hash: this.hashesOf(projectId), add, most: ids.length });
    const isMember = (): string => isMemberSql(add(testedBy.map(({ id }) => id)));
    const also = narrowing === null ? [] : [`(${narrowing} OR ${isMember()})`];
    const rows = await on.query<CandidateRow[]>(candidatesSql('ids', { facts, lock, also }), all);
    return rows.map((row) => this.opened(row));
  }

  /** The next ones behind an id. */
  async behind(
    on: DataSource | EntityManager,
    projectId: string,
    after: string,
    { facts, narrowedBy }: Read,
  ): Promise<CandidatePage> {
    const { add, all } = new StatementValues();
    all.push(projectId, after);
    const hash = this.hashesOf(projectId);
    const narrowing = narrowedBy === undefined ? null : narrowingSql(narrowedBy, { hash, add });
    const upTo = narrowing === null ? null : await lookedThroughTo(on, projectId, after);
    const also = [...(narrowing === null ? [] : [narrowing]), ...(upTo === null ? [] : [upToSql(add(upTo))])];
    const rows = await on.query<CandidateRow[]>(candidatesSql('behind', { facts, also }), all);
    const isFull = rows.length === chunk;
    return {
      candidates: rows.map((row) => this.opened(row)),
      last: isFull ? (rows.at(-1)?.customer_id ?? null) : upTo,
    };
  }

  /** Locks customers until the end of the transaction, and returns them as they are then: those that changed since they were read
   *  are read again. */
  async locked(
    on: EntityManager,
    projectId: string,
    candidates: readonly ReadCandidate[],
    read: Read,
  ): Promise<{ unchanged: ReadCandidate[]; changed: ReadCandidate[] }> {
    if (candidates.length === 0) return { unchanged: [], changed: [] };
    const rows = await on.query<({ id: string } & VersionOf)[]>(lockSql, [
      projectId,
      candidates.map(({ id }) => id),
    ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const isAsRead = ({ id, version, epoch }: ReadCandidate): boolean =>
      byId.get(id)?.version === version && byId.get(id)?.epoch === epoch;
    const changed = candidates.filter((one) => byId.has(one.id) && !isAsRead(one)).map(({ id }) => id);
    return {
      unchanged: candidates.filter(isAsRead),
      changed: changed.length === 0 ? [] : await this.named(on, projectId, changed, { ...read, lock: true }),
    };
  }

  private hashesOf(projectId: string): FieldHash {
    return (field, value) => this.vault.fieldHash(projectId, field, value);
  }

  private opened(row: CandidateRow): ReadCandidate {
    const { project_id, customer_id: id, created_at, updated_at, wrapped_key, sealed, version, epoch } = row;
    const profile =
      wrapped_key === undefined || sealed === undefined
        ? emptyProfile
        : this.vault.openOnce({ wrapped_key, sealed }, { projectId: project_id, customerId: id });
    const blocks = blocksOf({
      order_sums: row.order_sums ?? null,
      referrals: row.referrals ?? null,
      referred: row.referred ?? null,
      redemption_sums: row.redemption_sums ?? null,
      gift_balance: row.gift_balance ?? null,
    });
    return {
      id,
      version,
      epoch,
      doc: documentOf(snapshotOf(id, profile, { created_at, updated_at }), blocks),
    };
  }
}

const lookedThroughTo = async (
  on: DataSource | EntityManager,
  projectId: string,
  after: string,
): Promise<string | null> => {
  const [row] = await on.query<{ id: string }[]>(lookedThroughToSql, [projectId, after]);
  return row?.id ?? null;
};
