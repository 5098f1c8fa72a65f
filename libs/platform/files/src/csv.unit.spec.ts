import { text } from 'node:stream/consumers';
import { type CsvCell, csvOf } from './csv';

const fileOf = (...lines: CsvCell[][]): Promise<string> =>
  text(
    csvOf(
      (async function* () {
        yield lines;
      })(),
    ),
  );

describe('cells of files (reference 07 §12)', () => {
  test.each<[what: string, cell: CsvCell, written: string]>([
    ['a formula', '=1+1', "'=1+1"],
    ['one that begins with a plus', '+1', "'+1"],
    ['one that begins with a minus', '-1', "'-1"],
    ['one that begins with an at sign', '@SUM(A1)', "'@SUM(A1)"],
    ['one behind a tab', '\t=1', "'\t=1"],
    ['one behind a carriage return', '\r=1', `"'\r=1"`],
    ['one in wide characters', '＝1', "'＝1"],
    ['one with a comma', '=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['a number below zero', -5, '-5'],
    ['a text with an equals sign in it', 'a=1', 'a=1'],
    ['quotes and line ends', 'says "x",\r\ny', '"says ""x"",\r\ny"'],
    ['a line feed alone', 'a\nb', '"a\nb"'],
    ['a carriage return alone', 'a\rb', '"a\rb"'],
    ['nothing', null, ''],
  ])('%s', async (_, cell, written) => {
    expect(await fileOf(['before', cell])).toBe(`before,${written}\r\n`);
  });
});
