import { type ContextName, contextNames } from '@scrip/contracts/registry';
import { ConfigurationError } from '@scrip/service';

/** One process to run. */
export interface ProcessPlan {
  readonly name: ContextName | 'gateway';
  /** From 1. */
  readonly replica: number;
  readonly httpPort: number;
  /** Null for the gateway, which serves no calls. */
  readonly rpcPort: number | null;
  /** Of `/metrics`, on loopback. */
  readonly metricsPort: number;
}

/** How many processes each service has; one unless it is named. */
export type Replicas = Readonly<Partial<Record<ContextName, number>>>;

const isContext = (name: string): name is ContextName => (contextNames as readonly string[]).includes(name);

/** Reads `campaigns=2,qualification=2`. Throws `ConfigurationError`. */
export const replicasOf = (text: string): Replicas =>
  Object.fromEntries(
    text
      .split(',')
      .filter(Boolean)
      .map((member) => {
        const [name = '', count = ''] = member.trim().split('=');
        if (!isContext(name) || !/^[1-9]\d?$/.test(count)) {
          throw new ConfigurationError(
            `--replicas must be a list of name=count with names of ${contextNames.join(', ')}, not "${member}"`,
          );
        }
        return [name, Number(count)];
      }),
  );

/** The processes to run, the gateway last, each with ports of its own. `nextPort` returns a port that is free now, perhaps
 *  the same one twice. */
export const planOf = async (
  replicas: Replicas,
  gatewayPort: number,
  nextPort: () => Promise<number>,
): Promise<ProcessPlan[]> => {
  const plans: ProcessPlan[] = [];
  const taken = new Set([gatewayPort]);
  const ownPort = async (): Promise<number> => {
    const port = await nextPort();
    if (taken.has(port)) return ownPort();
    taken.add(port);
    return port;
  };
  for (const name of contextNames) {
    for (let replica = 1; replica <= (replicas[name] ?? 1); replica += 1)
      plans.push({
        name,
        replica,
        httpPort: await ownPort(),
        rpcPort: await ownPort(),
        metricsPort: await ownPort(),
      });
  }
  return [
    ...plans,
    { name: 'gateway', replica: 1, httpPort: gatewayPort, rpcPort: null, metricsPort: await ownPort() },
  ];
};

/** Returns the name of a process in the log. */
export const labelOf = ({ name, replica }: ProcessPlan): string =>
  name === 'gateway' ? name : `${name}.${replica}`;

/** The value of `SCRIP_SERVICES`. */
export const servicesText = (plans: readonly ProcessPlan[], host: string): string =>
  plans
    .filter(({ rpcPort }) => rpcPort !== null)
    .map(({ name, httpPort, rpcPort }) => `${name}=${host}:${httpPort}:${rpcPort}`)
    .join(',');
