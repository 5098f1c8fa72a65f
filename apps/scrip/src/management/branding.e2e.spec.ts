import { type SharedScrip, sharedScrip } from '@scrip/testing';

const projects = '/management/v1/projects';
const shop = {
  brand: { name: 'Shop', website_url: 'https://shop.example.com' },
  address: { street: 'Main Street 1', city: 'Katowice', postal: '40-000', country: 'Poland' },
  contact: { email: 'service@example.com' },
};
const reminder = 'You are receiving this email because you opted in at our website.';

describe('the branding of a project', () => {
  let scrip: SharedScrip;
  let branding: string;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);
  beforeEach(async () => {
    const project = { name: 'Shop', case_sensitive_codes: true, timezone: 'UTC', currency: 'EUR' };
    const { body } = await scrip.callAsManager('POST', projects, project);
    branding = `${projects}/${body.id}/branding`;
  });

  const manage = (method: string, path = '', body?: unknown) =>
    scrip.callAsManager(method, branding + path, body);

  it('is given, changed in part and taken off', async () => {
    expect((await manage('GET')).body).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 });
    const { status, body: made } = await manage('POST', '', shop);
    expect([status, made]).toEqual([
      200,
      {
        id: expect.stringMatching(/^brd_[0-9a-f]{32}$/),
        brand: {
          ...shop.brand,
          privacy_policy_url: null,
          terms_of_use_url: null,
          permission_reminder: reminder,
        },
        address: { ...shop.address, state: '' },
        contact: { ...shop.contact, phone: null },
      },
    ]);
    const changed = await manage('PUT', `/${made.id}`, {
      brand: { permission_reminder: 'Hello', website_url: null },
      contact: { phone: '1' },
    });
    expect(changed.body).toEqual({
      ...made,
      brand: { ...made.brand, permission_reminder: 'Hello', website_url: null },
      contact: { ...shop.contact, phone: '1' },
    });
    const again = await manage('PUT', `/${made.id}`, { brand: { permission_reminder: null } });
    expect(again.body.brand.permission_reminder).toBe(reminder);
    expect((await manage('GET')).body).toMatchObject({ data: [again.body], total: 1 });
    expect((await manage('GET', `/${made.id}`)).body).toEqual(again.body);
    expect((await manage('DELETE', `/${made.id}`)).status).toBe(204);
    for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
      expect(await manage(method, `/${made.id}`, body)).toMatchObject({
        status: 404,
        body: { details: `Cannot find branding with id ${made.id}`, resource_type: 'branding' },
      });
  });

  it('is one, also where fifty calls give it at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => manage('POST', '', shop)));
    const made = answers.find(({ status }) => status === 200)?.body;
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    expect(await manage('POST', '', shop)).toMatchObject({
      status: 409,
      body: {
        key: 'branding_exist',
        message: 'Branding exist',
        details: `The project has a branding already: ${made.id}`,
        resource_id: made.id,
      },
    });
  });

  it('keeps what calls change at once', async () => {
    const { body } = await manage('POST', '', shop);
    await Promise.all([
      manage('PUT', `/${body.id}`, { contact: { phone: '1' } }),
      manage('PUT', `/${body.id}`, { address: { state: 'Silesia' } }),
    ]);
    expect((await manage('GET', `/${body.id}`)).body).toMatchObject({
      contact: { phone: '1' },
      address: { state: 'Silesia' },
    });
  });

  test.each<[string, object, string]>([
    ['no brand', { ...shop, brand: undefined }, "Payload must have required property 'brand'"],
    ['no name', { ...shop, brand: {} }, "Property .brand must have required property 'name'"],
    [
      'no street',
      { ...shop, address: { city: 'A', country: 'B' } },
      "Property .address must have required property 'street'",
    ],
    [
      'a URL that is none',
      { ...shop, brand: { name: 'A', terms_of_use_url: 'shop' } },
      'Property .brand.terms_of_use_url must be an http or https URL',
    ],
    [
      'a URL of another kind',
      { ...shop, brand: { name: 'A', privacy_policy_url: 'ftp://a.example' } },
      'Property .brand.privacy_policy_url must be an http or https URL',
    ],
    [
      'an address that is none',
      { ...shop, contact: { email: 'a' } },
      'Property .contact.email must be a valid email',
    ],
  ])('is refused with %s', async (_, body, details) => {
    expect(await manage('POST', '', body)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });

  it('keeps what is required', async () => {
    const { body } = await manage('POST', '', shop);
    expect(await manage('PUT', `/${body.id}`, { address: { city: null } })).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: 'Property .address.city must be string' },
    });
  });
});
