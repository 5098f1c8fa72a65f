// Loaded with --require: from then on the process runs TypeScript. What the build has compiled since a source changed is
// taken from there: the options are the same.
const { readFileSync, statSync } = require('node:fs');
const Module = require('node:module');
const options = require('./swc-options.cjs');

const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const builtOf = (source) => source.replace(/^(.*)[/\\]src[/\\](.*)\.ts$/, '$1/dist/$2.js');

const compiled = (filename) => {
  const built = builtOf(filename);
  if (modifiedAt(built) > modifiedAt(filename)) return readFileSync(built, 'utf8');
  // Loaded where something is to be compiled only.
  return require('@swc/core').transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code;
};

Module._extensions['.ts'] = (module, filename) => module._compile(compiled(filename), filename);
