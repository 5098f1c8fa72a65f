import { Body, Controller, Post } from '@nestjs/common';
import { server, upload } from '@scrip/contracts/registry';
import { connect } from 'node:net';
import { arrangements, type EdgeApplication, edgeApplication, testKeys } from '../testing/edge-application';
import { Operation } from '../openapi/operation';
import { openForm } from './form-upload';

const body = {
  type: 'object',
  required: ['file'],
  properties: { mapping: { type: 'string' }, dry_run: { type: 'string' }, file: { type: 'string' } },
} as const;

@Controller('v1/files')
class Files {
  @Post()
  @Operation({ id: 'takeFile', summary: 'Takes a file', body, answers: { 200: null } })
  async take(@Body() form: unknown): Promise<object> {
    const { fields, file } = await openForm(form);
    if (fields['dry_run'] === 'at once') return { bytes: 0 };
    let [bytes, text] = [0, ''];
    for await (const part of file) {
      bytes += part.length;
      text = (text + part.toString()).slice(0, 20);
      if (text.startsWith('leave')) break;
    }
    return { fields: { ...fields }, bytes, text };
  }

  @Post('json')
  json(): object {
    return {};
  }
}

const routes = [
  upload('POST /v1/files', 'customers', { bodyLimitBytes: 1_000_000, deadlineMs: null }),
  server('POST /v1/files/json', 'customers'),
];

const part = (name: string, text: string, more = ''): string =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
const file = (text: string, name = 'file'): string => part(name, text, '; filename="a.csv"');
const formOf = (...parts: string[]): string => `${parts.join('')}--edge--\r\n`;

