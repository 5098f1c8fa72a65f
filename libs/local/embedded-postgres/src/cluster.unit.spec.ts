import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterHome } from './cluster';
import { foldersOfRoot, serverUser } from './server-user';

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('skipped: only for root does a cluster lie outside its data directory');

describe('where the cluster of a data directory lies', () => {
  let parent: string;
  let dataDir: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'scrip-cluster-'));
    dataDir = join(parent, '.scrip');
    mkdirSync(dataDir);
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('is inside it where the server can get there', () => {
    expect(clusterHome(dataDir, undefined)).toBe(join(dataDir, 'postgres'));
  });

  (isRoot ? it : it.skip)(
    'stays the same elsewhere, but a new data directory never finds an old cluster',
    () => {
      // mkdtemp closes `parent` to everybody else, as root's home is.
      const first = clusterHome(dataDir, serverUser());
      expect(first.startsWith(`${foldersOfRoot}/`)).toBe(true);
      expect(clusterHome(dataDir, serverUser())).toBe(first);
      rmSync(dataDir, { recursive: true });
      mkdirSync(dataDir);
      expect(clusterHome(dataDir, serverUser())).not.toBe(first);
    },
  );
});
