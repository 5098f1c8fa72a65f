import { execFile } from 'node:child_process';
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

const importOf = (name: string): string => `import { x } from '${name}';\n\nexport const y = x;\n`;
const decider = 'libs/customers/src/planted.decider.ts';
const boundary = '@nx/enforce-module-boundaries';

const planted = {
  'a context that imports another': ['libs/customers/src/planted.ts', importOf('@scrip/campaigns'), boundary],
  'a context that imports an application': [
    'libs/customers/src/planted.ts',
    importOf('../../../apps/scrip/src/contexts'),
    boundary,
  ],
  'a platform library that imports a context': [
    'libs/edge/src/planted.ts',
    importOf('@scrip/campaigns'),
    boundary,
  ],
  'a calculation that imports the platform': [
    'libs/order-calculation/src/planted.ts',
    importOf('@scrip/edge'),
    boundary,
  ],
  'contracts that import a context': [
    'libs/contracts/src/planted.ts',
    importOf('@scrip/customers'),
    boundary,
  ],
  'a kernel that imports anything': [
    'libs/kernel/src/planted.ts',
    importOf('@scrip/order-calculation'),
    boundary,
  ],
  'a decider that reads the clock': [decider, 'export const x = Date.now();\n', 'no-restricted-properties'],
  'a decider that makes the present': [decider, 'export const x = new Date();\n', 'no-restricted-syntax'],
  'a decider that throws dice': [decider, 'export const x = Math.random();\n', 'no-restricted-properties'],
  'a decider that reads settings': [decider, 'export const x = process.env.HOME;\n', 'no-restricted-syntax'],
} as const;

const allowed = {
  'a context that imports the kernel': ['libs/customers/src/planted.ts', importOf('@scrip/kernel')],
  'a context that imports contracts': ['libs/customers/src/planted.ts', importOf('@scrip/contracts')],
  'a tool that imports a context': ['tools/bench/src/planted.ts', importOf('@scrip/campaigns')],
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
  }, 60_000);

  it.each(Object.entries(planted))('report %s', (name, [, , rule]) => {
    expect(findings.get(name)).toEqual([expect.objectContaining({ rule })]);
  });

  it('name the kinds of package that a context may use', () => {
    expect(findings.get('a context that imports another')?.[0]?.message).toMatch(
      'A project tagged with "type:context" can only depend on libs tagged with "type:platform"',
    );
  });

  it.each(Object.keys(allowed))('allow %s', (name) => expect(findings.get(name)).toEqual([]));
});

describe('file rules', () => {
  it('report a decider that imports a database, a framework, files or its handlers, and the cycle', async () => {
    const found = await check<Finding[]>('cruise.mjs', ['tools/boundaries/fixtures']);
    const reported = found.map(({ rule, message }) => `${rule}: ${message}`);
    expect(reported).toEqual(
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
  }, 60_000);

  it('find nothing in the real tree', async () => {
    expect(await check<Finding[]>('cruise.mjs', ['apps', 'libs', 'tools'])).toEqual([]);
  }, 60_000);
});
