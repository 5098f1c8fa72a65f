import { bootCustomers, type CustomersOverHttp } from '../customers-http.fixture';

describe('consents', () => {
  let fixture: CustomersOverHttp;

  beforeAll(async () => {
    fixture = await bootCustomers('consents');
  });
  afterAll(() => fixture?.running.close());

  const give = (named: string, body: unknown, project?: string) =>
    fixture.call('PUT', `/v1/customers/${named}/consents`, body, project);
  const sealed = async (id: string): Promise<string | undefined> =>
    (await fixture.database.query('SELECT consents FROM customer_keys WHERE customer_id = $1', [id]))[0]
      ?.consents;

  it('are a list of none', async () => {
    const { status, body } = await fixture.call('GET', '/v1/consents');
    expect({ status, body }).toEqual({
      status: 200,
      body: { object: 'list', data_ref: 'data', data: [], total: 0 },
    });
  });

  it('are stored sealed, by fifty callers at once, under id or source id', async () => {
    const id = await fixture.customer({ source_id: 'ada' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => give(n % 2 ? id : 'ada', { [`consent-${n}`]: true })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    const length = (await sealed(id))!.length;
    expect(await sealed(id)).not.toContain('consent-');
    await give(id, { 'consent-1': false });
    // All fifty are there: one more letter makes the text a little longer.
    expect(Math.abs((await sealed(id))!.length - length)).toBeLessThan(5);
    expect(length).toBeGreaterThan(50 * '"consent-1":true,'.length);
  });

  it('need a customer of the project', async () => {
    const id = await fixture.customer({ source_id: 'leaving' });
    const unknown = { status: 404, body: { key: 'not_found', resource_type: 'customer' } };
    expect(await give(id, { newsletter: true }, 'proj_2')).toMatchObject(unknown);
    await fixture.call('DELETE', `/v1/customers/${id}`);
    expect(await give(id, { newsletter: true })).toMatchObject(unknown);
    expect(await give('none', { newsletter: 'yes' })).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: 'Property .newsletter must be boolean' },
    });
  });

  it('go with the key of the customer', async () => {
    const id = await fixture.customer({});
    await give(id, { newsletter: true });
    expect(await sealed(id)).toEqual(expect.any(String));
    await fixture.call('POST', `/v1/customers/${id}/permanent-deletion`);
    expect(await sealed(id)).toBeUndefined();
  });
});
