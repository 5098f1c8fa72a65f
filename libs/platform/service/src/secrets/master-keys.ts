import { Keyring, type Secret } from '@scrip/kernel';

/** The master key, and those that may open what they sealed. Each is 32 bytes as base64. */
export interface MasterKeys {
  masterKey: Secret;
  acceptedMasterKeys?: readonly Secret[];
}

const bytesOf = (key: Secret): Buffer => Buffer.from(key.reveal(), 'base64');

/** Returns the keys of one purpose ("webhook-secrets"). */
export const purposeRing = ({ masterKey, acceptedMasterKeys = [] }: MasterKeys, purpose: string): Keyring =>
  Keyring.of([bytesOf(masterKey), ...acceptedMasterKeys.map(bytesOf)], purpose);
