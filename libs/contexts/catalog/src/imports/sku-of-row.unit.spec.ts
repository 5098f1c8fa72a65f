import { type EdgeFailure } from '@scrip/edge';
import { attributesOf } from './attributes-of-cell';
import { skuOfRow } from './sku-of-row';

const refusal = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as EdgeFailure).failure.details;
  }
};

describe('the cell of attributes (reference 07 §11)', () => {
  test.each<[string, object]>([
    [`{'color':'blue'}`, { color: 'blue' }],
    [`{"color":"blue"}`, { color: 'blue' }],
    [`{'size': 42, 'sold': true, 'cut': null}`, { size: 42, sold: true, cut: null }],
    [`{'note':'it\\'s "new"', "other": "it's"}`, { note: 'it\'s "new"', other: "it's" }],
    ['{}', {}],
  ])('%s', (cell, attributes) => {
    expect(attributesOf(cell)).toEqual(attributes);
  });

  test.each(['blue', '[1]', `{color:'blue'}`, `{'color':'blue'`, 'null'])('%s is no object', (cell) => {
    expect(refusal(() => attributesOf(cell))).toBe(
      "Property .attributes must be an object, such as {'color':'blue'}",
    );
  });
});

describe('a row of a file of SKUs (reference 07 §11)', () => {
  const row = { product_id: 'shirt', source_id: 'shirt-blue' };

  it('is a SKU with what its cells say', () => {
    const fields = { ...row, sku: 'Blue shirt', price: '27.5', attributes: `{'color':'blue'}` };
    expect(skuOfRow({ fields, metadata: { stock: 3 } })).toEqual({
      product: 'shirt',
      source_id: 'shirt-blue',
      fields: { sku: 'Blue shirt', price: 2_750, attributes: { color: 'blue' }, metadata: { stock: 3 } },
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ['no product', { source_id: 'a' }, 'product_id is required'],
    ['no source id', { product_id: 'a' }, 'source_id is required'],
    [
      'a long product',
      { ...row, product_id: 'x'.repeat(513) },
      'Property .product_id should NOT be longer than 512 characters',
    ],
    [
      'a price that is none',
      { ...row, price: '1.005' },
      'Property .price must be an amount with up to two decimals, such as 14.50',
    ],
    [
      'a long name',
      { ...row, sku: 'x'.repeat(513) },
      'Property .sku should NOT be longer than 512 characters',
    ],
  ])('fails with %s', (_, fields, details) => {
    expect(refusal(() => skuOfRow({ fields, metadata: {} }))).toBe(details);
  });
});
