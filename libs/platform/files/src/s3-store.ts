import type { ListMultipartUploadsCommandOutput, S3Client } from '@aws-sdk/client-s3';
import type { Secret } from '@scrip/kernel';
import type { Readable } from 'node:stream';
import { checkedName, type FileStore, type StoredFile } from './file-store';

/** Where a bucket is. */
export interface S3Settings {
  bucket: string;
  /** What names begin with in the bucket: empty, or a text that ends with `/`. */
  prefix: string;
  region: string;
  /** URL of a store that is not Amazon's; null: Amazon's of the region. */
  endpoint: string | null;
  /** The bucket is a part of the path, not of the host. */
  pathStyle: boolean;
  /** Null: as usual for programs that call AWS (environment, shared files, roles). */
  accessKey: { id: string; secret: Secret } | null;
}

/** Bytes of a part, and how many of them are under way: 16 MiB of memory for a write, files of up to 80 GB. */
const partSize = 8_388_608;
const partsAtOnce = 2;

const loadSdk = async () => {
  // Its version is pinned: what later ones will need is no warning to who runs this one.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const [client, storage] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  return { ...client, ...storage };
};

interface Loaded {
  sdk: Awaited<ReturnType<typeof loadSdk>>;
  client: S3Client;
}

/** Where the pages of a list of uploads go on. */
interface Marker {
  KeyMarker?: string | undefined;
  UploadIdMarker?: string | undefined;
}

/** Files in a bucket of an S3-compatible store. A file is sent in parts and appears when the store has all of them. The client
 *  takes 10 MB of memory: it is loaded with the first call. */
export class S3Store implements FileStore {
  private loaded: Promise<Loaded> | undefined;

  constructor(private readonly settings: S3Settings) {}

  async write(name: string, content: Readable): Promise<void> {
    const at = this.at(name);
    const { sdk, client } = await this.load();
    const upload = new sdk.Upload({
      client,
      params: { ...at, Body: content, ContentType: 'application/octet-stream' },
      partSize,
      queueSize: partsAtOnce,
      leavePartsOnError: false,
    });
    try {
      await upload.done();
    } catch (error) {
      content.destroy();
      throw content.errored ?? error;
    }
  }

  async read(name: string): Promise<Readable | null> {
    const at = this.at(name);
    const { sdk, client } = await this.load();
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand(at));
      return Body as Readable;
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return null;
      throw error;
    }
  }

  async delete(name: string): Promise<void> {
    const at = this.at(name);
    const { sdk, client } = await this.load();
    await client.send(new sdk.DeleteObjectCommand(at));
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    const { sdk, client } = await this.load();
    let token: string | undefined;
    do {
      const { Contents = [], NextContinuationToken } = await client.send(
        new sdk.ListObjectsV2Command({
          Bucket: this.settings.bucket,
          Prefix: this.settings.prefix + prefix,
          ContinuationToken: token,
        }),
      );
      for (const { Key, LastModified } of Contents)
        if (Key && LastModified)
          yield { name: Key.slice(this.settings.prefix.length), modifiedAt: LastModified };
      token = NextContinuationToken;
    } while (token !== undefined);
  }

  async sweepUnfinished(prefix: string, before: Date): Promise<void> {
    const { sdk, client } = await this.load();
    const { bucket: Bucket } = this.settings;
    let next: Marker | undefined = {};
    while (next) {
      const page: ListMultipartUploadsCommandOutput = await this.uploads(prefix, next);
      for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
        if (Key && UploadId && Initiated && Initiated < before)
          await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      next = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
    }
  }

  private async uploads(prefix: string, from: Marker): Promise<ListMultipartUploadsCommandOutput> {
    const { sdk, client } = await this.load();
    const { bucket, prefix: own } = this.settings;
    return client.send(
      new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: own + prefix, ...from }),
    );
  }

  private load(): Promise<Loaded> {
    return (this.loaded ??= loadSdk().then((sdk) => ({ sdk, client: this.clientOf(sdk) })));
  }

  private clientOf(sdk: Loaded['sdk']): S3Client {
    const { region, endpoint, pathStyle, accessKey } = this.settings;
    return new sdk.S3Client({
      region,
      forcePathStyle: pathStyle,
      ...(endpoint === null ? {} : { endpoint }),
      ...(accessKey && {
        credentials: { accessKeyId: accessKey.id, secretAccessKey: accessKey.secret.reveal() },
      }),
      // Stores of others do not know the newer checksums; files carry their own.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
    });
  }

  private at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.settings.bucket, Key: this.settings.prefix + checkedName(name) };
  }
}
