import { Module } from '@nestjs/common';
import { type CustomersPort, customersPort } from '@scrip/contracts/customers';
import { Secret } from '@scrip/kernel';
import { servedPortToken } from '@scrip/rpc';
import { ScripLogger, type ScripConfig, bootScrip, readSettings } from '@scrip/service';
import { createDatabase, waitUntil } from '@scrip/testing';
import { draftOf, requestContext } from './customers.fixture';
import { customersContext } from './index';

// Their logs are there to be read.
@Module({})
class AuthModule {}

@Module({})
class CampaignsModule {}

@Module({})
class QualificationModule {}

test('boots as a context of a process and serves its port', async () => {
  const config: ScripConfig = {
    ...readSettings({ SCRIP_PORT: '0' }),
    masterKey: new Secret(Buffer.alloc(32).toString('base64')),
    databaseUrl: new Secret(await createDatabase('customers_context')),
  };
  const running = await bootScrip({
    contexts: [
      { name: 'auth', module: AuthModule, migrations: [] },
      { name: 'campaigns', module: CampaignsModule, migrations: [] },
      { name: 'qualification', module: QualificationModule, migrations: [] },
      customersContext,
    ],
    config,
    edge: { fastifyOptions: {}, register: () => undefined, migrations: [] },
    logger: new ScripLogger({ level: 'silent' }),
  });
  try {
    const port = running.app.get<CustomersPort>(servedPortToken(customersPort), { strict: false });
    const customer = { source_id: 'shop-1', name: 'Ada' };
    expect(await port.resolve(requestContext(), { customer, store: true, new_id: 'cust_1' })).toMatchObject({
      id: 'cust_1',
    });

    const ids = { redemption_id: 'r_1', claim_id: 'clm_1' };
    const order = draftOf('r_1');
    const asks = { order: { order, base_version: null } };
    await port.claim(requestContext(), {
      redemption_id: ids.redemption_id,
      claims: [{ claim_id: ids.claim_id, object_id: order.id, asks }],
      at_refusal: 'STOP',
    });
    await port.settle(requestContext(), {
      verdicts: [{ ...ids, object_id: order.id, verdict: 'RECORDED' }],
    });
    const typesOf = async (aggregate: string): Promise<string[]> => {
      const events = await running.eventStores
        .get('customers')
        ?.readLog({ aggregates: [aggregate], after: null, limit: 10 });
      return (events ?? []).map(({ type }) => type);
    };
    // Readers wait for the oldest writing transaction of the whole server, of any database.
    await waitUntil(async () => (await typesOf('order')).length === 2, { what: 'the events of the order' });
    expect(await typesOf('order')).toEqual(['OrderCreated', 'OrderPaid']);
    expect(await typesOf('customer')).toEqual(['CustomerCreated']);

    const metrics = await (await fetch(`${running.metricsUrl}/metrics`)).text();
    expect(metrics).toContain('scrip_order_claim_age_seconds 0');
  } finally {
    await running.close();
  }
});
