import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(__dirname, '../../..');

interface Finding {
  readonly rule: string;
  readonly message: string;
}

// Both tools are ECMAScript modules with plugins: jest cannot load them, so each runs in a process of its own.
const check = async <Answer>(script: string, argument: unknown): Promise<Answer> => {
  const { stdout } = await run(process.execPath, [join(__dirname, '..', script), JSON.stringify(argument)], {
    cwd: root,
    env: { ...process.env, NX_DAEMON: 'false' },
    maxBuffer: 100 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Answer;
};

const foldersIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);

/** The `package.json` of every package, from the root. */
const packageManifests = (): string[] =>
  [...foldersIn('apps'), ...foldersIn('libs').flatMap(foldersIn), ...foldersIn('tools')]
    .map((folder) => `${folder}/package.json`)
    .filter((manifest) => existsSync(join(root, manifest)));

const importOf = (name: string): string => `import { x } from '${name}';\n\nexport const y = x;\n`;
const decider = 'libs/contexts/customers/src/planted.decider.ts';
const business = 'libs/contexts/campaigns/src/planted.query.ts';
const request = 'libs/platform/edge/src/planted.ts';
const boundary = '@nx/enforce-module-boundaries';

const planted = {
  'a context that imports another': [
    'libs/contexts/customers/src/planted.ts',
    importOf('@scrip/campaigns'),
    boundary,
  ],
  'a context that imports an application': [
    'libs/contexts/customers/src/planted.ts',
    importOf('../../../apps/scrip/src/contexts'),
    boundary,
  ],
  'a platform library that imports a context': [
    'libs/platform/edge/src/planted.ts',
    importOf('@scrip/campaigns'),
    boundary,
  ],
  'a calculation that imports the platform': [
    'libs/domain/order-calculation/src/planted.ts',
    importOf('@scrip/edge'),
    boundary,
  ],
  'contracts that import a context': [
    'libs/shared/contracts/src/planted.ts',
    importOf('@scrip/customers'),
    boundary,
  ],
  'a kernel that imports anything': [
    'libs/shared/kernel/src/planted.ts',
    importOf('@scrip/order-calculation'),
    boundary,
  ],
  'a decider that reads the clock': [decider, 'export const x = Date.now();\n', 'no-restricted-properties'],
  'a decider that makes the present': [decider, 'export const x = new Date();\n', 'no-restricted-syntax'],
  'a decider that throws dice': [decider, 'export const x = Math.random();\n', 'no-restricted-properties'],
  'a decider that reads settings': [decider, 'export const x = process.env.HOME;\n', 'no-restricted-syntax'],
  'business SQL that reads the clock of the database': [
    business,
    "/** Campaigns by name. */\nexport const expired = 'expires_at < now()';\n",
    'scrip/machine-time',
  ],
  'a template of SQL that reads the clock of the database': [
    business,
    'export const expired = (column: string) => `${column} < CURRENT_TIMESTAMP`;\n',
    'scrip/machine-time',
  ],
  'business code that makes the present': [business, 'export const x = new Date();\n', 'scrip/machine-time'],
  'business code that reads the clock': [business, 'export const x = Date.now();\n', 'scrip/machine-time'],
  'a decider that refuses without naming its keys': [
    decider,
    "import type { Refusal } from '@scrip/kernel';\n\nexport type Answer = Refusal | null;\n",
    'no-restricted-syntax',
  ],
  'an expression that backtracks in quadratic time': [
    request,
    'export const token = (text: string) => /^Bearer +(\\S*) *$/i.exec(text)?.[1];\n',
    'regexp/no-super-linear-backtracking',
  ],
  'an expression that starts anew at each character': [
    request,
    'export const trimmed = (text: string) => text.replace(/ +$/, "");\n',
    'regexp/no-super-linear-move',
  ],
} as const;

const allowed = {
  'a context that imports the kernel': ['libs/contexts/customers/src/planted.ts', importOf('@scrip/kernel')],
  'a context that imports contracts': [
    'libs/contexts/customers/src/planted.ts',
    importOf('@scrip/contracts/campaigns'),
  ],
  'a tool that imports a context': ['tools/bench/src/planted.ts', importOf('@scrip/campaigns')],
  'a decider that names its keys': [
    decider,
    "import type { Refusal } from '@scrip/kernel';\n\nexport type Answer = Refusal<'not_found'> | null;\n",
  ],
  'an expression that matches in linear time': [
    request,
    'export const isToken = (text: string) => /^[a-z0-9]{2,16}-[\\w-]+$/.test(text);\n',
  ],
  'a statement that says it means machine time': [
    business,
    "/** Machine time: tokens live by it. */\nexport const live = 'expires_at > now()';\n",
  ],
  'business SQL that takes the instant': [business, "export const expired = 'expires_at < $1';\n"],
  'a decider that reads a date given to it': [
    decider,
    'export const x = (iso: string): Date => new Date(iso);\n',
  ],
} as const;

describe('lint rules', () => {
  const findings = new Map<string, Finding[]>();

  beforeAll(async () => {
    const cases = Object.entries({ ...planted, ...allowed });
    const texts = cases.map(([, [filePath, code]]) => ({ filePath, code }));
    const answers = await check<Finding[][]>('lint.mjs', texts);
    cases.forEach(([name], index) => findings.set(name, answers[index]!));
  }, 300_000);

  it.each(Object.entries(planted))('report %s', (name, [, , rule]) => {
    expect(findings.get(name)).toEqual([expect.objectContaining({ rule })]);
  });

  it('name the kinds of package that a context may use', () => {
    expect(findings.get('a context that imports another')?.[0]?.message).toMatch(
      'A project tagged with "contexts" can only depend on libs tagged with "platform"',
    );
  });

  it.each(Object.keys(allowed))('allow %s', (name) => expect(findings.get(name)).toEqual([]));
});

describe('packages', () => {
  const kindOf = (manifest: string): string => manifest.split('/').at(-3) ?? '';

  it('are tagged with the folder they lie in', () => {
    const manifests = packageManifests();
    expect(manifests.length).toBeGreaterThan(30);
    const untagged = manifests.filter((manifest) => {
      const { nx } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as { nx?: { tags?: string[] } };
      return nx?.tags?.[0] !== kindOf(manifest);
    });
    expect(untagged).toEqual([]);
  });
});

// `npm run lint` reads the real tree.
describe('file rules', () => {
  const cruise = async (configuration: string, folders: readonly string[]): Promise<string[]> => {
    const found = await check<Finding[]>('cruise.mjs', { configuration: `./${configuration}.cjs`, folders });
    return found.map(({ rule, message }) => `${rule}: ${message}`);
  };

  it('report a decider that imports a database, a framework, files or its handlers, and the cycle', async () => {
    expect(await cruise('dependency-cruiser', ['tools/boundaries/fixtures'])).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^pure-files-stay-pure: .*planted\.decider\.ts → .*node_modules\/pg\//),
        expect.stringMatching(
          /^pure-files-stay-pure: .*planted\.decider\.ts → .*node_modules\/@nestjs\/common\//,
        ),
        expect.stringMatching(/^pure-files-stay-pure: .*planted\.decider\.ts → fs$/),
        expect.stringMatching(
          /^pure-files-import-pure-files: .*planted\.decider\.ts → .*planted\.handlers\.ts$/,
        ),
        expect.stringMatching(/^no-cycles: /),
      ]),
    );
  }, 300_000);

  it('report a decider and contracts whose neighbour loads frameworks, a preview whose neighbour loads Node, and no type', async () => {
    const reported = await cruise('reachability', ['tools/boundaries/fixtures']);
    const loads = (rule: string, file: string) =>
      ['@nestjs/common', 'kafkajs', 'pg'].map((name) =>
        expect.stringMatching(`^${rule}: .*/${file} → .*node_modules/${name}/`),
      );
    expect(reported).toEqual(
      expect.arrayContaining([
        ...loads('pure-files-reach-no-framework', 'reaching\\.decider\\.ts'),
        ...loads('contracts-reach-no-framework', 'contracts/src/planted\\.port\\.ts'),
      ]),
    );
    expect(reported.join('\n')).not.toContain('fastify');
    expect(reported).toContainEqual(
      expect.stringMatching(
        /^browser-libraries-reach-no-node: .*\/order-preview\/src\/planted\.ts → crypto$/,
      ),
    );
  }, 300_000);
});
