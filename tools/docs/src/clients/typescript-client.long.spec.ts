import { type ScripProject, sharedScrip } from '@scrip/testing';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../types/source-program';
import { documentFile, linesOf, printed, programIn, temporaryFolder } from './main-job.fixture';

const options: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ['node'],
  skipLibCheck: true,
};

/** Each line is in the program, and misspells one of its fields. */
const misspelt: readonly (readonly [string, string])[] = [
  ['order: { amount: 20_000 }', 'order: { ammount: 20_000 }'],
  ["discount: { type: 'PERCENT', percent_off: 10 }", "discount: { type: 'PERCENT', percent_of: 10 }"],
  ["campaign_type: 'DISCOUNT_COUPONS'", "campaign_type: 'DISCOUNT_COUPON'"],
  ["= { reason: 'returned' }", "= { reson: 'returned' }"],
  ['redemptions[0]?.result', 'redemptions[0]?.results'],
  ['second.error.key', "second.error.key === 'quantity_exeeded'"],
];

describe('a TypeScript client generated from the API description', () => {
  const folder = temporaryFolder();
  const program = programIn('ts');
  let scrip: ScripProject;

  let before: ts.Program | undefined;
  const complaintsAbout = (source: string): string[] => {
    const file = join(folder.path, 'main-job.ts');
    writeFileSync(file, source);
    const host = ts.createCompilerHost(options);
    const read = host.getSourceFile;
    // What did not change is neither read nor parsed again.
    host.getSourceFile = (name, ...more) =>
      (name === file ? undefined : before?.getSourceFile(name)) ?? read(name, ...more);
    before = ts.createProgram([file], { ...options, noEmit: true }, host, before);
    return ts
      .getPreEmitDiagnostics(before)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  };

  beforeAll(async () => {
    symlinkSync(join(repositoryRoot, 'node_modules'), join(folder.path, 'node_modules'));
    writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
    const generator = join(repositoryRoot, 'node_modules/openapi-typescript/bin/cli.js');
    await linesOf(process.execPath, [generator, documentFile, '-o', join(folder.path, 'scrip.ts')], {
      cwd: folder.path,
    });
    scrip = await sharedScrip();
  }, 240_000);
  afterAll(() => folder.remove());

  it('compiles', () => {
    expect(complaintsAbout(program)).toEqual([]);
  }, 120_000);

  it.each(misspelt)(
    'does not compile where a name is misspelt: %s',
    (right, wrong) => {
      expect(program).toContain(right);
      expect(complaintsAbout(program.replace(right, wrong)).length).toBeGreaterThan(0);
    },
    120_000,
  );

  it('does the main job', async () => {
    const { outputText } = ts.transpileModule(program, { compilerOptions: options });
    writeFileSync(join(folder.path, 'main-job.js'), outputText);
    const env = {
      SCRIP_URL: scrip.origin,
      SCRIP_APP_ID: scrip.serverKeys['x-app-id']!,
      SCRIP_APP_TOKEN: scrip.serverKeys['x-app-token']!,
    };
    expect(await linesOf(process.execPath, ['main-job.js'], { cwd: folder.path, env })).toEqual(printed);
    expect(readFileSync(documentFile, 'utf8')).not.toContain('x-numeric-text');
  }, 60_000);
});
