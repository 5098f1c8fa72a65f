import type { ProductState } from '../product/product.decider';
import { productSnapshot, skuSnapshot } from '../product/product.fixture';
import type { SkuCommand, SkuFields } from './sku.commands';
import { decideSku, type SkuState, type StoredSku } from './sku.decider';

const [at, later] = ['2026-03-31T10:00:00.000Z', '2026-04-01T10:00:00.000Z'];
const product: ProductState = { status: 'LIVE', product: productSnapshot(), name_shared: false };
const sku = skuSnapshot();
const live: StoredSku = { status: 'LIVE', sku };
const binned: StoredSku = { status: 'BINNED', sku };
const elsewhere: StoredSku = { status: 'LIVE', sku: skuSnapshot({ product_id: 'prod_2' }) };
const { id, source_id, product_id, created_at, updated_at, ...fields } = sku;

const upsert = (sent: SkuFields, options: { override?: boolean; now?: string } = {}): SkuCommand => ({
  type: 'UpsertSku',
  product_id,
  id,
  source_id,
  fields: sent,
  override: false,
  now: later,
  ...options,
});
const update = (sent: SkuFields): SkuCommand => ({
  type: 'UpdateSku',
  product_id,
  id,
  fields: sent,
  now: later,
});
const remove = (permanent: boolean): SkuCommand => ({
  type: 'DeleteSku',
  product_id,
  id,
  permanent,
  now: later,
});
const becomes = (changed: SkuFields) => [
  { type: 'SkuUpdated', data: { sku: { ...sku, ...changed, updated_at: later } } },
];
const decide = (command: SkuCommand, stored?: StoredSku, state: Partial<SkuState> = {}) =>
  decideSku(command, { product, stored, ...state });

describe('an upsert of a SKU (reference 07 §6)', () => {
  it('creates what is unknown', () => {
    expect(decide(upsert(fields, { now: at }))).toEqual([{ type: 'SkuCreated', data: { sku } }]);
  });

  it('changes what exists, and nothing where all is the same', () => {
    expect(decide(upsert({ price: 1 }), live)).toEqual(becomes({ price: 1 }));
    expect(decide(upsert(fields), live)).toEqual([]);
  });

  it('with override replaces metadata', () => {
    expect(decide(upsert({ metadata: { a: 1 } }, { override: true }), live)).toEqual(
      becomes({ metadata: { a: 1 } }),
    );
  });

  it('refuses a SKU of another product, and names that', () => {
    expect(decide(upsert(fields), elsewhere)).toEqual({
      refused: 'resource_in_use',
      details: 'Resource sku with id sku_1 is in use by products with ids [prod_2]',
      resourceId: 'sku_1',
      resourceType: 'sku',
      related_object_ids: ['prod_2'],
      related_object_type: 'product',
    });
  });

  it('refuses the id of a SKU in the bin', () => {
    expect(decide(upsert(fields), binned)).toMatchObject({
      refused: 'duplicate_found',
      details: expect.stringMatching(
        /^Duplicated sku exists with id sku_1\. It lies in the trash bin: GET /,
      ) as string,
    });
  });
});

describe('a change of a SKU', () => {
  it.each<[string, SkuFields, SkuFields]>([
    ['replaces a field', { sku: 'Navy' }, { sku: 'Navy' }],
    ['stores null', { price: null }, { price: null }],
    ['replaces attributes whole', { attributes: { size: 'M' } }, { attributes: { size: 'M' } }],
    ['merges metadata', { metadata: { a: 1 } }, { metadata: { stock: 3, a: 1 } }],
  ])('%s', (_, sent, changed) => {
    expect(decide(update(sent), live)).toEqual(becomes(changed));
  });

  it.each([upsert, update])('refuses attributes that the product does not declare', (command) => {
    expect(decide(command({ attributes: { color: 'blue', weight: 5 } }), live)).toEqual({
      refused: 'invalid_sku',
      details: 'Attribute weight is not declared in the attributes of product prod_1',
    });
  });

  it('refuses metadata that grew too large', () => {
    expect(decide(update({ metadata: { text: 'x'.repeat(65_536) } }), live)).toMatchObject({
      refused: 'invalid_payload',
      details: 'Property .metadata should NOT be larger than 65536 bytes',
    });
  });

  it.each([undefined, binned, elsewhere])('needs a live SKU of the product', (stored) => {
    for (const command of [update({}), remove(false)])
      expect(decide(command, stored)).toMatchObject({
        refused: 'not_found',
        details: 'Cannot find sku with id sku_1',
        resourceType: 'sku',
      });
  });

  it('needs a live product, which is named before the SKU and its attributes', () => {
    for (const command of [upsert({ attributes: { weight: 5 } }), update({}), remove(true)])
      expect(decide(command, undefined, { product: undefined })).toMatchObject({
        refused: 'not_found',
        details: 'Cannot find product with id prod_1',
        resourceType: 'product',
      });
  });
});

it.each([true, false])('a deletion tells what was deleted, and how: permanent %s', (permanent) => {
  expect(decide(remove(permanent), live)).toEqual([
    { type: 'SkuDeleted', data: { sku, permanent, deleted_at: later } },
  ]);
});

describe('a purge of a SKU', () => {
  const purge: SkuCommand = { type: 'PurgeSku', product_id, id, now: later };

  it.each<[string, ProductState]>([
    ['live', product],
    ['in the bin', { status: 'BINNED', product: productSnapshot(), deleted_at: later }],
  ])('takes it out of the bin where its product is %s', (_, state) => {
    expect(decide(purge, binned, { product: state })).toEqual([
      { type: 'SkuPurged', data: { sku, purged_at: later } },
    ]);
  });

  it.each([undefined, live, { ...elsewhere, status: 'BINNED' } as const])(
    'needs one in the bin',
    (stored) => {
      expect(decide(purge, stored)).toMatchObject({ refused: 'not_found', resourceType: 'sku' });
    },
  );
});
