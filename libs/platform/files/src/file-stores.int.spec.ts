import { Secret } from '@scrip/kernel';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { prepareS3, type S3Server, startS3 } from '@scrip/testing';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FileStore } from './file-store';
import { openFileStore } from './open-file-store';

const megabyte = Buffer.alloc(1_048_576, 'a');

async function* megabytes(count: number): AsyncGenerator<Buffer> {
  for (let index = 0; index < count; index += 1) yield megabyte;
}

async function* broken(): AsyncGenerator<Buffer> {
  yield* megabytes(10);
  throw new Error('the source broke');
}

const namesIn = async (store: FileStore, prefix: string): Promise<string[]> => {
  const names: string[] = [];
  for await (const { name } of store.list(prefix)) names.push(name);
  return names.sort();
};

const inAnHour = (): Date => new Date(Date.now() + 3_600_000);

/** What every store does. */
const behavesAsStore = (store: () => FileStore): void => {
  it('keeps a file by its name until it is deleted', async () => {
    await store().write('kept/one.csv', Readable.from([Buffer.from('a,'), Buffer.from('b')]));
    await store().write('kept/two.csv', Readable.from([Buffer.alloc(0)]));
    expect((await buffer((await store().read('kept/one.csv'))!)).toString()).toBe('a,b');
    expect(await namesIn(store(), 'kept/')).toEqual(['kept/one.csv', 'kept/two.csv']);
    await store().delete('kept/one.csv');
    await store().delete('kept/one.csv');
    expect(await store().read('kept/one.csv')).toBeNull();
    expect(await namesIn(store(), 'kept/')).toEqual(['kept/two.csv']);
  });

  it('takes and gives a file of several parts', async () => {
    await store().write('large/file', Readable.from(megabytes(20)));
    let bytes = 0;
    for await (const piece of (await store().read('large/file'))!) bytes += (piece as Buffer).length;
    expect(bytes).toBe(20 * megabyte.length);
  });

  it('shows nothing of a file whose source breaks', async () => {
    await expect(store().write('broken/file', Readable.from(broken()))).rejects.toThrow('the source broke');
    expect(await store().read('broken/file')).toBeNull();
    expect(await namesIn(store(), 'broken/')).toEqual([]);
  });

  it('lists nothing where nothing was written', async () => {
    expect(await namesIn(store(), 'nothing/')).toEqual([]);
    await store().sweepUnfinished('nothing/', inAnHour());
  });

  it.each(['../passwd', '/etc/passwd', 'a', 'a/../b', 'a//b', 'a/B', 'a/b.part/..'])(
    'refuses the name %s',
    async (name) => {
      await expect(store().read(name)).rejects.toThrow('is no name of a file');
    },
  );
};

describe('files in a folder', () => {
  const parent = mkdtempSync(join(tmpdir(), 'scrip-files-'));
  const folder = join(parent, 'files');
  const store = openFileStore({ folder, s3: null });

  afterAll(() => rmSync(parent, { recursive: true }));

  behavesAsStore(() => store);

  it('are swept where a process was killed while it wrote', async () => {
    await store.write('swept/whole', Readable.from(['a']));
    writeFileSync(join(folder, 'swept', 'half.0.part'), 'a');
    expect(await namesIn(store, 'swept/')).toEqual(['swept/whole']);
    await store.sweepUnfinished('swept/', new Date(0));
    expect(readdirSync(join(folder, 'swept'))).toHaveLength(2);
    await store.sweepUnfinished('swept/', inAnHour());
    expect(readdirSync(join(folder, 'swept'))).toEqual(['whole']);
  });
});

const orSkipped = prepareS3() ? describe : describe.skip;

orSkipped('files in a bucket, of a store that pip gets', () => {
  const bucket = 'scrip-tests';
  let server: S3Server;
  let client: S3Client;
  let store: FileStore;

  beforeAll(async () => {
    server = await startS3();
    const { endpoint, accessKeyId, secretAccessKey } = server;
    const accessKey = { id: accessKeyId, secret: new Secret(secretAccessKey) };
    const at = { region: 'us-east-1', endpoint, pathStyle: true, accessKey };
    store = openFileStore({ folder: '/nowhere', s3: { ...at, bucket, prefix: 'of-scrip/' } });
    client = new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  }, 300_000);

  afterAll(() => server.stop());

  behavesAsStore(() => store);

  it('are swept where a process was killed while it sent them', async () => {
    const Key = 'of-scrip/swept/half';
    await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
    const unfinished = async () =>
      (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: 'of-scrip/swept/' })))
        .Uploads ?? [];
    await store.sweepUnfinished('swept/', new Date(0));
    expect(await unfinished()).toHaveLength(1);
    await store.sweepUnfinished('swept/', inAnHour());
    expect(await unfinished()).toEqual([]);
  });

  it('are refused with wrong keys', async () => {
    const accessKey = { id: server.accessKeyId, secret: new Secret('another') };
    const at = { region: 'us-east-1', endpoint: server.endpoint, pathStyle: true, accessKey };
    const stranger = openFileStore({ folder: '/nowhere', s3: { ...at, bucket, prefix: '' } });
    await expect(stranger.write('kept/three', Readable.from(['a']))).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
  });
});
