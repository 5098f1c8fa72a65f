import { type Scrip, type Shape, campaignOf } from '@scrip/testing';
import { Client } from 'pg';
import { callOf, closedLoop } from '../load';
import { orderOfThreeLines } from '../order-of-three-lines';
import { cpuMsOfTree, parentOf } from '../process-tree';
import type { Row } from '../row';

const callers = 32;
const codes = 20_000;
const warmUpSeconds = 6;
const sliceSeconds = 4;

/** Highest accepted costs of a redemption. Source: architecture §12. */
const bars = { walKb: 12, keptKb: 9 };

/** Highest accepted part of the other checkout's processor time, by release of Node: 3.3 of 4.9 ms, and 2.7 of 3.48, when
 *  that was measured on another machine. Milliseconds differ between machines; the part does not. */
const cpuParts: Record<string, number> = { 20: 3.3 / 4.9, 24: 2.7 / 3.48 };
const leastRates: Record<Shape, number> = { embedded: 2, distributed: 1.7 };

/** A Scrip that redeems, and the database it stores in. */
export interface Redeeming {
  scrip: Scrip;
  databaseUrl: string;
}

/** What one slice of redemptions cost, all of it together. */
interface Slice {
  redeemed: number;
  refused: number;
  elapsedMs: number;
  nodeMs: number;
  postgresMs: number;
  walBytes: number;
}

const sum = (slices: readonly Slice[], of: (slice: Slice) => number): number =>
  slices.reduce((total, slice) => total + of(slice), 0);

/** Codes of one Scrip, each redeemed once, and what its database says. */
class Subject {
  readonly slices: Slice[] = [];
  private next = 0;

  private constructor(
    readonly scrip: Scrip,
    private readonly client: Client,
    private readonly available: readonly string[],
    private readonly postmaster: number,
  ) {}

  static async of({ scrip, databaseUrl }: Redeeming): Promise<Subject> {
    const campaign = await campaignOf(scrip, `Bench cost ${Date.now()}`, codes);
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ code: string }>(
      `SELECT code FROM campaigns.vouchers WHERE campaign_id = $1 ORDER BY md5(code)`,
      [campaign.id],
    );
    const backend = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await client.query('VACUUM ANALYZE');
    const available = rows.map(({ code }) => code);
    return new Subject(scrip, client, available, parentOf(backend.rows[0]!.pid));
  }

  redeem(seconds: number) {
    const body = () => ({
      redeemables: [{ object: 'voucher', id: this.available[(this.next += 1) % codes] }],
      customer: { source_id: `shopper-${this.next % 500}` },
      order: orderOfThreeLines,
    });
    return closedLoop(callOf(this.scrip, '/v1/redemptions', body), callers, seconds);
  }

  async slice(seconds: number): Promise<void> {
    const [wal, node, postgres] = [await this.wal(), this.nodeMs(), this.postgresMs()];
    const { latenciesMs, refused, elapsedMs } = await this.redeem(seconds);
    this.slices.push({
      redeemed: latenciesMs.length,
      refused,
      elapsedMs,
      nodeMs: this.nodeMs() - node,
      postgresMs: this.postgresMs() - postgres,
      walBytes: (await this.wal()) - wal,
    });
  }

  /** Bytes of each table with its indexes, without what the server keeps for itself; partitions count as their table. */
  async kept(): Promise<Map<string, number>> {
    const { rows } = await this.client.query<{ name: string; bytes: string }>(
      `SELECT n.nspname || '.' || coalesce(p.relname, c.relname) AS name, sum(pg_total_relation_size(c.oid)) AS bytes
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
       WHERE c.relkind IN ('r', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
       GROUP BY 1`,
    );
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  }

  /** What the server does once a minute by itself: the place of settled drafts is used again. */
  async vacuumDrafts(): Promise<void> {
    await this.client.query('VACUUM customers.order_claims');
  }

  end(): Promise<void> {
    return this.client.end();
  }

  private async wal(): Promise<number> {
    const { rows } = await this.client.query<{ bytes: string }>(
      `SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`,
    );
    return Number(rows[0]!.bytes);
  }

  private nodeMs(): number {
    return cpuMsOfTree(this.scrip.pid);
  }

  private postgresMs(): number {
    return cpuMsOfTree(this.postmaster);
  }
}

