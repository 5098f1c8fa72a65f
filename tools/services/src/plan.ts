import { type ContextName, ConfigurationError, contextNames } from '@scrip/service';

/** One process to run. */
export interface ProcessPlan {
  readonly name: ContextName | 'gateway';
  /** From 1. */
  readonly replica: number;
  readonly httpPort: number;
  /** Null for the gateway, which nobody calls. */
  readonly rpcPort: number | null;
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

/** The processes to run, the gateway last. `nextPort` gives a free port each time. */
export const planOf = async (
  replicas: Replicas,
  gatewayPort: number,
  nextPort: () => Promise<number>,
): Promise<ProcessPlan[]> => {
  const plans: ProcessPlan[] = [];
  for (const name of contextNames) {
    for (let replica = 1; replica <= (replicas[name] ?? 1); replica += 1)
      plans.push({ name, replica, httpPort: await nextPort(), rpcPort: await nextPort() });
  }
  return [...plans, { name: 'gateway', replica: 1, httpPort: gatewayPort, rpcPort: null }];
};

/** What a line of the log calls a process. */
export const labelOf = ({ name, replica }: ProcessPlan): string =>
  name === 'gateway' ? name : `${name}.${replica}`;

/** The value of `SCRIP_SERVICES`. */
export const servicesText = (plans: readonly ProcessPlan[], host: string): string =>
  plans
    .filter(({ rpcPort }) => rpcPort !== null)
    .map(({ name, httpPort, rpcPort }) => `${name}=${host}:${httpPort}:${rpcPort}`)
    .join(',');
