import { Secret } from '@scrip/kernel';
import { contextNames, type ContextName } from '../context/context-definition';
import { ConfigurationError, type readEnvironment } from './environment';

/** Where one replica of a service answers. */
export interface ServiceAddress {
  /** A name stands for all addresses it resolves to. */
  host: string;
  httpPort: number;
  rpcPort: number;
}

/** How processes of the distributed shape find and trust each other. Source: architecture §1, §7. */
export interface Distribution {
  /** Proves the ends of calls between processes; use `sharedKey`. */
  internalSecret: Secret;
  /** Replicas of each service. */
  services: Readonly<Record<ContextName, readonly ServiceAddress[]>>;
  /** Where this process listens for calls of others. */
  rpc: { host: string; port: number };
  kafka: {
    brokers: readonly string[];
    /** In front of the names of all topics and groups, with a dot; null: nothing. */
    namespace: string | null;
    partitions: number;
    replicationFactor: number;
    retentionMs: number;
    messageBytesMax: number;
  };
}

type Read = ReturnType<typeof readEnvironment>;

const replicaOf = (member: string): { name: string; address: ServiceAddress } => {
  const [name = '', address = ''] = member.split('=');
  const [host = '', httpPort, rpcPort] = address.split(':');
  return { name, address: { host, httpPort: Number(httpPort), rpcPort: Number(rpcPort) } };
};

const hourMs = 3_600_000;

/** The distributed shape's settings; null when `SCRIP_SERVICES` is not set. Throws `ConfigurationError` when a part of
 *  them is missing. */
export const distributionOf = (read: Read): Distribution | null => {
  const members = read.SCRIP_SERVICES as string[];
  if (members.length === 0) return null;
  const replicas = members.map(replicaOf);
  const services = Object.fromEntries(
    contextNames.map((name) => [
      name,
      replicas.flatMap((replica) => (replica.name === name ? [replica.address] : [])),
    ]),
  ) as Record<ContextName, ServiceAddress[]>;
  const missing = contextNames.filter((name) => services[name].length === 0);
  const brokers = read.SCRIP_KAFKA_BROKERS as string[];
  const complaints = [
    ...(missing.length > 0 ? [`SCRIP_SERVICES must name ${missing.join(', ')} too`] : []),
    ...(brokers.length === 0 ? ['SCRIP_KAFKA_BROKERS is missing, which SCRIP_SERVICES needs'] : []),
    ...(read.SCRIP_INTERNAL_SECRET === null
      ? ['SCRIP_INTERNAL_SECRET is missing, which SCRIP_SERVICES needs']
      : []),
  ];
  if (complaints.length > 0) throw new ConfigurationError(complaints.join('\n'));
  return {
    internalSecret: new Secret(read.SCRIP_INTERNAL_SECRET as string),
    services,
    rpc: { host: read.SCRIP_HOST as string, port: read.SCRIP_RPC_PORT as number },
    kafka: {
      brokers,
      namespace: read.SCRIP_KAFKA_NAMESPACE as string | null,
      partitions: read.SCRIP_KAFKA_PARTITIONS as number,
      replicationFactor: read.SCRIP_KAFKA_REPLICATION as number,
      retentionMs: (read.SCRIP_KAFKA_RETENTION_HOURS as number) * hourMs,
      messageBytesMax: read.SCRIP_KAFKA_MESSAGE_BYTES_MAX as number,
    },
  };
};
