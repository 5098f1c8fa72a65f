import { Bootstrap } from '@scrip/auth';
import { type CampaignsPort, campaignsPort } from '@scrip/contracts/campaigns';
import { type CustomersPort, customersPort } from '@scrip/contracts/customers';
import type { ContextName } from '@scrip/contracts/registry';
import { Secret } from '@scrip/kernel';
import { servedPortToken } from '@scrip/rpc';
import { waitUntil } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { type RunningShape, bootShape } from '../e2e/running-shape.fixture';
import { type Call, type Shop, shopOf } from './shop.fixture';

/** A project in the shape under test, and a look behind its API. */
export interface RedemptionFixture extends Shop {
  shape: RunningShape;
  databaseUrl: string;
  campaigns: CampaignsPort;
  customers: CustomersPort;
  /** Rows of a context's schema. */
  rows<Row>(context: ContextName, sql: string, values?: unknown[]): Promise<Row[]>;
  /** Waits until no owner holds a provisional claim. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const serverKeys = { 'x-app-id': 'shop-server', 'x-app-token': 'server-secret' };

/** `databaseUrl`: of an earlier fixture, to boot again on what it left. */
export const bootRedemption = async (databaseUrl?: string): Promise<RedemptionFixture> => {
  const shape = await bootShape({}, databaseUrl);
  await shape
    .of('auth')
    .get(Bootstrap, { strict: false })
    .run({
      projectId: 'proj_demo',
      appId: 'shop-server',
      appToken: new Secret('server-secret'),
    });

  const call: Call = async (method, path, body, headers = {}) => {
    const response = await fetch(`${shape.url}${path}`, {
      method,
      headers: { ...serverKeys, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const shop = shopOf(call);
  const dataSource = (context: ContextName) =>
    shape.of(context).get<DataSource>(`${context}DataSource`, { strict: false });
  const fixture: RedemptionFixture = {
    ...shop,
    shape,
    databaseUrl: shape.databaseUrl,
    campaigns: shape.of('campaigns').get<CampaignsPort>(servedPortToken(campaignsPort), { strict: false }),
    customers: shape.of('customers').get<CustomersPort>(servedPortToken(customersPort), { strict: false }),
    rows: (context, sql, values = []) => dataSource(context).query(sql, values),
    settled: async () => {
      await waitUntil(
        async () => {
          const [held] = await fixture.rows<{ count: number }>(
            'campaigns',
            `SELECT count(*)::int AS count FROM claims WHERE state = 'PROVISIONAL'`,
          );
          return held?.count === 0;
        },
        { what: 'the claims to be settled' },
      );
    },
    close: () => shape.close(),
  };
  return fixture;
};
