import { Inject, Injectable, Logger } from '@nestjs/common';
import { type FileStore, openFileStore, unsealFile } from '@scrip/files';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { pipeline, type Readable } from 'node:stream';
import { type ExportFile, exportFolder } from './export.table';

/** The files of exports in the store of the installation. */
@Injectable()
export class ExportFiles {
  readonly store: FileStore;
  private readonly logger = new Logger(ExportFiles.name);

  constructor(@Inject(SCRIP_CONFIG) config: ScripConfig) {
    this.store = openFileStore(config.files);
  }

  /** Opens a file; null where the store has none. */
  async open({ name, key }: ExportFile): Promise<Readable | null> {
    const sealed = await this.store.read(name);
    if (!sealed) return null;
    // The caller sees an answer that breaks off.
    return pipeline(sealed, unsealFile(key), (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
        this.logger.error(`the file ${name} was not read to its end: ${error.message}`);
    });
  }

  /** Deletes files whose keys are gone. Never throws: what remains is of no use to anybody, and swept later. */
  async delete(names: readonly (string | null)[]): Promise<void> {
    for (const name of names) {
      if (name === null) continue;
      try {
        await this.store.delete(name);
      } catch (error) {
        this.logger.warn(`the file ${name} is swept later: ${String(error)}`);
      }
    }
  }

  /** Deletes files older than `before` that `isKept` does not know, and what writes left behind. */
  async sweep(before: Date, keptOf: (names: string[]) => Promise<Set<string>>): Promise<void> {
    await this.store.sweepUnfinished(exportFolder, before);
    let old: string[] = [];
    const sweepOld = async (): Promise<void> => {
      const kept = await keptOf(old);
      await this.delete(old.filter((name) => !kept.has(name)));
      old = [];
    };
    for await (const { name, modifiedAt } of this.store.list(exportFolder)) {
      if (modifiedAt < before) old.push(name);
      if (old.length === 500) await sweepOld();
    }
    await sweepOld();
  }
}
