import { type ScripProject, sharedScrip } from '@scrip/testing';

describe('show pieces of a running Scrip', () => {
  let scrip: ScripProject;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  it('are created and listed', async () => {
    const created = await scrip.call('POST', '/v1/show-pieces', { name: 'Spring' });
    expect(created).toMatchObject({ status: 200, body: { object: 'show_piece', name: 'Spring' } });
    const { body } = await scrip.call('GET', '/v1/show-pieces');
    expect(body).toMatchObject({ total: 1, show_pieces: [created.body] });
  });
});
