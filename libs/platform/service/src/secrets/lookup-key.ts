import { deriveKey } from '@scrip/kernel';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { ConfigurationError } from '../config/environment';
import { type MasterKeys, purposeRing } from './master-keys';
import type { SealedColumn } from './sealed-column';

const purpose = 'lookup-keys';

/** The table of `lookupKeyOf`, for the migrations of a context. */
export class CreateLookupKeys1796500000000 implements MigrationInterface {
  readonly name = 'CreateLookupKeys1796500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE lookup_keys (purpose text COLLATE "C" PRIMARY KEY, wrapped text NOT NULL)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE lookup_keys');
  }
}

/** `lookup_keys`, for the sealed columns of a context. */
export const lookupKeysColumn: SealedColumn = {
  table: 'lookup_keys',
  id: ['purpose'],
  column: 'wrapped',
  purpose,
  boundTo: (name) => String(name),
};

/** Returns the key of keyed hashes that things are found by ("customer-source-ids"). It stays the same when the master key is
 *  rotated, since hashes cannot be made anew from themselves: the database keeps it, wrapped by the master key. Throws
 *  `SealBroken` where no accepted master key opens it; `ConfigurationError` where it must be made and it is not certain
 *  from which key. */
export const lookupKeyOf = async (database: DataSource, keys: MasterKeys, name: string): Promise<Buffer> => {
  const ring = purposeRing(keys, purpose);
  const read = async (): Promise<Buffer | null> => {
    const [row] = await database.query<{ wrapped: string }[]>(
      'SELECT wrapped FROM lookup_keys WHERE purpose = $1',
      [name],
    );
    return row ? ring.unwrap(row.wrapped, name) : null;
  };
  const known = await read();
  if (known) return known;
  if ((keys.acceptedMasterKeys ?? []).length > 0)
    throw new ConfigurationError(
      'SCRIP_MASTER_KEYS_ACCEPTED: start once without it, with the master key that the database was made with',
    );
  // Hashes of before this table were made with this derived key.
  const made = deriveKey(Buffer.from(keys.masterKey.reveal(), 'base64'), name);
  await database.query('INSERT INTO lookup_keys (purpose, wrapped) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    name,
    ring.wrap(made, name),
  ]);
  return (await read()) ?? made;
};
