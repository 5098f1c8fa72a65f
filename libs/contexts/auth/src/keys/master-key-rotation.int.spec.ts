import { Secret } from '@scrip/kernel';
import { lookupKeysColumn, type MasterKeys, rewrapColumn } from '@scrip/service';
import { type AuthFixture, bootAuth, knownKeys } from '../auth.fixture';

const keyOf = (byte: number): Secret => new Secret(Buffer.alloc(32, byte).toString('base64'));
const [old, current, foreign] = [keyOf(1), keyOf(2), keyOf(3)] as [Secret, Secret, Secret];

const isLetIn = async ({ form }: AuthFixture): Promise<boolean> => {
  const { status } = await form('/v1/oauth/token', { grant_type: 'client_credentials', scope: 'api' });
  return status === 200;
};

describe('another master key', () => {
  let databaseUrl: string;
  let opened: AuthFixture | undefined;

  const boot = async (keys: MasterKeys): Promise<AuthFixture> => {
    await opened?.running.close();
    opened = undefined;
    opened = await bootAuth(databaseUrl, keys);
    return opened;
  };

  beforeAll(async () => {
    opened = await bootAuth(undefined, { masterKey: old });
    ({ databaseUrl } = opened);
    await opened.bootstrap.run(knownKeys);
  });
  afterAll(() => opened?.running.close());

  it('takes the place of the old one, and every API key goes on working', async () => {
    const keys: MasterKeys = { masterKey: current, acceptedMasterKeys: [old] };
    const rotating = await boot(keys);
    expect(await isLetIn(rotating)).toBe(true);
    expect((await rewrapColumn(rotating.database, lookupKeysColumn, keys)).renewed).toBe(1);
    expect((await rewrapColumn(rotating.database, lookupKeysColumn, keys)).renewed).toBe(0);
    expect(await isLetIn(await boot({ masterKey: current }))).toBe(true);
  });

  it('that the database does not know stops the start', async () => {
    await expect(boot({ masterKey: foreign })).rejects.toThrow('sealed with the master key');
  });
});

it('cannot be the first that a database meets beside others: nothing says which one its hashes are of', async () => {
  await expect(bootAuth(undefined, { masterKey: current, acceptedMasterKeys: [old] })).rejects.toThrow(
    'SCRIP_MASTER_KEYS_ACCEPTED: start once without it',
  );
});
