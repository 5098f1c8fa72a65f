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
    ['one behind a tab', '\t=1', `"'\t=1"`],
    ['one behind a blank', ' =1', "' =1"],
    ['one behind a line feed', '\n+1', `"'\n+1"`],
    ['one behind a blank that does not break', '\u00A0-1', "'\u00A0-1"],
    ['one behind a byte order mark', '\uFEFF@x', "'\uFEFF@x"],
    ['one behind several signs that are not seen', ' \u200B\t ＝1', `"' \u200B\t ＝1"`],
    ['a text behind blanks', '  a=1', '  a=1'],
    ['what some programs take for the end of a cell', 'a;=1', '"a;=1"'],
    ['a tab in a text', 'a\t=1', '"a\t=1"'],
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
