import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, newDataDir, removeDataDir, run } from './e2e/scrip-process.fixture';

describe('npm run verify:state -- --help', () => {
  it('says that Scrip must be stopped, and what its status means, and starts nothing', async () => {
    build();
    const dataDir = newDataDir();
    const { status, output } = await run('apps/scrip/dist/verify-state.js', { SCRIP_DATA_DIR: dataDir }, [
      '--help',
    ]);
    expect(output).toContain('Stop Scrip first');
    expect(output).toContain('It ends with status 0 where all of them agree');
    expect(status).toBe(0);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    await removeDataDir(dataDir);
  });
});
