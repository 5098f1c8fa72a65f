import { authContext } from '@scrip/auth';
import { embeddedEdge } from '@scrip/edge';
import { Secret } from '@scrip/kernel';
import { type OpenConsumers, ScripLogger, openConsumers, readSettings } from '@scrip/service';
import { createDatabase } from '@scrip/testing';
import { isKeyCommand, type KeyOptions, runKeyCommand } from './commands';

describe('npm run keys', () => {
  let opened: OpenConsumers;

  beforeAll(async () => {
    opened = await openConsumers({
      contexts: [authContext],
      config: {
        ...readSettings({}),
        masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
        databaseUrl: new Secret(await createDatabase('keys_commands')),
      },
      edge: embeddedEdge,
      logger: new ScripLogger({ level: 'silent' }),
    });
  });
  afterAll(() => opened?.close());

  const run = (line: string[], options: KeyOptions = {}) => runKeyCommand(opened, line, options);

  it('makes the first project once, then issues, rotates, blocks and lists', async () => {
    const { lines, isDone } = await run(['first']);
    expect(isDone).toBe(true);
    const project = lines[0]?.split('  ')[1] ?? '';
    expect(project).toMatch(/^proj_/);
    expect((await run(['first'])).isDone).toBe(false);

    const issued = await run(['issue'], { project, kind: 'server', name: 'Till' });
    const [id = '', secret = ''] = issued.lines[0]?.split('  ') ?? [];
    expect(secret).toMatch(/^[\w-]{43}$/);
    const rotated = await run(['rotate', id]);
    expect(rotated.lines[0]).toMatch(new RegExp(`^${id}  [\\w-]{43}$`));
    expect(rotated.lines[0]).not.toContain(secret);
    expect((await run(['block', id])).isDone).toBe(true);

    const listed = await run(['list']);
    expect(listed.lines).toHaveLength(4);
    expect(listed.lines.filter((line) => line.includes('BLOCKED'))).toEqual([
      expect.stringContaining(`${project}  ${id}  server  ADMIN  Till`),
    ]);
    expect(listed.lines.join()).not.toContain(secret);
    expect(listed.lines.filter((line) => line.includes('not used yet'))).toHaveLength(4);

    expect((await run(['addresses', id], { from: '192.0.2.7, 2001:db8::/32' })).isDone).toBe(true);
    expect((await run(['list'])).lines.join()).toContain('not used yet  from 192.0.2.7, 2001:db8::/32');
    expect((await run(['addresses', id], { from: 'any' })).isDone).toBe(true);
    expect((await run(['list'])).lines.join()).not.toContain('192.0.2.7');
    expect(await run(['addresses', id], { from: 'home' })).toEqual({
      lines: ['home is no address and no range of addresses'],
      isDone: false,
    });
  });

  it('issues server keys of integrations', async () => {
    const project = (await run(['list'])).lines[0]?.split('  ')[0] ?? '';
    const issued = await run(['issue'], { project, kind: 'server', name: 'Hub', integration: true });
    const [id = ''] = issued.lines[0]?.split('  ') ?? [];
    const ofHub = (await run(['list'])).lines.filter((line) => line.includes(id));
    expect(ofHub).toEqual([expect.stringContaining('Hub')]);
    expect(ofHub[0]).toContain('of an integration');
    expect(isKeyCommand(['issue'], { project, kind: 'client', integration: true })).toBe(false);
  });

  it('lets browsers call, and shows from where', async () => {
    const { lines } = await run(['list']);
    const [project = ''] = lines[0]?.split('  ') ?? [];
    expect((await run(['browsers', project])).lines).toEqual(['trusted domains  none', 'switches on  none']);
    const allowed = [
      'trusted domains  https://shop.example.com, localhost:5173',
      'switches on  client_redeem_enabled',
    ];
    const options = { trust: 'https://shop.example.com, localhost:5173', allow: 'client_redeem_enabled' };
    expect(await run(['browsers', project], options)).toEqual({ lines: allowed, isDone: true });
    expect((await run(['browsers', project])).lines).toEqual(allowed);
    expect((await run(['browsers', project], { trust: '*' })).lines[1]).toBe(allowed[1]);
  });

  it.each([
    [
      { trust: 'https://shop.example.com/path' },
      'https://shop.example.com/path is no origin, no host and not *',
    ],
    [{ allow: 'client_redeem' }, 'client_redeem is none of client_redeem_enabled, '],
  ])('refuses what is no domain and no switch: %j', async (options, complaint) => {
    const { lines, isDone } = await run(['browsers', 'proj_none'], options);
    expect({ isDone, told: lines[0]?.startsWith(complaint) }).toEqual({ isDone: false, told: true });
  });

  it('says what is missing or wrong', async () => {
    expect((await run(['browsers', 'proj_none'])).lines).toEqual(['Cannot find project with id proj_none']);
    expect(await run(['rotate', 'eu1-none'])).toEqual({
      lines: ['Cannot find key with id eu1-none'],
      isDone: false,
    });
    expect((await run(['issue'], { kind: 'server' })).lines[0]).toContain('npm run keys -- list');
    expect((await run([])).isDone).toBe(false);
  });
});
