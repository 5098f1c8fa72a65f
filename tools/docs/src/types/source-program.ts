import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

/** Root of the repository. */
export const repositoryRoot = resolve(__dirname, '../../../..');

/** Files of `folder` (relative to the repository) and below whose names match, in one order on every machine. */
export const filesUnder = (folder: string, name: RegExp): string[] =>
  readdirSync(join(repositoryRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\/(node_modules|dist)\//.test(file))
    .sort();

const parsed = new Map<string, ts.SourceFile | undefined>();

/** Reads each file once, for all programs of this process: most are declarations of Node and of packages. */
const hostOf = (options: ts.CompilerOptions): ts.CompilerHost => {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getSourceFile: (file, ...how) => {
      if (!parsed.has(file)) parsed.set(file, host.getSourceFile(file, ...how));
      return parsed.get(file);
    },
  };
};

/** The sources that `files` and their imports are, as the type checker sees them. */
export const sourceProgram = (files: readonly string[]): ts.Program => {
  const configFile = join(repositoryRoot, 'tsconfig.base.json');
  const { config } = ts.readConfigFile(configFile, (file) => ts.sys.readFile(file)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files }, ts.sys, repositoryRoot);
  const wanted = { ...options, types: ['node'], noEmit: true };
  return ts.createProgram([...files], wanted, hostOf(wanted));
};

/** The exported types of `files` by name. Throws `Error` when two different ones have one name. */
export const exportedTypes = (
  program: ts.Program,
  files: readonly string[],
): ReadonlyMap<string, { symbol: ts.Symbol; type: ts.Type }> => {
  const checker = program.getTypeChecker();
  const found = new Map<string, { symbol: ts.Symbol; type: ts.Type }>();
  for (const file of files) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} exports nothing`);
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!(symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias))) continue;
      const name = exported.getName();
      if (found.has(name) && found.get(name)?.symbol !== symbol)
        throw new Error(`two exported types have the name ${name}`);
      found.set(name, { symbol, type: checker.getDeclaredTypeOfSymbol(symbol) });
    }
  }
  return found;
};
