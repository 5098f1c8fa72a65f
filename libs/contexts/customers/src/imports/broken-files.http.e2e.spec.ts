import { type SharedScrip, sharedScrip } from '@scrip/testing';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';

const routes = ['customers', 'products', 'skus'].map((records) => `/v1/${records}/importCSV`);

const header = 'product_id,source_id,name';
const gigabyte = 2 ** 30;

describe('broken files over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['UTF-16', Buffer.from(`\uFEFF${header}\na,b,c`, 'utf16le'), 'must be UTF-8, not UTF-16'],
    ['Latin 1', Buffer.from(`${header}\na,b,Zo\u00eb`, 'latin1'), 'must be UTF-8'],
    [
      'a spreadsheet',
      Buffer.from('PK\u0003\u0004 [Content_Types].xml'),
      'must be a text of comma separated values, not a spreadsheet or an archive',
    ],
    ['semicolons', header.replaceAll(',', ';'), 'must have its columns separated by commas'],
    ['an open quote', `${header}\na,b,"c\nd,e,f\n`, 'has a quote in row 1 that is never closed'],
    [
      'a misplaced quote',
      `${header}\na,b,c "d" e\n`,
      'has a misplaced quote in line 2: a cell with quotes stands in quotes, and each of its own is doubled',
    ],
    ['501 columns', Array.from({ length: 501 }, (_, n) => `c${n}`).join(), 'has more than 500 columns'],
    ['ten million columns', ','.repeat(9_999_999), 'has a row of more than 524288 characters, near line 1'],
  ])('%s: each route says what is wrong, and imports nothing', async (_, file, flaw) => {
    for (const route of routes)
      expect(await scrip.upload(route, file)).toMatchObject({
        status: 400,
        body: { key: 'invalid_payload', details: `Property .file ${flaw}` },
      });
  });

  const upload = (route: string, headers: Record<string, string | number>): ClientRequest =>
    request(`${scrip.origin}${route}`, {
      method: 'POST',
      headers: {
        ...scrip.serverKeys,
        'Content-Type': 'multipart/form-data; boundary=edge',
        ...headers,
      },
    });
  const begin = `--edge\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${header}\r\n`;
  const refused = {
    status: 413,
    body: {
      key: 'query_too_large',
      message: 'Payload content length greater than maximum allowed: 10485760',
    },
  };

  it('2 GB that are announced are refused before they are sent', async () => {
    for (const route of routes) {
      const call = upload(route, { 'Content-Length': 2 * gigabyte });
      call.on('error', () => undefined); // The server leaves first.
      call.write(begin);
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      expect({ status: answer.statusCode, body: await json(answer) }).toMatchObject(refused);
      call.destroy();
    }
  });

  it('2 GB that come in chunks are refused at the bytes of the limit', async () => {
    const call = upload('/v1/customers/importCSV', {});
    call.on('error', () => undefined);
    const answered = once(call, 'response') as Promise<[IncomingMessage]>;
    let isAnswered = false;
    void answered.then(() => (isAnswered = true));
    const rows = Buffer.from(`a,b,${'c'.repeat(10_000)}\r\n`.repeat(10));
    let sent = call.write(begin) ? 0 : begin.length;
    while (!isAnswered && sent < 2 * gigabyte) {
      sent += rows.length;
      if (!call.write(rows)) await Promise.race([once(call, 'drain'), answered]);
    }
    const [answer] = await answered;
    expect({ status: answer.statusCode, body: await json(answer) }).toMatchObject(refused);
    // What lies in the buffers of two connections counts as sent.
    expect(sent).toBeLessThan(100_000_000);
    call.destroy();
  });
});
