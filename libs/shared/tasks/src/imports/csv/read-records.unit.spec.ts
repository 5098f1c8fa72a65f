import { readRecords } from './read-records';

async function* bytesOf(...parts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part as string);
}

const recordsOf = async (...parts: (string | Buffer)[]): Promise<string[][]> => {
  const records: string[][] = [];
  for await (const record of readRecords(bytesOf(...parts))) records.push(record);
  return records;
};

const flawOf = async (...parts: (string | Buffer)[]): Promise<string> => {
  try {
    return `read: ${JSON.stringify(await recordsOf(...parts))}`;
  } catch (error) {
    return (error as { failure?: { details?: string } }).failure?.details ?? `thrown: ${String(error)}`;
  }
};

describe('records of comma separated values', () => {
  test.each<[string, string, string[][]]>([
    [
      'cells and lines',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'no line end at the end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CR',
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['line ends of several kinds', 'a\r\nb\nc\rd', [['a'], ['b'], ['c'], ['d']]],
    [
      'a byte order mark',
      '\uFEFFa,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a byte order mark before a quote', '\uFEFF"a",b\n', [['a', 'b']]],
    ['quotes', 'a\n"x, ""y""\r\nz"\n', [['a'], ['x, "y"\r\nz']]],
    [
      'an empty quoted cell',
      'a,b\n"",2',
      [
        ['a', 'b'],
        ['', '2'],
      ],
    ],
    ['empty lines', 'a\n\n1\n\n', [['a'], [''], ['1'], ['']]],
    ['rows of any number of cells', 'a,b\n1\n1,2,3', [['a', 'b'], ['1'], ['1', '2', '3']]],
    [
      'blanks, which belong to cells',
      'a, b\n 1 ,"2 "',
      [
        ['a', ' b'],
        [' 1 ', '2 '],
      ],
    ],
    ['nothing', '', []],
  ])('are %s', async (_, text, records) => {
    expect(await recordsOf(text)).toEqual(records);
  });

  it('are the same wherever the bytes of a character are cut', async () => {
    const bytes = Buffer.from('näme,"Zoë\n€"\n💶,x\n');
    const records = [
      ['näme', 'Zoë\n€'],
      ['💶', 'x'],
    ];
    for (let at = 0; at <= bytes.length; at += 1)
      expect(await recordsOf(bytes.subarray(0, at), bytes.subarray(at))).toEqual(records);
  });

  const long = 'x'.repeat(524_300);

  test.each<[name: string, parts: (string | Buffer)[], details: string]>([
    [
      'UTF-16, little end first',
      [Buffer.from('\uFEFFa,b', 'utf16le')],
      'Property .file must be UTF-8, not UTF-16',
    ],
    [
      'UTF-16, big end first',
      [Buffer.from('\uFEFFa,b', 'utf16le').swap16()],
      'Property .file must be UTF-8, not UTF-16',
    ],
    ['Latin 1', [Buffer.from('a\nZo\u00eb', 'latin1')], 'Property .file must be UTF-8'],
    ['half a character at the end', [Buffer.from('a\n€').subarray(0, 4)], 'Property .file must be UTF-8'],
    [
      'a spreadsheet',
      [Buffer.from('PK\u0003\u0004…')],
      'Property .file must be a text of comma separated values, not a spreadsheet or an archive',
    ],
    [
      'a quote that is never closed',
      ['a\n"b\nc\n'],
      'Property .file has a quote in row 1 that is never closed',
    ],
    [
      'text behind a quote',
      ['a\n"b"c\n'],
      'Property .file has a misplaced quote in line 2: a cell with quotes stands in quotes, and each of its own is doubled',
    ],
    [
      'a quote within a cell',
      ['a\nb"c\n'],
      'Property .file has a misplaced quote in line 2: a cell with quotes stands in quotes, and each of its own is doubled',
    ],
    [
      'a cell too long',
      [`a\n${long}x\n`],
      'Property .file has a row of more than 524288 characters, near line 2',
    ],
    [
      'a cell too long, in parts',
      ['a\n', long, 'x\n'],
      'Property .file has a row of more than 524288 characters, near line 2',
    ],
    [
      'a quoted cell too long',
      ['a\n"', `${long}\n`, 'x"'],
      'Property .file has a row of more than 524288 characters, near line 2',
    ],
    [
      'ten million columns',
      Array.from({ length: 160 }, () => ','.repeat(65_536)),
      'Property .file has a row of more than 524288 characters, near line 1',
    ],
  ])('are not %s', async (_, parts, details) => {
    expect(await flawOf(...parts)).toBe(details);
  });

  it('are as many as the file has, in little memory', async () => {
    async function* large(): AsyncGenerator<Buffer> {
      yield Buffer.from('a,b,c\n');
      for (let n = 0; n < 100; n += 1) yield Buffer.from(`${'x'.repeat(100)},y,z\n`.repeat(300));
    }
    let records = 0;
    const before = process.memoryUsage().arrayBuffers;
    for await (const record of readRecords(large())) records += record.length === 3 ? 1 : 0;
    expect(records).toBe(30_001);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
  });
});
