// Two SWC transformers in one: ours is TypeScript with decorators; packages in node_modules are compiled only when
// they are ECMAScript modules, which jest cannot require() on Node 20.
const { version } = require('@swc/core');
const { createTransformer } = require('@swc/jest');
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const typescriptOptions = require('../../libs/local/testing/typescript/swc-options.cjs');

const typescript = createTransformer(typescriptOptions);

const ecmascript = createTransformer({
  swcrc: false,
  module: { type: 'commonjs', ignoreDynamic: false },
  jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } },
});

/** What code depends on beside its source: nothing of a configuration, so that all kinds of specs share what one compiled. */
const compiler = [
  version,
  process.version,
  JSON.stringify(typescriptOptions),
  readFileSync(__filename, 'utf8'),
];

const moduleSyntax = /(^|[\s;}])(import|export)[\s{*('"]|\bimport\.meta\b/;

const transformerFor = (source, path) => {
  if (!path.includes('/node_modules/')) return typescript;
  if (path.endsWith('.cjs')) return null;
  return path.endsWith('.mjs') || moduleSyntax.test(source) ? ecmascript : null;
};

module.exports = {
  canInstrument: false,
  process(source, path, options) {
    const transformer = transformerFor(source, path);
    return transformer ? transformer.process(source, path, options) : { code: source };
  },
  getCacheKey(source, path) {
    return createHash('sha1')
      .update([...compiler, path, source].join('\0'))
      .digest('hex');
  },
};
