import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const script = resolve(__dirname, '../../../../deploy/tls/make-certificates.sh');

/** Certificates of one process, in PEM. */
export interface Certificates {
  cert: string;
  key: string;
  ca: string;
}

/** Makes an authority of its own, and certificates for the named processes. Needs openssl. */
export const makeCertificates = <Name extends string>(...names: Name[]): Record<Name, Certificates> => {
  const folder = mkdtempSync(join(tmpdir(), 'scrip-certificates-'));
  execFileSync('sh', [script, folder, ...names]);
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const ca = read('ca.pem');
  return Object.fromEntries(
    names.map((name) => [name, { cert: read(`${name}.pem`), key: read(`${name}.key`), ca }]),
  ) as Record<Name, Certificates>;
};
