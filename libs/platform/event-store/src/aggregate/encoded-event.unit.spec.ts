import { UnstorableText } from '../database/database-error';
import { encodeEvent } from './encoded-event';

const encoded = (data: object): string =>
  encodeEvent({ type: 'NoteWritten', data }, { id: 'id', version: 1, metadata: '{}', upcasters: undefined })
    .json;

describe('encodeEvent', () => {
  test.each([
    ['NUL', { text: 'a\0b' }],
    ['NUL in a key', { 'a\0': 1 }],
    ['a high surrogate alone', { list: ['\ud83d'] }],
    ['a low surrogate alone', { text: 'a\udfffb' }],
    ['NUL behind a backslash', { text: '\\\0' }],
  ])('refuses %s', (_, data) => {
    expect(() => encoded(data)).toThrow(UnstorableText);
  });

  test.each([
    ['text that looks like an escape', { text: '\\u0000 \\ud83d' }],
    ['text that looks like an escape behind a backslash', { text: '\\\\u0000' }],
    ['a surrogate pair', { text: '😀' }],
    ['other control characters', { text: '\u0001\u001f' }],
  ])('takes %s as it is', (_, data) => {
    expect(JSON.parse(encoded(data))).toMatchObject({ d: data });
  });
});
