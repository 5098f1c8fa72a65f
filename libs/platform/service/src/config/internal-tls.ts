import type { InternalTls } from '@scrip/rpc';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigurationError } from './environment';

type Read = Readonly<Record<string, unknown>>;

const names = ['SCRIP_TLS_CERT_FILE', 'SCRIP_TLS_KEY_FILE', 'SCRIP_TLS_CA_FILE'] as const;

/** Returns what processes prove themselves with to each other; null where no file is named. Adds to `complaints` what is
 *  missing or cannot be used. */
export const internalTlsOf = (read: Read, complaints: string[]): InternalTls | null => {
  const missing = names.filter((name) => read[name] === null);
  if (missing.length === names.length) return null;
  if (missing.length > 0) {
    complaints.push(`${missing.join(', ')} missing: the three SCRIP_TLS_ files go together`);
    return null;
  }
  const contentOf = (name: (typeof names)[number], isCertificate: boolean): string => {
    const file = String(read[name]);
    try {
      const text = readFileSync(file, 'utf8');
      if (isCertificate) new X509Certificate(text);
      return text;
    } catch {
      complaints.push(`${name}: ${file} cannot be read${isCertificate ? ' as a certificate in PEM' : ''}`);
      return '';
    }
  };
  const [cert, key, ca] = names;
  return { cert: contentOf(cert, true), key: contentOf(key, false), ca: contentOf(ca, true) };
};

/** The same from an environment alone. Throws `ConfigurationError`. */
export const internalTls = (env: NodeJS.ProcessEnv): InternalTls | null => {
  const complaints: string[] = [];
  const tls = internalTlsOf(Object.fromEntries(names.map((name) => [name, env[name] || null])), complaints);
  if (complaints.length > 0) throw new ConfigurationError(complaints.join('\n'));
  return tls;
};
