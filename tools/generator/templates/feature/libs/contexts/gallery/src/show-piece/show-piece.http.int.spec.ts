import { bootGallery, type GalleryFixture } from '../gallery.fixture';

describe('show pieces', () => {
  let fixture: GalleryFixture;

  beforeAll(async () => {
    fixture = await bootGallery();
  });
  afterAll(() => fixture.running.close());

  it('are created, renamed, shown and listed, newest first', async () => {
    const { call } = fixture;
    const { body: first } = await call('POST', '/v1/show-pieces', { name: 'Spring' });
    expect(first).toEqual({
      id: expect.stringMatching(/^sho_[0-9a-f]{32}$/),
      object: 'show_piece',
      name: 'Spring',
      created_at: expect.any(String),
      updated_at: null,
    });
    const { body: second } = await call('POST', '/v1/show-pieces', { name: 'Summer' });
    const { body: renamed } = await call('PUT', `/v1/show-pieces/${first.id}`, { name: 'Autumn' });
    expect(renamed).toEqual({ ...first, name: 'Autumn', updated_at: expect.any(String) });
    expect((await call('GET', `/v1/show-pieces/${first.id}`)).body).toEqual(renamed);
    expect((await call('GET', '/v1/show-pieces')).body).toEqual({
      object: 'list',
      data_ref: 'show_pieces',
      show_pieces: [second, renamed],
      total: 2,
    });
    const found = await call('GET', '/v1/show-pieces?filters[name][conditions][$is]=Summer');
    expect(found.body).toMatchObject({ show_pieces: [second], total: 1 });
  });

  it('have a name that no other has, also when fifty ask for it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => fixture.call('POST', '/v1/show-pieces', { name: 'Popular' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: { key: 'duplicate_found', details: 'Duplicated show piece exists with name Popular' },
    });
  });

  it('are refused clearly', async () => {
    expect(await fixture.call('PUT', '/v1/show-pieces/sho_none', { name: 'x' })).toMatchObject({
      status: 404,
      body: { key: 'not_found', resource_id: 'sho_none', resource_type: 'show_piece' },
    });
    expect(await fixture.call('POST', '/v1/show-pieces', {})).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: "Payload must have required property 'name'" },
    });
  });

  it('have states that their events give', async () => {
    expect(await fixture.running.eventStores.get('gallery')?.verifyState()).toEqual([]);
  });
});
