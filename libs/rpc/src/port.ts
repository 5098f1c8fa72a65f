/** What a port itself reads of the context of a call: when the caller stops waiting, in epoch milliseconds, and the W3C
 *  trace it belongs to. */
export interface Deadlined {
  readonly deadlineAt: number;
  readonly traceparent?: string | null;
}

/** One method of a port: the caller's context and a plain JSON request in, plain JSON or a refusal (a value) out. */
export type PortMethod = (context: never, request: never) => Promise<unknown>;

/** What one context lets others ask of it. `T` is the interface both sides are typed with; `methods` names each of
 *  them, so that no call depends on reflection. Source: architecture §7. */
export interface Port<T extends object> {
  readonly name: string;
  readonly methods: readonly string[];
  /** Only a type: binds the port to its interface. */
  readonly contract?: T;
}

/** Every key of `T` that is not a port method; `never` when the interface is a sound port. */
type UnfitMembers<T> = { [K in keyof T]: T[K] extends PortMethod ? never : K }[keyof T];

const defined = new Map<string, Port<object>>();

/** Names a port and its methods. Throws `Error` when another port has the name, or a method is listed twice. */
export const definePort = <T extends object>(
  name: string,
  methods: UnfitMembers<T> extends never ? readonly (keyof T & string)[] : never,
): Port<T> => {
  if (defined.has(name)) throw new Error(`port ${name} is defined twice`);
  if (new Set(methods).size !== methods.length) throw new Error(`port ${name} lists a method twice`);
  const port: Port<T> = { name, methods };
  defined.set(name, port);
  return port;
};

/** All ports of this process's code, in the order of their definition. */
export const definedPorts = (): Port<object>[] => [...defined.values()];
