import { Bootstrap } from '@scrip/auth';
import type { CampaignsPort, CustomersPort } from '@scrip/contracts';
import { campaignsPort, customersPort } from '@scrip/contracts';
import { Secret, newId } from '@scrip/kernel';
import { servedPortToken } from '@scrip/rpc';
import type { ContextName } from '@scrip/service';
import { waitUntil } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { type RunningShape, bootShape } from '../e2e/running-shape.fixture';

/** What an API call came to. */
export interface Answer<Body = Record<string, unknown>> {
  status: number;
  body: Body;
}

/** A redemption's answer, as far as these suites look at it. */
export interface Redeemed {
  key?: string;
  resource_id?: string;
  redemptions: { id: string; voucher: { redemption: { redeemed_quantity: number } } }[];
}

/** A project in the shape under test, and a look behind its API. */
export interface RedemptionFixture {
  shape: RunningShape;
  databaseUrl: string;
  campaigns: CampaignsPort;
  customers: CustomersPort;
  post<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>;
  get<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>>;
  /** A code of a new campaign that takes 10 off the order; `quantity` null = unlimited. */
  newCode(quantity: number | null): Promise<string>;
  redeem(code: string, more?: object, headers?: Record<string, string>): Promise<Answer<Redeemed>>;
  /** Rows of a context's schema. */
  rows<Row>(context: ContextName, sql: string, values?: unknown[]): Promise<Row[]>;
  redeemedQuantity(code: string): Promise<number>;
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

  const call = async <Body>(
    method: string,
    path: string,
    body?: unknown,
    headers = {},
  ): Promise<Answer<Body>> => {
    const response = await fetch(`${shape.url}${path}`, {
      method,
      headers: { ...serverKeys, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  };
  const dataSource = (context: ContextName) =>
    shape.of(context).get<DataSource>(`${context}DataSource`, { strict: false });
  const fixture: RedemptionFixture = {
    shape,
    databaseUrl: shape.databaseUrl,
    campaigns: shape.of('campaigns').get<CampaignsPort>(servedPortToken(campaignsPort), { strict: false }),
    customers: shape.of('customers').get<CustomersPort>(servedPortToken(customersPort), { strict: false }),
    post: (path, body, headers) => call('POST', path, body, headers),
    get: (path) => call('GET', path),
    newCode: async (quantity) => {
      const code = newId('CODE-').toUpperCase();
      const campaign = await fixture.post('/v1/campaigns', {
        name: `Campaign of ${code}`,
        campaign_type: 'DISCOUNT_COUPONS',
        voucher: {
          type: 'DISCOUNT_VOUCHER',
          discount: { type: 'AMOUNT', amount_off: 10 },
          redemption: { quantity },
        },
      });
      const added = await fixture.post(`/v1/campaigns/${campaign.body.id as string}/vouchers/${code}`, {});
      if (added.status !== 200) throw new Error(JSON.stringify([campaign, added]));
      return code;
    },
    redeem: (code, more = {}, headers) =>
      fixture.post<Redeemed>(
        '/v1/redemptions',
        { redeemables: [{ object: 'voucher', id: code }], ...more },
        headers,
      ),
    rows: (context, sql, values = []) => dataSource(context).query(sql, values),
    redeemedQuantity: async (code) => {
      const { body } = await fixture.get<{ redemption: { redeemed_quantity: number } }>(
        `/v1/vouchers/${code}`,
      );
      return body.redemption.redeemed_quantity;
    },
    settled: async () => {
      await waitUntil(
        async () => {
          const [held] = await fixture.rows<{ count: number }>(
            'campaigns',
            `SELECT count(*)::int AS count FROM claims WHERE state = 'PROVISIONAL'`,
          );
          return held?.count === 0;
        },
        { timeoutMs: 60_000, what: 'the claims to be settled' },
      );
    },
    close: () => shape.close(),
  };
  return fixture;
};
