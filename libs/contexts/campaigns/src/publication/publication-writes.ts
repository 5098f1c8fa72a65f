import type {
  PublicationEvent,
  PublicationSnapshot,
  VoucherEvent,
  VoucherSnapshot,
} from '@scrip/contracts/campaigns';
import type { AggregateStore, NewStream, RowChange, StreamWrites } from '@scrip/event-store';
import { newId, type RequestContext } from '@scrip/kernel';
import type { VoucherState } from '../voucher/voucher.decider';
import { publish, type PublicationState } from './publication.decider';
import type { Published, Try } from './publication-try';
import type { PublishedVoucher } from './published-vouchers';

/** Where publications are written to. */
export interface PublicationStores {
  vouchers: AggregateStore<VoucherState, VoucherEvent>;
  publications: AggregateStore<PublicationState, PublicationEvent>;
}

const sourceIdOf = ({ publishing: { request } }: Try): string => request.source_id ?? '';

// All transactions insert source ids in one order, or two of them could wait for each other.
const bySourceId = (one: Try, other: Try): number => {
  const [a, b] = [sourceIdOf(one), sourceIdOf(other)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** The stream of a publication with the rows of its holders. `vouchers`: as they are after it. */
const publicationOf = ({ context, publishing }: Try, vouchers: readonly VoucherSnapshot[]) => {
  const [succeeded, ...assigned] = publish({
    ...publishing,
    now: publishing.now.toISOString(),
    vouchers,
    holderIds: vouchers.map(() => newId('rh_')),
  });
  const rows: RowChange[] = assigned.map(({ data: { holder } }) => ({
    insert: 'holders',
    values: { project_id: context.project.id, ...holder },
  }));
  const stream = { streamId: publishing.id, context, events: [succeeded, ...assigned], rows };
  return { stream, publication: succeeded.data.publication satisfies PublicationSnapshot };
};

/** What publications with these vouchers, at least one, write, and what each comes to once that is committed. */
export const writesOf = (
  { vouchers, publications }: PublicationStores,
  published: ReadonlyMap<Try, readonly PublishedVoucher[]>,
): { context: RequestContext; writes: StreamWrites[]; written: Map<Try, Published> } => {
  const written = new Map<Try, Published>();
  const streams: NewStream<PublicationEvent>[] = [];
  for (const one of [...published.keys()].sort(bySourceId)) {
    const after = published.get(one)!.map(({ state }) => state.voucher);
    const { stream, publication } = publicationOf(one, after);
    streams.push(stream);
    written.set(one, { published: publication, vouchers: after });
  }
  const all = [...published.values()].flat();
  const [{ context }] = [...published.keys()] as [Try];
  const writes = [
    vouchers.changing(all.flatMap(({ change }) => change ?? [])),
    vouchers.creating(all.flatMap(({ created }) => created ?? [])),
    publications.creating(streams),
  ];
  return { context, writes, written };
};
