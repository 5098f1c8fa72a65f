import { waitUntil } from '@scrip/testing';
import { deadPort, type PlainService, plainService } from './gateway.fixture';
import { Upstreams } from './upstreams';

describe('readiness of a gateway', () => {
  const services: PlainService[] = [];
  let upstreams: Upstreams | undefined;

  afterEach(async () => {
    await upstreams?.close();
    await Promise.all(services.splice(0).map((service) => service.kill()));
  });

  /** A service whose readiness is what `status` says at the moment. */
  const service = async (status: () => number): Promise<PlainService> => {
    const started = await plainService((request, response) =>
      response.writeHead(request.url === '/readyz' ? status() : 404).end(),
    );
    services.push(started);
    return started;
  };

  const at = (...ports: number[]) => ports.map((httpPort) => ({ host: '127.0.0.1', httpPort }));

  it('waits for a first answer of every service, of any of its addresses', async () => {
    const states = { campaigns: 503, customers: 503 };
    const campaigns = await service(() => states.campaigns);
    const customers = await service(() => states.customers);
    upstreams = new Upstreams({
      campaigns: at(await deadPort(), campaigns.port),
      customers: at(customers.port),
    });
    await upstreams.start();
    const complaint = () => upstreams!.firstAnswers.complaint();
    expect(await complaint()).toBe('not ready yet: campaigns, customers');
    states.campaigns = 200;
    expect(await complaint()).toBe('not ready yet: customers');
    states.customers = 200;
    expect(await complaint()).toBeNull();
  });

  it('is not lost with a service', async () => {
    const campaigns = await service(() => 200);
    upstreams = new Upstreams({ campaigns: at(campaigns.port) });
    await upstreams.start();
    await waitUntil(async () => (await upstreams!.firstAnswers.complaint()) === null, {
      what: 'the first answer',
    });
    await services.splice(0)[0]!.kill();
    expect(await upstreams.firstAnswers.complaint()).toBeNull();
  });

  it('waits for a service that nobody has started', async () => {
    upstreams = new Upstreams({ campaigns: at(await deadPort()) });
    await upstreams.start();
    expect(await upstreams.firstAnswers.complaint()).toBe('not ready yet: campaigns');
  });
});
