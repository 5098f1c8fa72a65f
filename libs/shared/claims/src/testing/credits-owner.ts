import {
  type AggregateDefinition,
  type AggregateStore,
  EventStore,
  eventStoreMigrations,
  snapshotColumns,
  stateTableColumns,
} from '@scrip/event-store';
import { notFound, type ProjectContext, internalContext, newId, refuse } from '@scrip/kernel';
import { Metrics } from '@scrip/service';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import type { ClaimRules } from '../claim-rules';
import { ClaimTable, claimTableSql } from '../claim.table';
import { ClaimsOwner } from '../claims-owner';
import { StreamEffect } from '../stream-effect';
import { FakeCoordinator } from './fake-coordinator';

/** A gift card: the smallest object that credits are claimed of. Amounts: minor units. */
interface GiftCard {
  balance: number;
}

type GiftCardEvent =
  | { type: 'CardIssued'; data: { balance: number } }
  | { type: 'CreditsTaken'; data: { claim_id: string; amount: number; balance: number } }
  | { type: 'CreditsReturned'; data: { claim_id: string; amount: number; balance: number } };

const giftCard: AggregateDefinition<GiftCard, GiftCardEvent> = {
  aggregate: 'gift_card',
  table: 'gift_cards',
  evolve: (_, { data: { balance } }) => ({ balance }),
  snapshotEvents: ['CardIssued', 'CreditsTaken', 'CreditsReturned'],
  columns: {},
};

interface KeptCredits {
  amount: number;
  balance: number;
}

/** All that makes an owner of credits out of the library: what a claim takes and gives back. */
const creditRules: Omit<ClaimRules<GiftCard, GiftCardEvent, object>, 'evolve'> = {
  take: ({ balance }, { claim_id, asks: { credits } }) => {
    if (credits === undefined) throw new Error(`claim ${claim_id} asks for no credits`);
    if (credits > balance) return refuse('gift_amount_exceeded');
    const kept: KeptCredits = { amount: credits, balance: balance - credits };
    return { events: [{ type: 'CreditsTaken', data: { claim_id, ...kept } }], kept };
  },
  giveBack: ({ balance }, { claim_id, kept }) => {
    const { amount } = kept as KeptCredits;
    return { events: [{ type: 'CreditsReturned', data: { claim_id, amount, balance: balance + amount } }] };
  },
};

class CreateGiftCards1764000000000 implements MigrationInterface {
  readonly name = 'CreateGiftCards1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE gift_cards (${stateTableColumns}, ${snapshotColumns});${claimTableSql('gift_card_claims')}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gift_card_claims, gift_cards');
  }
}

const project: ProjectContext = {
  id: 'proj_1',
  name: 'Demo',
  timezone: 'UTC',
  currency: 'EUR',
  caseSensitiveCodes: true,
  apiVersion: 'v2018-08-01',
  webhookVersion: 'v2024-01-01',
  cluster: 'eu1',
};

/** An owner of gift cards, for tests of this library and of redeeming. */
export interface CreditsOwner {
  claims: ClaimsOwner<{ id: string; balance: number }, { balance: number }>;
  cards: AggregateStore<GiftCard, GiftCardEvent>;
  events: EventStore;
  coordinator: FakeCoordinator;
  dataSource: DataSource;
  metrics: Metrics;
  table: string;
  /** Issues a card; returns its id. */
  issue(balance: number): Promise<string>;
  balanceOf(cardId: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts it on an empty database. */
export const startCreditsOwner = async (
  databaseUrl: string,
  coordinator = new FakeCoordinator(),
): Promise<CreditsOwner> => {
  const dataSource = await new DataSource({
    type: 'postgres',
    url: databaseUrl,
    poolSize: 12,
    installExtensions: false,
    migrations: [...eventStoreMigrations, CreateGiftCards1764000000000],
  }).initialize();
  await dataSource.runMigrations();
  const events = new EventStore('gift_cards', dataSource);
  await events.start();
  const cards = events.aggregate(giftCard);
  const table = new ClaimTable(dataSource, 'gift_card_claims');
  const metrics = new Metrics();
  const cardNotFound = (id: string) => notFound('gift_card', id, 'gift card');
  const effect = new StreamEffect({
    store: cards,
    table,
    rules: () => creditRules,
    contended: ['gift_amount_exceeded'],
    around: () => Promise.resolve({}),
    granted: (card, kept) => ({ balance: (kept as KeptCredits | null)?.balance ?? card.balance }),
    notFound: cardNotFound,
    inUse: (id) => refuse('multiple_requests', `Gift card ${id} is in use by another request`),
    load: async ({ project: { id } }, objects) => {
      const found = await cards.loadMany(id, objects);
      return objects.map((card) => {
        const loaded = found.get(card);
        return loaded ? { id: card, balance: loaded.state.balance } : cardNotFound(card);
      });
    },
    contextOf: (id) => Promise.resolve(internalContext({ ...project, id })),
  });
  const claims = new ClaimsOwner({
    name: 'gift_card',
    table,
    effect,
    qualification: coordinator,
    metrics,
  });
  const issue = async (balance: number): Promise<string> => {
    const id = newId('v_');
    await cards.execute({
      context: internalContext(project),
      streamId: id,
      decide: () => ({ events: [{ type: 'CardIssued', data: { balance } }], answer: id }),
    });
    return id;
  };
  return {
    claims,
    cards,
    events,
    coordinator,
    dataSource,
    metrics,
    table: table.name,
    issue,
    balanceOf: async (id) => (await cards.load(project.id, id))?.state.balance ?? NaN,
    stop: () => dataSource.destroy(),
  };
};
