import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKey, Secret } from '@scrip/kernel';
import { createPrivateFile } from './private-file';

/** The master key of a data directory, made on the first start. Throws `Error` when the file holds anything else than
 *  32 bytes as base64: a new key could not open what the old one closed. */
export const masterKeyOf = (dataDir: string): Secret => {
  const path = join(dataDir, 'master-key');
  if (!existsSync(path)) createPrivateFile(path, `${newKey().toString('base64')}\n`);
  const text = readFileSync(path, 'utf8').trim();
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text))
    throw new Error(`${path} is damaged: it must hold 32 bytes as base64`);
  return new Secret(text);
};
