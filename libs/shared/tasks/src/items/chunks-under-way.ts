/** Names of the records that a chunk reads or writes; null where they are not known. */
export type RecordsOfChunk = ReadonlySet<string> | null;

interface ChunkUnderWay {
  records: RecordsOfChunk;
  hasFailed: boolean;
  /** Rejects with what the chunk threw. */
  ended: Promise<void>;
}

const haveOneInCommon = (some: RecordsOfChunk, others: RecordsOfChunk): boolean =>
  some === null || others === null || [...some].some((record) => others.has(record));

/** Chunks of one task that are being carried out, each in a transaction of its own. No two of them have a record in common, so that it does
 *  not matter which ends first. Source: ADR 154. */
export class ChunksUnderWay {
  private readonly chunks = new Set<ChunkUnderWay>();

  /** `most`: how many may be under way at a time. */
  constructor(private readonly most: number) {}

  /** Waits until a chunk of these records may begin. Throws what another threw: behind one that failed none begins. */
  async makeWayFor(records: RecordsOfChunk): Promise<void> {
    const chunks = [...this.chunks];
    const inTheWay = chunks.filter((other) => other.hasFailed || haveOneInCommon(other.records, records));
    await Promise.all(inTheWay.map(({ ended }) => ended));
    if (this.chunks.size >= this.most) await Promise.race(chunks.map(({ ended }) => ended));
  }

  /** What `carryOut` throws is thrown to those who wait for the chunk. */
  begin(records: RecordsOfChunk, carryOut: () => Promise<void>): void {
    const ended = carryOut().then(() => void this.chunks.delete(chunk));
    const chunk: ChunkUnderWay = { records, hasFailed: false, ended };
    ended.catch(() => (chunk.hasFailed = true));
    this.chunks.add(chunk);
  }

  /** Waits for all; throws what the first of them threw that failed, once none is under way any more. */
  async end(): Promise<void> {
    const ends = await Promise.allSettled([...this.chunks].map(({ ended }) => ended));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}
