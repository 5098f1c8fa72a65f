import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { hasForbiddenCharacters } from '@scrip/kernel';
import type { Readable } from 'node:stream';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import { forbiddenText } from '../media/forbidden-text';
import { boundaryLengthMax, boundaryOf, partsMax } from './boundary';
import { type BodyBounds, watchBody } from './watch-body';

/** A field of a form that nothing reads. */
export interface UnknownField {
  name: string;
  known: readonly string[];
}

/** A form, read up to its file. `file`: its bytes; the end of them is the end of the form, and throws `EdgeFailure` (400, 408,
 *  413) where the rest of the form is wrong. A reader that stops before the end discards the rest. */
export interface OpenForm {
  fields: Readonly<Record<string, string>>;
  file: AsyncIterable<Buffer>;
}

/** What a form is read by. */
export interface FormRules extends BodyBounds {
  contentType: string;
  known: readonly string[];
  onUnknown: (field: UnknownField) => void;
}

const fieldBytesMax = 65_536;
const partHeadersMax = 20;
const partHeaderBytesMax = 8_192;

const fileField = 'file';

/** A 400 of the form itself. */
const refused = (details: string): EdgeFailure => new EdgeFailure(failures.invalidPayload(details));

/** The 400 of a form, or of what is none, that has no file. Source: reference 07 §11. */
export const missingFile = (): EdgeFailure => refused(`Payload should have required property '${fileField}'`);

const parserOf = (contentType: string): BusboyInstance => {
  const boundary = boundaryOf(contentType);
  if (boundary === null)
    throw refused(
      `Header Content-Type must name the boundary of the multipart/form-data body, of at most ${boundaryLengthMax} characters`,
    );
  return new Busboy({
    // The boundary that fingerprints leave out, and no other reading of the header.
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    isPartAFile: (name, _type, fileName) => name === fileField || fileName !== undefined,
    limits: {
      parts: partsMax,
      fieldSize: fieldBytesMax,
      headerPairs: partHeadersMax,
      headerSize: partHeaderBytesMax,
    },
  });
};

const discard = (file: Readable): void => {
  file.on('error', () => undefined).resume();
};

/** Reads one form. Source: RFC 7578. */
export class FormReader {
  private readonly fields = Object.create(null) as Record<string, string>;
  private readonly parser: BusboyInstance;
  private readonly watch: { stop: () => void };
  private file: BusboyFileStream | null = null;
  private isOver = false;
  private isEmpty = true;
  private failure: EdgeFailure | null = null;
  /** Called when the file begins, the form has ended, or it has failed. */
  private wake: () => void = () => undefined;

  /** Throws `EdgeFailure` where the type of the body has no boundary, or one that is too long. */
  constructor(
    private readonly source: Readable,
    private readonly rules: FormRules,
  ) {
    this.parser = parserOf(rules.contentType);
    this.watch = watchBody(source, rules, (failure) => this.fail(failure));
  }

  /** Reads the form up to its file. Throws `EdgeFailure`. */
  async open(): Promise<OpenForm> {
    this.parser
      .on('file', (name, file, _fileName, encoding) =>
        this.guarded(() => this.takeFile(name, file, encoding)),
      )
      .on('field', (name, value, _nameCut, isCut) => this.guarded(() => this.takeField(name, value, isCut)))
      .on('partsLimit', () => this.fail(refused(`Payload has more than ${partsMax} parts`)))
      .on('error', () =>
        this.fail(this.isEmpty ? missingFile() : refused('Payload is no complete multipart/form-data body')),
      )
      .on('finish', () => this.finish());
    this.source.once('data', () => (this.isEmpty = false)).pipe(this.parser);
    const file = await this.until(() => this.file);
    return { fields: this.fields, file: this.bytesOf(file) };
  }

  /** Stops reading. What still arrives is discarded, so that the caller can end its request. */
  stop(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.watch.stop();
    this.source.unpipe(this.parser).resume();
    this.wake();
  }

  private async until<T>(has: () => T | null | false): Promise<T> {
    for (;;) {
      if (this.failure) throw this.failure;
      const value = has();
      if (value !== null && value !== false) return value;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  private async *bytesOf(file: BusboyFileStream): AsyncGenerator<Buffer> {
    try {
      for await (const bytes of file) yield bytes as Buffer;
      await this.until(() => this.isOver);
    } catch (error) {
      // The parser tells the stream of a file that breaks off of it in its own words.
      throw this.failure ?? error;
    } finally {
      this.stop();
    }
  }

  private takeFile(name: string | undefined, file: BusboyFileStream, encoding: string): void {
    if (this.isOver) return discard(file);
    if (name !== fileField) {
      discard(file);
      this.noteUnknown(name);
      return;
    }
    if (this.file) {
      discard(file);
      throw refused(`Payload should have only one property '${fileField}'`);
    }
    this.file = file;
    file.on('error', () => undefined);
    if (['base64', 'quoted-printable'].includes(encoding))
      throw refused(`Property .${fileField} cannot have the Content-Transfer-Encoding ${encoding}`);
    this.wake();
  }

  private takeField(name: string | undefined, value: string, isCut: boolean): void {
    if (this.isOver) return;
    if (name === undefined || !this.rules.known.includes(name)) return this.noteUnknown(name);
    if (this.file) throw refused(`Property .${name} must come before .${fileField}`);
    if (Object.hasOwn(this.fields, name)) throw refused(`Payload should have only one property '${name}'`);
    if (isCut) throw refused(`Property .${name} should NOT be longer than ${fieldBytesMax} bytes`);
    const path = hasForbiddenCharacters({ [name]: value });
    if (path !== null) throw forbiddenText(path);
    this.fields[name] = value;
  }

  private noteUnknown(name = ''): void {
    this.rules.onUnknown({ name, known: this.rules.known });
  }

  private finish(): void {
    if (this.isOver) return;
    if (!this.file) return this.fail(missingFile());
    this.stop();
  }

  private guarded(take: () => void): void {
    try {
      take();
    } catch (error) {
      if (!(error instanceof EdgeFailure)) throw error;
      this.fail(error);
    }
  }

  private fail(failure: EdgeFailure): void {
    if (this.isOver) return;
    this.failure = failure;
    this.file?.destroy(failure);
    this.stop();
  }
}
