// Two SWC transformers in one: ours is TypeScript with decorators; packages in node_modules are compiled only when
// they are ECMAScript modules, which jest cannot require() on Node 20.
const { createTransformer } = require('@swc/jest');

const typescript = createTransformer(require('../../libs/local/testing/typescript/swc-options.cjs'));

const ecmascript = createTransformer({
  swcrc: false,
  module: { type: 'commonjs', ignoreDynamic: false },
  jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } },
});

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
  getCacheKey(source, path, options) {
    return (transformerFor(source, path) ?? typescript).getCacheKey(source, path, options);
  },
};
