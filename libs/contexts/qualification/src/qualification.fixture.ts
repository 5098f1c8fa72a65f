import { type AuthPort, authPort } from '@scrip/contracts/auth';
import { campaignsPort } from '@scrip/contracts/campaigns';
import { catalogPort } from '@scrip/contracts/catalog';
import { customersPort } from '@scrip/contracts/customers';
import { type PromotionsPort, promotionsPort } from '@scrip/contracts/promotions';
import { EventStore, EventStoreModule, eventStoreMigrations, eventStoreToken } from '@scrip/event-store';
import { idempotencyMigrations } from '@scrip/edge';
import { type BusinessClock, Secret } from '@scrip/kernel';
import { servedPortToken, PortsModule } from '@scrip/rpc';
import { BUSINESS_CLOCK, ListsModule, METRICS, Metrics, SCRIP_CONFIG, readSettings } from '@scrip/service';
import { preparedDatabase } from '@scrip/testing';
import { Global, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { getDataSourceToken } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { FakeCampaigns } from './owners/campaigns.fixture';
import { FakeCatalog } from './owners/catalog.fixture';
import { FakeCustomers } from './owners/customers.fixture';
import { FakePromotions } from './owners/promotions.fixture';
import { project } from './redeemables.fixture';
import { qualificationMigrations } from './migrations';
import { QualificationModule } from './qualification.module';

/** A clock that tests move. */
export class MovableClock implements BusinessClock {
  constructor(private at: Date) {}

  now(): Date {
    return this.at;
  }

  moveTo(iso: string): void {
    this.at = new Date(iso);
  }
}

const open = async (url: string): Promise<DataSource> => {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    poolSize: 10,
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    migrations: [...eventStoreMigrations, ...idempotencyMigrations, ...qualificationMigrations],
  });
  await dataSource.initialize();
  await dataSource.runMigrations();
  return dataSource;
};

const migrate = async (url: string): Promise<void> => (await open(url)).destroy();

/** One process of the context on a database of its own, with owners in memory. */
export interface QualificationFixture {
  module: TestingModule;
  dataSource: DataSource;
  events: EventStore;
  campaigns: FakeCampaigns;
  customers: FakeCustomers;
  catalog: FakeCatalog;
  promotions: FakePromotions;
  clock: MovableClock;
  get<T>(token: new (...args: never[]) => T): T;
  stop(): Promise<void>;
}

/** Starts it; `databaseUrl` and `owners` of another fixture make it a second process beside that one. */
export const startQualification = async (
  name: string,
  {
    databaseUrl,
    campaigns = new FakeCampaigns(),
    customers = new FakeCustomers(),
    catalog = new FakeCatalog(),
    promotions = new FakePromotions(),
  }: {
    databaseUrl?: string;
    campaigns?: FakeCampaigns;
    customers?: FakeCustomers;
    catalog?: FakeCatalog;
    promotions?: FakePromotions;
  } = {},
): Promise<QualificationFixture> => {
  const dataSource = await open(databaseUrl ?? (await preparedDatabase('qualification', migrate, name)));
  const clock = new MovableClock(new Date('2026-06-15T10:00:00.000Z'));
  const tiers: Pick<PromotionsPort, 'load' | 'resolveRuledObjects'> = {
    load: promotions.load,
    resolveRuledObjects: (_, { objects }) => campaigns.resolveRuledObjects(_, { objects }),
  };
  const auth: Pick<AuthPort, 'loadProject'> = { loadProject: () => Promise.resolve(project) };

  @Global()
  @Module({
    providers: [
      {
        provide: SCRIP_CONFIG,
        useValue: { ...readSettings({}), masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')) },
      },
      { provide: METRICS, useValue: new Metrics() },
      { provide: BUSINESS_CLOCK, useValue: clock },
      { provide: getDataSourceToken('qualification'), useValue: dataSource },
      { provide: servedPortToken(campaignsPort), useValue: campaigns },
      { provide: servedPortToken(customersPort), useValue: customers },
      { provide: servedPortToken(catalogPort), useValue: catalog },
      { provide: servedPortToken(authPort), useValue: auth },
      { provide: servedPortToken(promotionsPort), useValue: tiers },
    ],
    exports: [SCRIP_CONFIG, METRICS, BUSINESS_CLOCK, getDataSourceToken('qualification')],
  })
  class Surroundings {}

  const module = await Test.createTestingModule({
    imports: [
      Surroundings,
      PortsModule.inProcess(),
      { ...EventStoreModule.forContext('qualification'), global: true },
      ListsModule.forContext('qualification'),
      QualificationModule,
    ],
  }).compile();
  await module.init();
  return {
    module,
    dataSource,
    events: module.get<EventStore>(eventStoreToken('qualification'), { strict: false }),
    campaigns,
    customers,
    catalog,
    promotions,
    clock,
    get: (token) => module.get(token, { strict: false }),
    stop: async () => {
      await module.close();
      if (dataSource.isInitialized) await dataSource.destroy();
    },
  };
};
