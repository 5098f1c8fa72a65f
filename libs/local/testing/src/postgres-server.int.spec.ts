import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { Client } from 'pg';
import { ownerOf, serverFolderPrefix } from './postgres-binaries';
import { startPostgres } from './postgres-server';

const foldersOfThisProcess = () => readdirSync(tmpdir()).filter((name) => ownerOf(name) === process.pid);

describe('startPostgres', () => {
  it('gives servers that do not meet, and leaves nothing behind', async () => {
    const before = foldersOfThisProcess();
    const servers = await Promise.all([startPostgres(), startPostgres()]);
    expect(new Set(servers.map(({ url }) => url)).size).toBe(2);
    expect(foldersOfThisProcess()).toHaveLength(before.length + 2);
    await Promise.all(servers.map((server) => server.stop()));
    await servers[0]!.stop();
    expect(foldersOfThisProcess()).toEqual(before);
    await expect(new Client({ connectionString: servers[0]!.url }).connect()).rejects.toThrow();
  });

  it('removes folders whose process is gone, and no others', async () => {
    const deadPid = spawnSync('true').pid;
    const abandoned = mkdtempSync(join(tmpdir(), serverFolderPrefix(deadPid)));
    const inUse = mkdtempSync(join(tmpdir(), serverFolderPrefix(process.pid)));
    const server = await startPostgres();
    await server.stop();
    expect(existsSync(abandoned)).toBe(false);
    expect(existsSync(inUse)).toBe(true);
    rmSync(inUse, { recursive: true });
  });
});
