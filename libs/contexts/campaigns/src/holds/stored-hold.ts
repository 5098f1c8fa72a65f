import type { Instant } from '@scrip/contracts/snapshot';
import type { RowChange } from '@scrip/event-store';
import type { Hold } from './hold.decider';

/** A hold as it is stored. `generation`: another one with each validation. `claim_id`: the claim that uses it up; it is not counted
 *  then. */
export interface StoredHold extends Hold {
  voucher_id: string;
  session_key: string;
  generation: string;
  claim_id: string | null;
}

type JsonHold = Omit<StoredHold, 'credits' | 'expires_at'> & { credits: number; expires_at: string };

/** An instant as PostgreSQL gives it. */
export const instantOf = (json: string | Date): Instant => new Date(json).toISOString();

/** A hold as PostgreSQL puts it into JSON. */
export const holdOf = (json: unknown): StoredHold => {
  const row = json as JsonHold;
  return { ...row, credits: Number(row.credits), expires_at: instantOf(row.expires_at) };
};

const keyOf = (projectId: string, { voucher_id, session_key }: StoredHold) => ({
  project_id: projectId,
  voucher_id,
  session_key,
});

/** The changes of a voucher's holds, as side rows of its events: a hold that is another one by then aborts the statement. */
export const holdRows = {
  held: (projectId: string, hold: StoredHold): RowChange => {
    const { uses, credits, expires_at, generation, claim_id } = hold;
    return {
      upsert: 'voucher_holds',
      key: keyOf(projectId, hold),
      set: { uses, credits, expires_at, generation, claim_id },
    };
  },
  ended: (projectId: string, hold: StoredHold): RowChange => ({
    delete: 'voucher_holds',
    key: keyOf(projectId, hold),
    expect: { generation: hold.generation, claim_id: hold.claim_id },
  }),
  /** `claim_id` null: no claim uses it up any more. */
  claimed: (projectId: string, hold: StoredHold, claim_id: string | null): RowChange => ({
    update: 'voucher_holds',
    key: keyOf(projectId, hold),
    expect: { generation: hold.generation, claim_id: hold.claim_id },
    set: { claim_id },
  }),
};