const costOf = (slices: readonly Slice[]) => {
  const redeemed = sum(slices, (slice) => slice.redeemed);
  const each = (of: (slice: Slice) => number): number => sum(slices, of) / redeemed;
  return {
    redeemed,
    refused: sum(slices, ({ refused }) => refused),
    perSecond: redeemed / (sum(slices, ({ elapsedMs }) => elapsedMs) / 1_000),
    node: each(({ nodeMs }) => nodeMs),
    postgres: each(({ postgresMs }) => postgresMs),
    walKb: each(({ walBytes }) => walBytes) / 1_024,
  };
};

type Cost = ReturnType<typeof costOf>;

const cpuOf = ({ node, postgres }: Cost): number => node + postgres;

const told = (cost: Cost): string =>
  `${cpuOf(cost).toFixed(2)} ms (Node ${cost.node.toFixed(2)}, PostgreSQL ${cost.postgres.toFixed(2)})`;

interface Kept {
  kb: number;
  most: string;
}

/** What was added between two measurements, for each of `redeemed`, and where most of it is. */
const keptOf = (before: Map<string, number>, after: Map<string, number>, redeemed: number): Kept => {
  const added = [...after].map(([name, bytes]) => ({
    name,
    kb: (bytes - (before.get(name) ?? 0)) / redeemed / 1_024,
  }));
  const most = added.sort((a, b) => b.kb - a.kb).slice(0, 6);
  return {
    kb: added.reduce((total, { kb }) => total + kb, 0),
    most: most.map(({ name, kb }) => `${name} ${kb.toFixed(1)}`).join(', '),
  };
};

const rowsOf = (cost: Cost, kept: Kept, against: Cost | null, shape: Shape): Row[] => {
  const work = `redemption of distinct codes, ${callers} callers`;
  const isEmbedded = shape === 'embedded';
  const ratio = against && cost.perSecond / against.perSecond;
  const part = against && cpuOf(cost) / cpuOf(against);
  const partMost = isEmbedded ? cpuParts[process.versions.node.split('.')[0] ?? ''] : undefined;
  return [
    {
      work,
      measured: `${Math.round(cost.perSecond)}/s${ratio === null ? '' : ` (${ratio.toFixed(2)} × the other)`}, ${cost.refused} refused`,
      baseline: against
        ? `the other checkout ${Math.round(against.perSecond)}/s, in slices taken in turn`
        : '–',
      bar: against ? `≥ ${leastRates[shape]} × the other` : '–',
      met: ratio === null ? null : ratio >= leastRates[shape] && cost.refused === 0,
    },
    {
      work: `${work}: processor time`,
      measured: `${told(cost)}${part === null ? '' : `, ${part.toFixed(2)} × the other`}`,
      baseline: against ? told(against) : '–',
      bar: part === null || partMost === undefined ? '–' : `≤ ${partMost.toFixed(2)} × the other`,
      met: part === null || partMost === undefined ? null : part <= partMost,
    },
    {
      work: `${work}: write-ahead log`,
      measured: `${cost.walKb.toFixed(1)} KB`,
      baseline: against ? `${against.walKb.toFixed(1)} KB` : '–',
      bar: isEmbedded ? `≤ ${bars.walKb} KB` : '–',
      met: isEmbedded ? cost.walKb <= bars.walKb : null,
    },
    {
      work: `${work}: kept, drafts vacuumed between slices`,
      measured: `${kept.kb.toFixed(1)} KB (${kept.most})`,
      baseline: '–',
      bar: isEmbedded ? `≤ ${bars.keptKb} KB` : '–',
      met: isEmbedded ? kept.kb <= bars.keptKb : null,
    },
  ];
};

/** What a redemption of a code on three lines costs: CPU of Scrip and of PostgreSQL, write-ahead log, bytes kept. With
 *  `against`, the same of another Scrip in slices taken in turn, the order turned round each time: what else the machine
 *  does concerns both. */
export const redemptionCostRows = async (
  subject: Redeeming,
  against: Redeeming | null,
  { seconds, shape }: { seconds: number; shape: Shape },
): Promise<Row[]> => {
  const own = await Subject.of(subject);
  const other = against && (await Subject.of(against));
  const both = other ? [own, other] : [own];
  try {
    for (const one of both) await one.redeem(warmUpSeconds);
    const before = await own.kept();
    for (let round = 0; round * sliceSeconds < seconds; round += 1) {
      for (const one of round % 2 === 0 ? both : [...both].reverse()) {
        await one.vacuumDrafts();
        await one.slice(sliceSeconds);
      }
    }
    const cost = costOf(own.slices);
    const kept = keptOf(before, await own.kept(), cost.redeemed);
    return rowsOf(cost, kept, other && costOf(other.slices), shape);
  } finally {
    for (const one of both) await one.end();
  }
};
