import { type ScripProject, sharedScrip } from '@scrip/testing';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentFile, linesOf, printed, programIn, temporaryFolder } from './main-job.fixture';

const generatorVersion = '0.29.1';

const folder = temporaryFolder();
const python = join(folder.path, 'venv/bin/python');

/** Makes an environment with the generator; says why there is none. */
const missing = ((): string | null => {
  const made = spawnSync('python3', ['-m', 'venv', join(folder.path, 'venv')]);
  if (made.status !== 0) return 'python3 with venv is not installed';
  const generator = `openapi-python-client==${generatorVersion}`;
  const installed = spawnSync(python, ['-m', 'pip', 'install', '--quiet', generator], { timeout: 240_000 });
  return installed.status === 0 ? null : `pip finds no ${generator}`;
})();

if (missing !== null) process.stderr.write(`The Python client is not tested: ${missing}.\n`);

(missing === null ? describe : describe.skip)('a Python client generated from the API description', () => {
  let scrip: ScripProject;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  it('is generated without a warning and does the main job', async () => {
    const client = join(folder.path, 'client');
    writeFileSync(join(folder.path, 'config.yml'), 'post_hooks: []\n');
    const said = await linesOf(
      join(folder.path, 'venv/bin/openapi-python-client'),
      ['generate', '--path', documentFile, '--output-path', client, '--config', 'config.yml'],
      { cwd: folder.path },
    );
    expect(said).toEqual([`Generating ${client}`]);
    writeFileSync(join(client, 'main_job.py'), programIn('python'));
    const env = {
      SCRIP_URL: scrip.origin,
      SCRIP_APP_ID: scrip.serverKeys['x-app-id']!,
      SCRIP_APP_TOKEN: scrip.serverKeys['x-app-token']!,
    };
    expect(await linesOf(python, ['main_job.py'], { cwd: client, env })).toEqual(printed);
  }, 180_000);
});

afterAll(folder.remove);
