import { Secret } from '@scrip/kernel';
import type { KafkaSettings } from '@scrip/messaging';
import { readFileSync } from 'node:fs';

/** How a process proves itself to the brokers, and checks them. */
export type KafkaSecurity = Required<Pick<KafkaSettings, 'tls' | 'sasl'>>;

type Read = Readonly<Record<string, unknown>>;

const caOf = (file: string | null, complaints: string[]): string | null => {
  if (file === null) return null;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    complaints.push(`SCRIP_KAFKA_CA_FILE: ${file} cannot be read`);
    return null;
  }
};

/** Returns what the variables say, and adds to `complaints` what is missing or contradicts. */
export const kafkaSecurityOf = (read: Read, complaints: string[]): KafkaSecurity => {
  const mechanism = read.SCRIP_KAFKA_SASL as NonNullable<KafkaSettings['sasl']>['mechanism'] | null;
  const username = read.SCRIP_KAFKA_USERNAME as string | null;
  const password = read.SCRIP_KAFKA_PASSWORD as string | null;
  const isEncrypted = read.SCRIP_KAFKA_TLS as boolean;
  const file = read.SCRIP_KAFKA_CA_FILE as string | null;
  if (file !== null && !isEncrypted)
    complaints.push('SCRIP_KAFKA_CA_FILE says nothing without SCRIP_KAFKA_TLS=true');
  const tls = isEncrypted ? { ca: caOf(file, complaints) } : null;
  if (mechanism === null) {
    if (username !== null || password !== null)
      complaints.push(
        'SCRIP_KAFKA_SASL is missing, which SCRIP_KAFKA_USERNAME and SCRIP_KAFKA_PASSWORD need',
      );
    return { tls, sasl: null };
  }
  if (username === null) complaints.push('SCRIP_KAFKA_USERNAME is missing, which SCRIP_KAFKA_SASL needs');
  if (password === null) complaints.push('SCRIP_KAFKA_PASSWORD is missing, which SCRIP_KAFKA_SASL needs');
  if (mechanism === 'plain' && !isEncrypted)
    complaints.push('SCRIP_KAFKA_SASL=plain needs SCRIP_KAFKA_TLS=true: it sends the password as it is');
  return { tls, sasl: { mechanism, username: username ?? '', password: new Secret(password ?? '') } };
};
