import { contextNames } from '@scrip/contracts/registry';
import { labelOf, planOf, type ProcessPlan, replicasOf, servicesText } from './plan';

const ports = () => {
  let port = 20_000;
  return async () => (port += 1);
};

const portsOf = (plans: readonly ProcessPlan[]): number[] =>
  plans.flatMap(({ httpPort, rpcPort, metricsPort }) =>
    rpcPort === null ? [httpPort, metricsPort] : [httpPort, rpcPort, metricsPort],
  );

describe('the plan of processes', () => {
  it('has one of each service, each with ports of its own, and the gateway', async () => {
    const plans = await planOf({}, 3000, ports());
    expect(plans.map(labelOf)).toEqual([...contextNames.map((name) => `${name}.1`), 'gateway']);
    const used = portsOf(plans);
    expect(new Set(used).size).toBe(3 * contextNames.length + 2);
    expect(plans.at(-1)).toMatchObject({ name: 'gateway', replica: 1, httpPort: 3000, rpcPort: null });
  });

  it('gives no port twice, also when a free one is offered again', async () => {
    let calls = 0;
    const repeating = async () => 20_000 + Math.floor((calls += 1) / 2);
    const plans = await planOf({}, 20_001, repeating);
    const used = portsOf(plans);
    expect(new Set(used).size).toBe(used.length);
  });

  it('has as many of a service as are asked for, and tells where each answers', async () => {
    const plans = await planOf(replicasOf('campaigns=2, webhooks=1'), 3000, ports());
    const campaigns = plans.filter(({ name }) => name === 'campaigns');
    expect(campaigns.map(labelOf)).toEqual(['campaigns.1', 'campaigns.2']);
    const [one, two] = campaigns;
    expect(servicesText(plans, '127.0.0.1')).toContain(
      `campaigns=127.0.0.1:${one?.httpPort}:${one?.rpcPort},campaigns=127.0.0.1:${two?.httpPort}:${two?.rpcPort},`,
    );
    expect(servicesText(plans, '127.0.0.1')).not.toContain('gateway');
  });

  it.each(['campaigns', 'campaigns=0', 'campaigns=2.5', 'gateway=2', 'rewards=2', 'campaigns=100'])(
    'is not made from %s',
    (text) => expect(() => replicasOf(text)).toThrow(/^--replicas must be a list of name=count/),
  );
});
