import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { batchLoader } from '@scrip/rpc';
import type { DataSource, EntityManager } from 'typeorm';
import { lookUp, ofAnyLength, runQuery } from '@scrip/event-store';
import { type CustomerState, isLive } from './customer.decider';
import { type CustomerProfile, sourceIdOfDeleted } from './customer-profile';
import { type CustomerAddress, CustomerVault } from './customer-vault';

/** Names a customer by its id or by the hash of its source id. */
export type CustomerName = { projectId: string } & ({ id: string } | { sourceHash: string });

/** A stored customer, opened. */
export interface FoundCustomer {
  key: Buffer;
  version: number;
  epoch: number;
  state: CustomerState;
  profile: CustomerProfile;
}

/** A customer with its key, as queries return them. */
export interface CustomerRow {
  project_id: string;
  customer_id: string;
  wrapped_key: string;
  version: number;
  epoch: number;
  state: CustomerState;
}

/** A row of `lookupSql`: the name's place, from 1. */
export type LookupRow = CustomerRow & { position: number };

/** Looks customers up by `$1` their projects and `$2` their ids or `$3` the hashes of their source ids. Without its key row a customer
 *  is erased: no lookup finds it, whatever else is left. The limit keeps it a look into an index for each name: joined as a table, all
 *  keys may be read for a few names. */
export const lookupSql = `
  SELECT q.position, k.project_id, k.customer_id, k.wrapped_key, c.version::int AS version, c.epoch, c.state
  FROM unnest(${ofAnyLength('$1')}, ${ofAnyLength('$2')}, ${ofAnyLength('$3')}) WITH ORDINALITY
    AS q(project_id, customer_id, source_hash, position)
  JOIN LATERAL (
    SELECT i.project_id, i.customer_id, i.wrapped_key FROM customer_keys i
    WHERE i.project_id = q.project_id AND i.customer_id = q.customer_id
    UNION ALL
    SELECT s.project_id, s.customer_id, s.wrapped_key FROM customer_keys s
    WHERE s.project_id = q.project_id AND s.source_hash = q.source_hash
    LIMIT 1
  ) k ON true
  JOIN customers c ON c.project_id = k.project_id AND c.id = k.customer_id`;

/** The parameters of `lookupSql`. */
export const lookupValues = (names: readonly CustomerName[]): (string | null)[][] => [
  names.map(({ projectId }) => projectId),
  names.map((name) => ('id' in name ? name.id : null)),
  names.map((name) => ('sourceHash' in name ? name.sourceHash : null)),
];

/** What `lookupSql` found, in the order of the names. */
export const inPlace = <Row extends LookupRow>(
  names: readonly CustomerName[],
  rows: readonly Row[],
): (Row | null)[] => {
  const found = new Map(rows.map((row) => [Number(row.position), row]));
  return names.map((_, index) => found.get(index + 1) ?? null);
};

/** Finds customers; lookups of the same turn of the event loop share one query. */
@Injectable()
export class CustomerReads {
  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    private readonly vault: CustomerVault,
  ) {}

  /** The customer of that name, deleted ones too; null when there is none, or none any more. */
  readonly findAlsoDeleted = batchLoader<CustomerName, FoundCustomer | null>((names) => this.findMany(names));

  /** The customer of that name, null when there is none or it was deleted. */
  async find(name: CustomerName): Promise<FoundCustomer | null> {
    const found = await this.findAlsoDeleted(name);
    return found && isLive(found.state) ? found : null;
  }

  /** By id or source id; the id wins. Source: reference 07 §1.1. */
  async findNamed(projectId: string, idOrSourceId: string): Promise<FoundCustomer | null> {
    const [byId, bySourceId] = await Promise.all([
      this.find({ projectId, id: idOrSourceId }),
      this.find({ projectId, sourceHash: this.vault.sourceHash(projectId, idOrSourceId) }),
    ]);
    return byId ?? bySourceId;
  }

  /** Whether a customer with the source id of that key was ever erased. Source: ADR 156. */
  async isErasedSource(projectId: string, sourceKey: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      'SELECT FROM erased_source_ids WHERE project_id = $1 AND source_key = $2 LIMIT 1',
      [projectId, sourceKey],
    );
    return rows.length > 0;
  }

  private async findMany(names: readonly CustomerName[]): Promise<(FoundCustomer | null)[]> {
    const rows = await lookUp<LookupRow>(this.dataSource, lookupSql, lookupValues(names));
    return inPlace(names, rows).map((row) => (row ? this.opened(row) : null));
  }

  /** Returns the id of the customer, named by id or source id, that was erased under that deletion; null for none. Its source id
   *  finds it no more, and another customer may have it. */
  async erasedUnder(projectId: string, idOrSourceId: string, deletionId: string): Promise<string | null> {
    const [row] = await runQuery<{ id: string }>(
      this.dataSource,
      `SELECT c.id FROM erased_names e JOIN customers c ON c.project_id = e.project_id AND c.id = e.customer_id
       WHERE e.project_id = $1 AND e.name = ANY($2) AND c.state->'erasure'->>'id' = $3`,
      [projectId, [idOrSourceId, this.vault.taskKey(projectId, idOrSourceId)], deletionId],
    );
    return row?.id ?? null;
  }

  /** Returns the source id that a customer has, or had before it was deleted; null for none. `read`: the transaction that holds the
   *  lock of the customer with this state. */
  async sourceIdIn(
    read: EntityManager,
    address: CustomerAddress,
    state: CustomerState,
  ): Promise<string | null> {
    const [row] = await read.query<{ wrapped_key: string }[]>(
      'SELECT wrapped_key FROM customer_keys WHERE project_id = $1 AND customer_id = $2',
      [address.projectId, address.customerId],
    );
    if (!row) return null;
    const profile = this.vault.open(state.sealed, this.vault.unwrap(row.wrapped_key, address), address);
    return isLive(state) ? profile.source_id : sourceIdOfDeleted(profile);
  }

  /** Returns when a customer was deleted, by the clock of the database. The state says it by that of a process, and the two may
   *  differ. */
  async deletedAt(read: EntityManager, projectId: string, customerId: string): Promise<string | null> {
    const [row] = await read.query<{ at: string }[]>(
      `SELECT recorded_at::text AS at FROM events
       WHERE project_id = $1 AND aggregate = 'customer' AND stream_id = $2 AND type = 'CustomerDeleted'
       ORDER BY version DESC LIMIT 1`,
      [projectId, customerId],
    );
    return row?.at ?? null;
  }

  /** Opens a row of a customer and its key. Throws `SealBroken`. */
  opened(row: CustomerRow): FoundCustomer {
    const { project_id, customer_id, wrapped_key, version, epoch, state } = row;
    const address = { projectId: project_id, customerId: customer_id };
    const key = this.vault.unwrap(wrapped_key, address);
    return { key, version, epoch, state, profile: this.vault.open(state.sealed, key, address) };
  }

  /** As `opened`, of a customer who is one of many that are read once: nothing is remembered for a second time. Throws
   *  `SealBroken`. */
  openedOnce({
    project_id,
    customer_id,
    wrapped_key,
    state,
  }: CustomerRow): Pick<FoundCustomer, 'state' | 'profile'> {
    const address = { projectId: project_id, customerId: customer_id };
    return { state, profile: this.vault.openOnce({ wrapped_key, sealed: state.sealed }, address) };
  }
}
