import { authContext, FirstUser, UserHandlers } from '@scrip/auth';
import { embeddedEdge } from '@scrip/edge';
import { Secret } from '@scrip/kernel';
import { type OpenConsumers, ScripLogger, openConsumers, readSettings } from '@scrip/service';
import { createDatabase } from '@scrip/testing';
import { isUserCommand, runUserCommand, userUsage } from './user-commands';

describe('npm run users', () => {
  let opened: OpenConsumers;

  beforeAll(async () => {
    opened = await openConsumers({
      contexts: [authContext],
      config: {
        ...readSettings({ SCRIP_PASSWORD_COST: '14' }),
        masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
        databaseUrl: new Secret(await createDatabase('user_commands')),
      },
      edge: embeddedEdge,
      logger: new ScripLogger({ level: 'silent' }),
    });
    await opened.get(FirstUser).make(null);
  });
  afterAll(() => opened?.close());

  const run = (...line: string[]) => runUserCommand(opened, line);
  const passwordHash = async () => (await opened.get(UserHandlers).findByLogin('admin'))?.password_hash;

  it('shows a new password once, of which the hash is kept', async () => {
    expect((await run('list')).lines[0]).toMatch(/^admin {2}user_\w{32} {2}owner {2}Admin {2}no password$/);
    const { lines, isDone } = await run('reset', 'Admin');
    expect({ isDone, line: lines[0] }).toEqual({
      isDone: true,
      line: expect.stringMatching(/^Admin {2}[a-km-np-z2-9]{20}$/),
    });
    expect((await run('list')).lines.join()).not.toContain(lines[0]?.split('  ')[1]);
    expect(await passwordHash()).toMatch(/^\$scrypt\$ln=14,r=8,p=1\$/);
  });

  it('blocks and unblocks', async () => {
    expect((await run('block', 'admin')).isDone).toBe(true);
    expect((await run('list')).lines[0]).toContain('BLOCKED');
    expect((await run('unblock', 'admin')).isDone).toBe(true);
    expect((await run('list')).lines[0]).not.toContain('BLOCKED');
  });

  it.each(['reset', 'reset-second-factor', 'block', 'unblock'])(
    'says that there is no such user: %s',
    async (command) => {
      expect(await run(command, 'nobody')).toEqual({
        lines: ['there is no user with login nobody: npm run users -- list shows them'],
        isDone: false,
      });
    },
  );

  it('tells its commands where a line is none', async () => {
    expect([['reset'], ['list', 'admin'], ['delete', 'admin'], []].map(isUserCommand)).not.toContain(true);
    expect(await run('delete')).toEqual({ lines: [userUsage], isDone: false });
  });
});
