/** Where a broker listens on loopback, and where it keeps its data. */
export interface BrokerPlace {
  readonly folder: string;
  readonly port: number;
  readonly controllerPort: number;
}

/** What a broker of one machine is set to, wherever it runs. */
export const brokerSettings: Readonly<Record<string, string>> = {
  'process.roles': 'broker,controller',
  'node.id': '1',
  'controller.listener.names': 'CONTROLLER',
  'inter.broker.listener.name': 'PLAINTEXT',
  'auto.create.topics.enable': 'false',
  'delete.topic.enable': 'true',
  // One node has one replica of everything.
  'offsets.topic.replication.factor': '1',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'share.coordinator.state.topic.replication.factor': '1',
  'share.coordinator.state.topic.min.isr': '1',
  // Fifty each by default, all of them created on first use.
  'offsets.topic.num.partitions': '8',
  'transaction.state.log.num.partitions': '4',
  // Consumers of a machine come together: a group need not wait for more members.
  'group.initial.rebalance.delay.ms': '0',
  'group.min.session.timeout.ms': '1000',
  // How long the controller holds a killed broker for alive, and its next start up: 9 s by default.
  'broker.session.timeout.ms': '3000',
  'broker.heartbeat.interval.ms': '500',
};

/** The text of `server.properties`; `overrides` come on top. */
export const brokerProperties = (
  { folder, port, controllerPort }: BrokerPlace,
  overrides: Readonly<Record<string, string>> = {},
): string =>
  Object.entries({
    ...brokerSettings,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'log.dirs': `${folder}/data`,
    ...overrides,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
