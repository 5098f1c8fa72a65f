// Jest's runtime, which compiles a module once per worker instead of once per file of specs. Files share nothing else: each
// runs the compiled code in its own context.
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** By file: the source as transformed, and what it was compiled to. */
const scripts = new Map();

module.exports = class CompilingOnce extends Runtime {
  constructor(...options) {
    super(...options);
    const { executor } = this;
    const compileAnew = executor.compile.bind(executor);
    const head = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
    executor.compile = (source, filename) => {
      const context = this._environment.getVmContext();
      if (context === null) return null;
      const known = scripts.get(filename);
      if (known?.source === source) return known.script.runInContext(context);
      try {
        // Traces of errors tell the places of the source without its head.
        const script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
        scripts.set(filename, { source, script });
        return script.runInContext(context);
      } catch {
        return compileAnew(source, filename); // Throws what jest says of such a file.
      }
    };
  }
};