describe.each(arrangements)('forms with a file: %s', (arrangement) => {
  let edge: EdgeApplication;
  let port: number;

  beforeAll(async () => {
    edge = await edgeApplication(
      { controllers: [Files] },
      { routes, bodyBudget: { total: 600_000, perHolder: 600_000, addresses: { total: 1, perHolder: 1 } } },
      arrangement,
    );
    await edge.app.listen({ host: '127.0.0.1', port: 0 });
    port = (edge.app.getHttpServer().address() as { port: number }).port;
  });
  afterAll(() => edge.app.close());

  const send = async (
    sent: string | ReadableStream | undefined,
    headers: Record<string, string> = {},
    path = '/v1/files',
  ) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { ...testKeys.server, 'Content-Type': 'multipart/form-data; boundary=edge', ...headers },
      ...(sent === undefined ? {} : { body: sent }),
      ...(sent instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit);
    return {
      status: answer.status,
      body: (await answer.json()) as Record<string, unknown>,
      headers: answer.headers,
    };
  };

  it('are read field by field, then their file', async () => {
    expect(
      await send(formOf(part('mapping', '{"a":"b"}'), part('dry_run', 'true'), file('x,y\r\n1,2'))),
    ).toMatchObject({
      status: 200,
      body: { fields: { mapping: '{"a":"b"}', dry_run: 'true' }, bytes: 8, text: 'x,y\r\n1,2' },
    });
  });

  it('may leave out the name of the file', async () => {
    expect(await send(formOf(part('file', 'x,y')))).toMatchObject({ status: 200, body: { bytes: 3 } });
  });

  it('are read while they arrive: a file may be larger than what all bodies may hold', async () => {
    expect(await send(formOf(file('x'.repeat(900_000))))).toMatchObject({
      status: 200,
      body: { bytes: 900_000 },
    });
  });

  it.each(['announced', 'in chunks'])('are not JSON, which counts as it is: %s', async (how) => {
    const json = JSON.stringify('x'.repeat(900_000));
    expect(
      await send(how === 'announced' ? json : new Blob([json]).stream(), {
        'Content-Type': 'application/json',
      }),
    ).toMatchObject({ status: 503, body: { key: 'service_unavailable' } });
  });

  test.each<[string, string | undefined, Record<string, string>, string]>([
    ['no body', undefined, {}, "Payload should have required property 'file'"],
    ['JSON', '{}', { 'Content-Type': 'application/json' }, "Payload should have required property 'file'"],
    ['no parts', formOf(), {}, "Payload should have required property 'file'"],
    ['a file of another name', formOf(file('x', 'csv')), {}, "Payload should have required property 'file'"],
    ['fields only', formOf(part('mapping', '{}')), {}, "Payload should have required property 'file'"],
    ['two files', formOf(file('x'), file('y')), {}, "Payload should have only one property 'file'"],
    [
      'a field twice',
      formOf(part('mapping', '{}'), part('mapping', '{}'), file('x')),
      {},
      "Payload should have only one property 'mapping'",
    ],
    [
      'a field behind the file',
      formOf(file('x'), part('dry_run', 'true')),
      {},
      'Property .dry_run must come before .file',
    ],
    [
      'a field with NUL',
      formOf(part('mapping', '\0'), file('x')),
      {},
      'Property .mapping cannot contain NUL characters or lone surrogates',
    ],
    [
      'a field too long',
      formOf(part('mapping', 'x'.repeat(65_537)), file('x')),
      {},
      'Property .mapping should NOT be longer than 65536 bytes',
    ],
    [
      'too many parts',
      formOf(...Array.from({ length: 21 }, (_, n) => part(`f${n}`, ''))),
      {},
      'Payload has more than 20 parts',
    ],
    [
      'an encoded file',
      formOf(part('file', 'eCx5', '; filename="a"\r\nContent-Transfer-Encoding: base64')),
      {},
      'Property .file cannot have the Content-Transfer-Encoding base64',
    ],
    [
      'another boundary',
      formOf(file('x')).replaceAll('--edge', '--other'),
      {},
      'Payload is no complete multipart/form-data body',
    ],
    ['no last boundary', file('x'), {}, 'Payload is no complete multipart/form-data body'],
    ['a text that is no form', 'x,y\r\n1,2', {}, 'Payload is no complete multipart/form-data body'],
    [
      'no boundary in the header',
      formOf(file('x')),
      { 'Content-Type': 'multipart/form-data' },
      'Header Content-Type must name the boundary of the multipart/form-data body, of at most 70 characters',
    ],
    [
      'a boundary too long',
      formOf(file('x')).replaceAll('--edge', `--${'e'.repeat(71)}`),
      { 'Content-Type': `multipart/form-data; boundary=${'e'.repeat(71)}` },
      'Header Content-Type must name the boundary of the multipart/form-data body, of at most 70 characters',
    ],
  ])('are refused: %s', async (_, sent, headers, details) => {
    expect(await send(sent, headers)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });

  it.each(['text/csv', 'application/x-www-form-urlencoded', 'multipart/mixed; boundary=edge'])(
    'are no %s',
    async (type) => {
      expect(await send('x', { 'Content-Type': type })).toMatchObject({
        status: 415,
        body: { key: 'unsupported_media_type', details: 'The request body must be multipart/form-data' },
      });
    },
  );

  it('are not read by routes of JSON', async () => {
    expect(await send(formOf(file('x')), {}, '/v1/files/json')).toMatchObject({ status: 415 });
  });

  it('have at most the bytes of their route, announced or in chunks', async () => {
    const large = formOf(file('x'.repeat(1_000_000)));
    const refused = {
      status: 413,
      body: {
        key: 'query_too_large',
        message: 'Payload content length greater than maximum allowed: 1000000',
      },
    };
    expect(await send(large)).toMatchObject(refused);
    expect(await send(new Blob([large]).stream())).toMatchObject(refused);
  });

  it('may be left before their end', async () => {
    const large = (text: string) => formOf(file(text + 'x'.repeat(900_000)));
    expect(await send(large('leave'))).toMatchObject({ status: 200 });
    expect(await send(formOf(part('dry_run', 'at once')) + large(''))).toMatchObject({ status: 400 });
    expect(await send(formOf(part('dry_run', 'at once'), file('x'.repeat(900_000))))).toMatchObject({
      status: 200,
      body: { bytes: 0 },
    });
    expect(await send(formOf(file('again')))).toMatchObject({ status: 200 });
  });

  it('say which of their fields were ignored, or refuse them', async () => {
    const sent = formOf(part('mappin', '{}'), file('x'), file('y', 'csv'));
    const answer = await send(sent);
    expect([answer.status, answer.headers.get('x-scrip-ignored')]).toEqual([200, 'mappin, csv']);
    expect(await send(sent, { Prefer: 'handling=strict' })).toMatchObject({
      status: 400,
      body: { details: 'Property .mappin is not known. Did you mean .mapping?' },
    });
  });

  it('that break off end with their connection, and nothing else does', async () => {
    const socket = connect(port, '127.0.0.1');
    const headers = Object.entries({ ...testKeys.server, Host: 'x', 'Content-Length': '9000' });
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    await new Promise<void>((resolve) =>
      socket.write(
        `POST /v1/files HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=edge\r\n${head}\r\n${file('x')}`,
        () => resolve(),
      ),
    );
    socket.destroy();
    expect(await send(formOf(file('x')))).toMatchObject({ status: 200 });
  });
});

describe.each(arrangements)('a form that does not arrive: %s', (arrangement) => {
  it.each([
    ['is', 'multipart/form-data; boundary=edge'],
    ['and JSON in its place are', 'application/json'],
  ])('%s answered 408 at the deadline', async (_, type) => {
    const edge = await edgeApplication({ controllers: [Files] }, { routes, deadlineMs: 300 }, arrangement);
    await edge.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = edge.app.getHttpServer().address() as { port: number };
    const never = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(file('x').slice(0, -4))),
    });
    const answer = await fetch(`http://127.0.0.1:${port}/v1/files`, {
      method: 'POST',
      headers: { ...testKeys.server, 'Content-Type': type },
      body: never,
      duplex: 'half',
    } as RequestInit);
    expect([answer.status, await answer.json()]).toEqual([
      408,
      expect.objectContaining({ key: 'request_timeout' }),
    ]);
    await edge.app.close();
  });
});
