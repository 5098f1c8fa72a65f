import { bindColumns } from './bind-columns';
import { readMapping } from './column-mapping';
import type { ImportColumns } from './import-columns';
import { amountOfCell } from './money-cell';
import { rowValues } from './row-values';

const columns: ImportColumns = {
  identifier: 'source_id',
  standard: [
    { names: ['Source_id'], field: 'source_id' },
    { names: ['Address_City', 'City'], field: 'city' },
    { names: ['name'], field: 'name', required: true },
  ],
};

const bound = (header: string[], mapping?: object) =>
  bindColumns(header, columns, readMapping(mapping && JSON.stringify(mapping)));

const flawOf = (attempt: () => unknown): string => {
  try {
    return JSON.stringify(attempt());
  } catch (error) {
    return (error as { failure: { details: string } }).failure.details;
  }
};

describe('columns of an import', () => {
  it('are found in either case, with blanks for underscores, by either of their names', () => {
    expect(bound(['NAME', ' source id ', 'city'])).toEqual([
      { field: 'name' },
      { field: 'source_id' },
      { field: 'city' },
    ]);
  });

  it('are metadata otherwise, named as the file names them', () => {
    expect(bound(['name', 'Favourite.Colour', 'x_Y'])).toEqual([
      { field: 'name' },
      { metadata: 'Favourite.Colour' },
      { metadata: 'x_Y' },
    ]);
  });

  it('are what the caller says they are', () => {
    expect(
      bound(['Full name', 'Town', 'Remarks', 'VIP since'], {
        'Full name': 'Name',
        Town: 'CITY',
        Remarks: null,
        'VIP since': 'vip_since',
      }),
    ).toEqual([{ field: 'name' }, { field: 'city' }, null, { metadata: 'vip_since' }]);
  });

  test.each<[string[], object | undefined, string]>([
    [['source_id'], undefined, 'Property .file must have the column name'],
    [['name'], { name: null }, 'Property .file must have the column name'],
    [['name', 'Name'], undefined, 'Property .file has the column Name twice'],
    [['name', 'City', 'Address City'], undefined, 'Property .file has the column Address City twice'],
    [['name', 'vip', 'vip'], undefined, 'Property .file has the column vip twice'],
    [['name', 'Full'], { Full: 'name' }, 'Property .file has the column Full twice'],
    [
      ['name', 'my colour'],
      undefined,
      'Property .file has the column my colour: it is no standard column, and names of metadata have no blanks; .mapping can give it another name',
    ],
    [
      ['name', '__proto__'],
      undefined,
      'Property .file has the column __proto__, which cannot be a name of metadata',
    ],
    [['name', ''], undefined, 'Property .file has no name for column 2 in its header line'],
    [['name;city'], undefined, 'Property .file must have its columns separated by commas'],
    [
      ['name', ...Array.from({ length: 500 }, (_, n) => `c${n}`)],
      undefined,
      'Property .file has more than 500 columns',
    ],
    [['name'], { Nmae: 'name' }, 'Property .mapping names no column of the file: Nmae'],
  ])('%j by %j are refused', (header, mapping, details) => {
    expect(flawOf(() => bound(header, mapping))).toBe(details);
  });

  test.each([
    ['x', 'Property .mapping must be a JSON object of headers and columns'],
    ['["a"]', 'Property .mapping must be a JSON object of headers and columns'],
    ['{"a":1}', 'Property .mapping.a must be the name of a column, or null'],
    ['{"a":""}', 'Property .mapping.a must be the name of a column, or null'],
    [
      JSON.stringify(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [n, 'a']))),
      'Property .mapping should NOT have more than 500 properties',
    ],
  ])('a mapping is not %.20s', (text, details) => {
    expect(flawOf(() => readMapping(text))).toBe(details);
  });
});

describe('cells of a row', () => {
  it('are not sent where they are empty, and typed by the schema where they are metadata', () => {
    const schema = { ofCell: (key: string, text: string) => (key === 'age' ? Number(text) : text) };
    const shared = [{ field: 'name' }, { field: 'city' }, null, { metadata: 'age' }, { metadata: 'note' }];
    expect(rowValues(shared, ['Ada', '', 'x', '36', ''], schema)).toEqual({
      fields: { name: 'Ada' },
      metadata: { age: 36 },
    });
    expect(rowValues(shared, ['', '', '', '36', 'true'], undefined).metadata).toEqual({
      age: '36',
      note: 'true',
    });
  });

  test.each([
    ['14.5', 1450],
    ['14', 1400],
    ['0.07', 7],
    ['1.10', 110],
    ['9999999999999.99', 999_999_999_999_999],
    ['4.35', 435],
    [' 2 ', 200],
    ['1.005', null],
    ['-1', null],
    ['1,50', null],
    ['1e3', null],
    ['.5', null],
    ['99999999999999', null],
    ['€5', null],
  ])('%j is the amount %p', (cell, amount) => {
    expect(amountOfCell(cell)).toBe(amount);
  });
});
