// Jest's environment of a file of specs: the globals of the worker, as a program has those of its process, instead of a context
// of its own. Node, the packages, which a worker loads once for all its files, and the specs share one realm, as in production;
// and V8 reads a global of a context by a call, ten times slower. What a file leaves on the globals goes when it ends.
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Node's default is 10, jest's 100; each `expect` makes an error. */
const framesMax = 20;

/** Factor on the time limits of tests: 10 where they go all their rounds (`npm run test:soak`), else 1. */
const patience = Math.max(1, Number(process.env.SCRIP_TEST_SCALE ?? 0) * 10);

const listenersOf = (emitter) => emitter.eventNames().map((event) => [event, emitter.rawListeners(event)]);

/** Remembers the properties of `object`. Returns what brings them back. */
const rememberProperties = (object) => {
  const before = Object.getOwnPropertyDescriptors(object);
  return () => {
    for (const key of Reflect.ownKeys(object)) {
      const { configurable, value, get } = Object.getOwnPropertyDescriptor(object, key);
      const known = before[key];
      if (!configurable || (known && known.value === value && known.get === get)) continue;
      if (known) Object.defineProperty(object, key, known);
      else delete object[key];
    }
    for (const key of Reflect.ownKeys(before))
      if (!Object.hasOwn(object, key)) Object.defineProperty(object, key, before[key]);
  };
};

/** Remembers the listeners of `emitter`. Returns what takes off those that came since. */
const rememberListeners = (emitter) => {
  const before = new Map(listenersOf(emitter));
  return () => {
    for (const [event, listeners] of listenersOf(emitter))
      for (const listener of listeners)
        if (!before.get(event)?.includes(listener)) emitter.off(event, listener.listener ?? listener);
  };
};

module.exports = class SharedRealm {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null; // The legacy ones.

  constructor({ projectConfig }) {
    const { exit, getBuiltinModule } = process;
    this.conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.restore = [
      rememberProperties(globalThis),
      rememberProperties(process.env),
      rememberListeners(process),
      () => Object.assign(process, { exit, getBuiltinModule }), // Jest replaces them.
    ];
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    Error.stackTraceLimit = framesMax;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const restore of this.restore) restore();
  }

  handleTestEvent({ name, test }, state) {
    if (name === 'run_start') state.testTimeout *= patience;
    if (name === 'test_start' && test.timeout) test.timeout *= patience;
  }

  exportConditions() {
    return this.conditions;
  }

  /** Not a context: tells jest that there are globals to run in. */
  getVmContext() {
    return this.global;
  }
};
