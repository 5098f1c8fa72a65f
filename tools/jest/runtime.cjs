// Jest's runtime, which loads packages as Node does, once per worker, and compiles our modules once per worker. Each file of
// specs evaluates our modules anew, so that files share no state of ours.
const asyncHooks = require('node:async_hooks');
const { createRequire, isBuiltin } = require('node:module');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** By file: the source as transformed, and what it was compiled to. */
const scripts = new Map();
/** Node's `require` by the file that requires. */
const requires = new Map();

// The packages of the workspace are sources, and jest has those that its globals come from.
const notOfNode = /^(?:[./]|@scrip\/|@jest\/|expect$|jest-)/;
const isPackage = (name) => name !== undefined && !notOfNode.test(name) && !isBuiltin(name);

/** `node:async_hooks` for one file of specs, with what ends the stores it makes: at each promise Node asks every store that
 *  was ever entered, those of ended files too. */
const endingStores = () => {
  const stores = [];
  class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
    constructor(...options) {
      super(...options);
      stores.push(this);
    }
  }
  return {
    hooks: { ...asyncHooks, AsyncLocalStorage },
    end: () => stores.forEach((store) => store.disable()),
  };
};

module.exports = class LoadingOnce extends Runtime {
  stores = endingStores();

  constructor(...options) {
    super(...options);
    const { executor } = this;
    const head = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
    executor.compile = (source, filename) => {
      if (scripts.get(filename)?.source !== source) {
        // Traces of errors tell the places of the source without its head.
        const script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
        scripts.set(filename, { source, script });
      }
      return scripts.get(filename).script.runInThisContext();
    };
  }

  requireModule(from, name, options, isRequireActual) {
    if (name === 'node:async_hooks') return this.stores.hooks;
    if (options?.isInternalModule || !isPackage(name))
      return super.requireModule(from, name, options, isRequireActual);
    if (!requires.has(from)) requires.set(from, createRequire(from));
    return requires.get(from)(name);
  }

  teardown() {
    super.teardown();
    this.stores.end();
  }
};
