/** The part of a call's context that ports read: the deadline in epoch milliseconds, and the W3C trace. */
export interface Deadlined {
  readonly deadlineAt: number;
  readonly traceparent?: string | null;
}

/** One method of a port: the caller's context and a plain JSON request in, plain JSON or a refusal (a value) out. */
export type PortMethod = (context: never, request: never) => Promise<unknown>;

/** The calls that a context serves to others. `T` is the interface both sides are typed with; `methods` names each of
 *  them, so that no call depends on reflection. Source: architecture §7. */
export interface Port<T extends object> {
  readonly name: string;
  readonly methods: readonly string[];
  /** Method → the stream that a request writes, for those whose calls should meet at one replica of the owner. */
  readonly streams?: Readonly<Record<string, (request: never) => string | undefined>>;
  /** A type only; binds the port to its interface. */
  readonly contract?: T;
}

/** Every key of `T` that is not a port method; `never` when the interface is a sound port. */
type UnfitMembers<T> = { [K in keyof T]: T[K] extends PortMethod ? never : K }[keyof T];

/** What a request of each method writes first, by the key of its stream; undefined where it writes none. */
type StreamsOf<T> = {
  [K in keyof T]?: T[K] extends (context: never, request: infer Request) => unknown
    ? (request: Request) => string | undefined
    : never;
};

const defined = new Map<string, Port<object>>();

/** Names a port and its methods. Calls of methods in `streams` that name the same stream go to the same replica of the
 *  owner while it answers, where they are committed together; the others go to the least busy one. Throws `Error` when
 *  another port has the name, or a method is listed twice. Source: architecture §7. */
export const definePort = <T extends object>(
  name: string,
  methods: UnfitMembers<T> extends never ? readonly (keyof T & string)[] : never,
  streams?: StreamsOf<T>,
): Port<T> => {
  if (defined.has(name)) throw new Error(`port ${name} is defined twice`);
  if (new Set(methods).size !== methods.length) throw new Error(`port ${name} lists a method twice`);
  const port = { name, methods, ...(streams ? { streams } : {}) } as Port<T>;
  defined.set(name, port);
  return port;
};

/** Returns all ports defined in this process's code, in the order of their definition. */
export const definedPorts = (): Port<object>[] => [...defined.values()];
