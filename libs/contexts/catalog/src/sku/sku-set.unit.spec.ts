import { isRefused } from '@scrip/kernel';
import { productSnapshot, skuSnapshot } from '../product/product.fixture';
import { NameMoves } from '../unique-names';
import { SkuSet, type StoredOfSet, type UpsertSkuItem } from './sku-set';

const now = '2026-04-01T10:00:00.000Z';
const shirt = {
  id: 'prod_1',
  state: { status: 'LIVE', product: productSnapshot(), name_shared: false },
} as const;
const hat = {
  id: 'prod_2',
  state: { status: 'LIVE', product: productSnapshot({ id: 'prod_2', source_id: 'hat' }), name_shared: false },
} as const;
const blue = skuSnapshot();

const setOf = (...stored: StoredOfSet[]): SkuSet =>
  new SkuSet({
    stored: new Map(stored.map((one) => [one.sku.source_id!, one])),
    names: stored.map(({ sku }) => sku),
    now,
  });
const live = (sku = blue): StoredOfSet => ({ status: 'LIVE', live: true, sku });
const item = (source_id: string, fields: UpsertSkuItem['fields'] = {}): UpsertSkuItem => ({
  product: 'shirt',
  source_id,
  new_id: `sku_${source_id}`,
  fields,
  fieldsIfStored: fields,
});
const rowsOf = (set: SkuSet) => set.rows('proj_1') as any[];

describe('a set of SKUs (reference 07 §6, §11)', () => {
  it('writes one row for a SKU that it names more than once, as the last one leaves it', () => {
    const set = setOf();
    expect(set.upsert(item('a', { price: 1 }), shirt)).toMatchObject({ found: false, updated: true });
    expect(set.upsert(item('a', { price: 2 }), shirt)).toMatchObject({ found: true, updated: true });
    expect(set.upsert(item('a', { price: 2 }), shirt)).toMatchObject({ found: true, updated: false });
    expect(set.events.get('prod_1')?.map(({ type }) => type)).toEqual(['SkuCreated', 'SkuUpdated']);
    expect(rowsOf(set)).toMatchObject([{ insert: 'skus', values: { id: 'sku_a', snapshot: { price: 2 } } }]);
  });

  it('writes rows in the order of source ids, whatever their products', () => {
    const set = setOf(live());
    set.upsert(item('z'), shirt);
    set.upsert(item('shirt-blue', { price: 1 }), shirt);
    set.upsert(item('a'), hat);
    expect(rowsOf(set).map((row) => row.values?.source_id ?? row.set.source_id)).toEqual([
      'a',
      'shirt-blue',
      'z',
    ]);
    expect([...set.events.keys()]).toEqual(['prod_1', 'prod_2']);
  });

  it('changes of a stored SKU what is meant for stored ones', () => {
    const set = setOf(live());
    const sent = { ...item('shirt-blue', { price: 1, metadata: { a: 1 } }), fieldsIfStored: { price: 1 } };
    expect(set.upsert(sent, shirt)).toMatchObject({ sku: { price: 1, metadata: blue.metadata } });
  });

  it('writes nothing where nothing changes, or all is refused', () => {
    const set = setOf(live());
    set.upsert(item('shirt-blue', { price: blue.price }), shirt);
    set.upsert(item('b', { attributes: { weight: 1 } }), shirt);
    expect([set.events.size, rowsOf(set)]).toEqual([0, []]);
  });

  test.each<[string, StoredOfSet[], UpsertSkuItem, typeof shirt | typeof hat | undefined, string]>([
    ['an unknown product', [], item('a'), undefined, 'Cannot find product with id shirt'],
    [
      'shipping',
      [],
      { ...item('a'), product: 'prod_5h1pp1ng' },
      undefined,
      'Cannot change product with id prod_5h1pp1ng: every project has it',
    ],
    [
      'a SKU in the bin',
      [{ ...live(), status: 'BINNED', live: false }],
      item('shirt-blue'),
      shirt,
      'Duplicated sku exists with source_id shirt-blue. It lies in the trash bin: GET /v1/trash-bin?' +
        'filters[resource_id][conditions][$in][0]=sku_1&filters[resource_id][conditions][$in][1]=prod_1',
    ],
    [
      'a SKU of another product',
      [live()],
      item('shirt-blue'),
      hat,
      'Resource sku with id sku_1 is in use by products with ids [prod_1]',
    ],
    [
      'a name that another SKU has',
      [live()],
      item('a', { sku: 'Blue shirt' }),
      shirt,
      'Duplicated sku exists with sku Blue shirt',
    ],
  ])('refuses %s', (_, stored, sent, product, details) => {
    const answer = setOf(...stored).upsert(sent, product as typeof shirt);
    expect(isRefused(answer) && answer.details).toBe(details);
  });

  it('gives a name of one product in another', () => {
    expect(setOf(live()).upsert(item('a', { sku: 'Blue shirt' }), hat as never)).toMatchObject({
      updated: true,
    });
  });

  it('leaves a name that goes from one SKU of the set to another to single statements', () => {
    const set = setOf(live());
    set.upsert(item('shirt-blue', { sku: 'Navy shirt' }), shirt);
    expect(() => set.upsert(item('a', { sku: 'Blue shirt' }), shirt)).toThrow(NameMoves);
  });
});
