import { Secret } from '@scrip/kernel';
import type { InternalTls } from '@scrip/rpc';
import { contextNames, type ContextName } from '@scrip/contracts/registry';
import { internalTlsOf } from './internal-tls';
import { type KafkaSecurity, kafkaSecurityOf } from './kafka-security';
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
  /** Further secrets by which others may prove themselves to this process. */
  acceptedInternalSecrets: readonly Secret[];
  /** Null: calls between processes are proved, but not encrypted. */
  tls: InternalTls | null;
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
  } & KafkaSecurity;
}

type Read = ReturnType<typeof readEnvironment>;

const replicaOf = (member: string): { name: string; address: ServiceAddress } => {
  const [name = '', address = ''] = member.split('=');
  const [host = '', httpPort, rpcPort] = address.split(':');
  return { name, address: { host, httpPort: Number(httpPort), rpcPort: Number(rpcPort) } };
};

const hourMs = 3_600_000;

/** Returns the distributed shape's settings; null when `SCRIP_SERVICES` is not set. Throws `ConfigurationError` when
 *  a part of them is missing. */
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
  const security = kafkaSecurityOf(read, complaints);
  const tls = internalTlsOf(read, complaints);
  if (complaints.length > 0) throw new ConfigurationError(complaints.join('\n'));
  return {
    internalSecret: new Secret(read.SCRIP_INTERNAL_SECRET as string),
    acceptedInternalSecrets: (read.SCRIP_INTERNAL_SECRETS_ACCEPTED as string[]).map(
      (text) => new Secret(text),
    ),
    tls,
    services,
    rpc: { host: read.SCRIP_HOST as string, port: read.SCRIP_RPC_PORT as number },
    kafka: {
      brokers,
      namespace: read.SCRIP_KAFKA_NAMESPACE as string | null,
      partitions: read.SCRIP_KAFKA_PARTITIONS as number,
      replicationFactor: read.SCRIP_KAFKA_REPLICATION as number,
      retentionMs: (read.SCRIP_KAFKA_RETENTION_HOURS as number) * hourMs,
      messageBytesMax: read.SCRIP_KAFKA_MESSAGE_BYTES_MAX as number,
      ...security,
    },
  };
};
