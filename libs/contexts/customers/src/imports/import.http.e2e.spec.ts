import { sharedScrip, type SharedScrip, taskEnds, waitUntil } from '@scrip/testing';

describe('files of customers over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const customer = (name: string) => scrip.ask<any>('GET', `/v1/customers/${encodeURIComponent(name)}`);
  const ended = (id: string) => taskEnds(scrip, id);
  const upload = (lines: readonly string[], fields: Record<string, string> = {}, headers: object = {}) =>
    scrip.upload(
      '/v1/customers/importCSV',
      `${lines.join('\r\n')}\r\n`,
      fields,
      headers as Record<string, string>,
    );
  const imported = async (lines: readonly string[], fields: Record<string, string> = {}): Promise<any> => {
    const answer = await upload(lines, fields);
    expect([answer.status, answer.body]).toEqual([202, { async_action_id: expect.stringMatching(/^aa_u/) }]);
    return ended((answer.body as { async_action_id: string }).async_action_id);
  };

  it('create customers, and overwrite those that are there completely', async () => {
    const known = await scrip.ask<any>('POST', '/v1/customers', {
      source_id: 'file-1',
      name: 'Augusta',
      phone: '+44 1',
      address: { city: 'Paris', country: 'FR' },
      metadata: { old: true },
    });
    const task = await imported([
      '\uFEFFSource_id,NAME,email,Birthdate,Description,City,Address_line_1,newsletter',
      'file-1,"Lovelace, Ada",ada@example.com,1815-12-10,"says ""hello""",London,,true',
      '',
      'file-2,Grace Hopper,,,,,,',
    ]);
    expect(task).toMatchObject({
      type: 'CUSTOMERS.IMPORT_CSV',
      status: 'DONE',
      operation_status: 'SUCCESS',
      progress: 100,
      result: {
        message: '2 customer(s) imported successfully, 0 failed.',
        done_count: 2,
        failed_count: 0,
        failed: [],
      },
    });
    const { summary: _s, loyalty: _l, referrals: _r, assets: _a, ...ada } = await customer('file-1');
    expect(ada).toMatchObject({
      id: known.id,
      name: 'Lovelace, Ada',
      email: 'ada@example.com',
      birthdate: '1815-12-10',
      description: 'says "hello"',
      address: { city: 'London' },
      metadata: { newsletter: 'true' },
    });
    expect(ada.phone).toBeUndefined();
    expect(await customer('file-2')).toMatchObject({ name: 'Grace Hopper', address: null, metadata: {} });
  });

  it('tell which rows failed, and why, by their number in a spreadsheet less one', async () => {
    const task = await imported([
      'Id,Source_id,Name,Birthdate',
      ',rows-1,Ada,1815-12-10',
      '',
      ',rows-2,Grace,yesterday',
      ',rows-3,Hedy',
      'cust_unknown,,Alan,',
      `,rows-5,${'x'.repeat(4_097)},`,
      ',rows-6,\0,',
    ]);
    expect(task).toMatchObject({
      status: 'DONE',
      operation_status: 'SUCCESS',
      result: { message: '1 customer(s) imported successfully, 5 failed.', done_count: 1, failed_count: 5 },
    });
    expect(task.result.failed).toEqual([
      { source_id: 'rows-2', row: 3, reason: expect.stringMatching(/^Property \.birthdate /) },
      { source_id: 'rows-3', row: 4, reason: 'The row has another number of cells (3) than the header (4)' },
      { row: 5, reason: 'Cannot find customer with id cust_unknown' },
      { source_id: 'rows-5', row: 6, reason: 'Property .name should NOT be longer than 4096 characters' },
      { source_id: 'rows-6', row: 7, reason: 'The cell of column 3 cannot contain NUL characters' },
    ]);
  });

  it('report on every row, of which the result names the first 100 that failed', async () => {
    const rows = Array.from({ length: 150 }, (_, n) => `,told-${n},x`);
    const task = await imported(['Id,Source_id,Birthdate', ',told-known,', ...rows, ',told-new,']);
    expect(task.result).toMatchObject({
      done_count: 2,
      failed_count: 150,
      reports_available_till: expect.any(String),
    });
    expect(task.result.failed).toHaveLength(100);
    const report = async () => (await fetch(task.result.reports[0])).text();
    const lines = (await report()).split('\r\n');
    expect(lines.slice(0, 3)).toEqual([
      'source_id,row,found,updated,error',
      'told-known,1,false,true,',
      expect.stringMatching(/^told-0,2,false,false,"?Invalid payload: Property \.birthdate /),
    ]);
    expect(lines[151]).toMatch(/^told-149,151,false,false,/);
    expect(lines.slice(152)).toEqual(['told-new,152,false,true,', '']);
    const { id } = await customer('told-known');
    await scrip.ask('POST', `/v1/customers/${id}/permanent-deletion`, {});
    await waitUntil(async () => !(await report()).includes('told-known'), {
      what: 'a report without the erased customer',
    });
    expect(await report()).toContain('\r\n,1,false,true,\r\n');
  });

  it('overwrite in the order of their rows, however far apart they stand', async () => {
    const rows = Array.from({ length: 2_000 }, (_, row) => [
      `far-${row},Filler`,
      ...(row % 400 === 0 ? [`far-same,Name ${row}`] : []),
    ]).flat();
    const task = await imported(['Source_id,Name', ...rows]);
    expect(task.result).toMatchObject({ done_count: 2_005, failed_count: 0 });
    expect(await customer('far-same')).toMatchObject({ name: 'Name 1600' });
    const { id } = await customer('far-0');
    const byId = Array.from({ length: 1_000 }, (_, row) => `,filler-${row},Filler`);
    await imported(['Id,Source_id,Name', ',far-0,First', ...byId, `${id},,Second`]);
    expect(await customer('far-0')).toMatchObject({ name: 'Second' });
  });

  it('fail where no row succeeds', async () => {
    expect(await imported(['Source_id,Birthdate', 'none,x'])).toMatchObject({
      status: 'FAILED',
      operation_status: 'FAILED',
      result: { message: '0 customer(s) imported successfully, 1 failed.' },
    });
  });

  it('follow the schema of metadata: cells have its types, and rows that break it fail', async () => {
    const project = await sharedScrip();
    await project.ask('POST', '/v1/metadata-schemas', {
      related_object: 'customer',
      properties: {
        age: { type: 'number', optional: true, gte: 18 },
        likes: { type: 'string', array: true, optional: true },
        vip: { type: 'boolean', optional: false },
      },
    });
    const answer = await project.upload(
      '/v1/customers/importCSV',
      'Source_id,age,likes,vip,other\ntyped-1,36,"tea,chess",true,1\ntyped-2,12,,false,\ntyped-3,old,,true,\ntyped-4,,,,\n',
    );
    const id = (answer.body as any).async_action_id;
    let task: any;
    await waitUntil(
      async () => (task = (await project.call('GET', `/v1/async-actions/${id}`)).body).status === 'DONE',
      { what: 'the end of the import', timeoutMs: 60_000 },
    );
    expect((await project.ask<any>('GET', '/v1/customers/typed-1')).metadata).toEqual({
      age: 36,
      likes: ['tea', 'chess'],
      vip: true,
      other: '1',
    });
    expect(task.result.failed).toEqual([
      {
        source_id: 'typed-2',
        row: 2,
        reason: "age: must be a number, must be greater than or equal to 18 (actual value is '12')",
      },
      {
        source_id: 'typed-3',
        row: 3,
        reason: "age: must be a number, must be greater than or equal to 18 (actual value is 'old')",
      },
      {
        source_id: 'typed-4',
        row: 4,
        reason: "vip: must be a boolean, property is required (actual value is 'undefined')",
      },
    ]);
  });

  it('have the columns that the caller says', async () => {
    await imported(['Customer No,Full Name,Remarks,VIP since', 'mapped-1,Ada,secret,2026'], {
      mapping: JSON.stringify({
        'Customer No': 'Source_id',
        'Full Name': 'Name',
        Remarks: null,
        'VIP since': 'vip_since',
      }),
    });
    expect(await customer('mapped-1')).toMatchObject({ name: 'Ada', metadata: { vip_since: '2026' } });
  });

  it('may be tried: the task tells what an import would come to, and nothing is stored', async () => {
    await scrip.ask('POST', '/v1/customers', { source_id: 'dry-1', name: 'Ada' });
    const task = await imported(['Source_id,Name,Birthdate', 'dry-1,Grace,', 'dry-2,Hedy,', 'dry-3,,x'], {
      dry_run: 'true',
    });
    expect(task.result).toMatchObject({
      message: 'Dry run: 2 customer(s) can be imported, 1 cannot.',
      done_count: 2,
      failed_count: 1,
      failed: [{ source_id: 'dry-3', row: 3 }],
    });
    expect(await customer('dry-1')).toMatchObject({ name: 'Ada' });
    expect((await scrip.call('GET', '/v1/customers/dry-2')).status).toBe(404);
  });

  it('are imported once for one Idempotency-Key, whatever boundary their form has', async () => {
    const headers = { 'Idempotency-Key': 'one file' };
    const first = await upload(['Source_id', 'keyed-1'], {}, headers);
    expect(first.status).toBe(202);
    const second = await upload(['Source_id', 'keyed-1'], {}, headers);
    expect([second.body, second.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect(await upload(['Source_id', 'keyed-2'], {}, headers)).toMatchObject({
      status: 422,
      body: { key: 'idempotency_key_reused' },
    });
  });

  test.each<[string, string[], Record<string, string>, string]>([
    ['an empty file', [''], {}, 'Property .file has no header line'],
    ['no rows', ['Source_id', ''], {}, 'Property .file has no rows behind its header line'],
    [
      'an unclosed quote',
      ['Source_id', 'a', '"b'],
      {},
      'Property .file has a quote in row 2 that is never closed',
    ],
    ['a header twice', ['Name,NAME', 'a,b'], {}, 'Property .file has the column NAME twice'],
    ['a wrong flag', ['Name', 'a'], { dry_run: 'yes' }, 'Property .dry_run must be true or false'],
    [
      'a mapping that is none',
      ['Name', 'a'],
      { mapping: '[]' },
      'Property .mapping must be a JSON object of headers and columns',
    ],
  ])('are refused at once: %s', async (_, lines, fields, details) => {
    expect(await upload(lines, fields)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });
});
