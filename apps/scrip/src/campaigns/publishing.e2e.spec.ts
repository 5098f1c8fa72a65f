import { type SharedScrip, sharedScrip, waitUntil, webhookSink } from '@scrip/testing';

describe('what follows from a publication', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  it('is told by webhooks, once for it and once for each code, and stands in the activity of the customer', async () => {
    const sink = await webhookSink();
    try {
      const hooks = `/management/v1/projects/${scrip.credentials.project_id}/webhooks`;
      await scrip.manage('POST', hooks, {
        target_url: sink.url,
        events: ['publication.succeeded', 'voucher.published'],
      });
      const campaign = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
        name: 'told',
        campaign_type: 'DISCOUNT_COUPONS',
        type: 'AUTO_UPDATE',
        voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
      });
      const customer = { source_id: 'told', name: 'Tom' };
      const body = { campaign: { name: 'told', count: 2 }, customer, metadata: { desk: 4 } };
      const publication = await scrip.ask<any>('POST', '/v1/publications', body);
      const told: any[] = (await sink.waitFor(3, { what: 'three deliveries' })).map((one) => one.json());
      const [succeeded] = told.filter(({ event }) => event.type === 'publication.succeeded');
      expect(succeeded).toMatchObject({
        event: { entity_id: publication.id, id: expect.stringMatching(/^evpub_/) },
        data: {
          customer: { id: publication.customer_id, name: 'Tom' },
          campaign: { id: campaign.id },
          publication: {
            id: publication.id,
            tracking_id: 'told',
            metadata: { desk: 4 },
            customer: { name: 'Tom' },
          },
          vouchers: publication.vouchers.map((code: string) => ({
            code,
            holder_id: publication.customer_id,
          })),
          user: null,
        },
      });
      const published = told.filter(({ event }) => event.type === 'voucher.published');
      expect(published.map(({ event }) => event.entity_id).sort()).toEqual(
        [...publication.vouchers_id].sort(),
      );
      expect(new Set(published.map(({ event }) => event.id)).size).toBe(2);
      const activities = async (): Promise<any[]> =>
        (await scrip.ask<any>('GET', '/v1/customers/told/activity?type=customer.publication.succeeded')).data;
      await waitUntil(async () => (await activities()).length > 0, { what: 'the activity' });
      expect(await activities()).toMatchObject([
        {
          type: 'customer.publication.succeeded',
          data: { data: { campaign: { id: campaign.id }, publication: { id: publication.id } } },
        },
      ]);
    } finally {
      await sink.close();
    }
  });

  it('is exported, and found by what it was published for', async () => {
    const discount = { type: 'PERCENT', percent_off: 10 };
    const campaign = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
      name: 'exported',
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: { type: 'DISCOUNT_VOUCHER', discount, redemption: { quantity: 1 } },
    });
    for (const code of ['FOR-ADA', 'FOR-NONE'])
      await scrip.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
    const publish = (voucher: string) =>
      scrip.call('POST', '/v1/publications', {
        voucher,
        customer: { source_id: 'exported' },
        metadata: { desk: 'A' },
      });
    const { body: published } = await publish('FOR-ADA');
    expect((await publish('FOR-ADA')).status).toBe(400);

    const codes = async (query: string): Promise<string[]> =>
      (await scrip.ask<any>('GET', `/v1/vouchers?campaign_id=${campaign.id}&${query}`)).vouchers.map(
        ({ code }: { code: string }) => code,
      );
    const holder = published.customer_id as string;
    expect(await codes('customer=exported')).toEqual(['FOR-ADA']);
    expect(await codes(`customer=${holder}`)).toEqual(['FOR-ADA']);
    expect(await codes('customer=nobody')).toEqual([]);
    expect(await codes(`filters[published_for_customer_id][conditions][$is]=${holder}`)).toEqual(['FOR-ADA']);
    await scrip.ask('POST', '/v1/redemptions', { redeemables: [{ object: 'voucher', id: 'FOR-ADA' }] });
    await waitUntil(
      async () => (await codes('filters[redemption_status][conditions][$redeemed]=true')).length > 0,
      {
        what: 'the use',
      },
    );
    expect(await codes('filters[redemption_status][conditions][$redeemed]=true')).toEqual(['FOR-ADA']);
    expect(await codes('filters[redemption_status][$redeemable]=true')).toEqual(['FOR-NONE']);

    const linesOf = async (exported_object: string, parameters: object): Promise<string[]> => {
      const { id } = await scrip.ask<any>('POST', '/v1/exports', { exported_object, parameters });
      const done = await waitUntil(
        async () => {
          const shown = await scrip.ask<any>('GET', `/v1/exports/${id}`);
          return shown.status === 'DONE' && shown;
        },
        { what: 'the file' },
      );
      return (await (await fetch(done.result.url)).text()).trim().split('\r\n');
    };
    expect(
      await linesOf('publication', {
        fields: [
          'code',
          'customer_id',
          'customer_source_id',
          'channel',
          'result',
          'failure_code',
          'voucher_code',
          'is_winner',
          'metadata.desk',
        ],
        order: 'created_at',
        filters: { campaign: { conditions: { $is: ['exported'] } } },
      }),
    ).toEqual([
      'Code,Customer ID,Customer Source ID,Channel,Result,Failure Code,Voucher Code,Is Winner,desk',
      `FOR-ADA,${holder},exported,API,SUCCESS,,FOR-ADA,,A`,
      `FOR-ADA,${holder},exported,API,FAILURE,voucher_already_published,FOR-ADA,,A`,
    ]);
    expect(
      await linesOf('voucher', {
        fields: ['code'],
        campaign_id: campaign.id,
        filters: { redemption_status: { conditions: { $redeemed: [true] } } },
      }),
    ).toEqual(['Code', 'FOR-ADA']);
  });
});
