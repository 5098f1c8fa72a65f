import { isRefused } from '@scrip/kernel';
import { bootCampaigns, type CampaignsFixture, caller, coupons, project } from '../campaigns.fixture';
import { Categories } from './categories.table';
import { categoriesMax } from './category';

const together = 50;
const times = <Answer>(run: (place: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: together }, (_, place) => run(place)));

describe('categories of callers who write at the same moment', () => {
  let fixture: CampaignsFixture;

  beforeAll(async () => {
    fixture = await bootCampaigns();
  });
  afterAll(() => fixture?.running.close());

  const ask = (method: string, path = '', body?: unknown) =>
    fixture.call(method, `/v1/categories${path}`, body);
  const statuses = (answers: readonly { status: number }[]): number[] =>
    answers.map(({ status }) => status).sort();

  it('have one name once', async () => {
    const created = await times(() => ask('POST', '', { name: 'One', hierarchy: 1 }));
    expect(statuses(created)).toEqual([200, ...Array<number>(together - 1).fill(409)]);
    const { id } = created.find(({ status }) => status === 200)!.body;
    const named = await times((place) =>
      fixture.call('POST', '/v1/campaigns', coupons(`In one ${place}`, { category: 'One' })),
    );
    expect(new Set(named.map(({ body }) => body.category_id))).toEqual(new Set([id]));
  });

  it('take one name when several are renamed to it', async () => {
    const made = await times((place) => ask('POST', '', { name: `Old ${place}`, hierarchy: 1 }));
    const renamed = await times((place) =>
      ask('PUT', `/${made[place]?.body.id}`, { name: 'New', hierarchy: 1 }),
    );
    expect(statuses(renamed)).toEqual([200, ...Array<number>(together - 1).fill(409)]);
  });

  it('are created once by a call that is repeated', async () => {
    const header = { 'idempotency-key': 'category-1' };
    const body = { name: 'Repeated', hierarchy: 1 };
    const one = await fixture.call('POST', '/v1/categories', body, header);
    expect((await fixture.call('POST', '/v1/categories', body, header)).body).toEqual(one.body);
  });

  it('are chosen for other contexts by id, by name, or anew', async () => {
    const { body } = await ask('POST', '', { name: 'Chosen', hierarchy: 4 });
    const choose = (request: object) =>
      fixture.port.chooseCategory(caller(), { new_id: 'cat_new', ...request });
    expect(await choose({ category_id: body.id })).toMatchObject({ category: body });
    expect(await choose({ category: 'Chosen' })).toMatchObject({ category: body });
    const made = { category: { id: 'cat_new', name: 'Unheard of', hierarchy: 1 } };
    expect(await choose({ category: 'Unheard of' })).toMatchObject(made);
    expect(await choose({})).toEqual({ category: null });
    expect(await choose({ category_id: 'cat_none' })).toMatchObject({ refused: 'not_found' });
    expect(await fixture.port.loadCategories(caller(), { ids: [body.id, 'cat_none'] })).toEqual({
      categories: [body],
    });
  });

  it('are at most a thousand', async () => {
    const categories = fixture.get(Categories);
    await fixture.database.query(
      `INSERT INTO categories (project_id, id, name, hierarchy, created_at)
       SELECT $1, 'cat_' || n, 'Filling ' || n, 1, now() FROM generate_series(1, $2::int) AS n`,
      [project.id, categoriesMax - (await categories.all(project.id)).length - 1],
    );
    const created = await times((place) => ask('POST', '', { name: `Last ${place}`, hierarchy: 1 }));
    expect(statuses(created)).toEqual([200, ...Array<number>(together - 1).fill(400)]);
    expect(created.find(({ status }) => status === 400)?.body).toMatchObject({
      key: 'invalid_payload',
      details: 'A project can have at most 1000 categories',
    });
    expect(
      isRefused(await categories.chooseUnder(project.id, { category: 'X' }, () => 'cat_x', new Date())),
    ).toBe(true);
    expect((await ask('GET')).body.total).toBe(categoriesMax);
  });
});
