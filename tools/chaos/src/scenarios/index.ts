import type { Scenario } from '../scenario';
import { brokerDown } from './broker-down';
import { codesWithoutKafka } from './codes-without-kafka';
import { customersAway } from './customers-away';
import { embeddedKill } from './embedded-kill';
import { kill } from './kill';
import { packets } from './packets';
import { poison } from './poison';
import { popularCode } from './popular-code';
import { postgresRestart } from './postgres-restart';
import { relays } from './relays';
import { replays } from './replays';
import { restore } from './restore';
import { topicAnew } from './topic-anew';

/** All scenarios, in the order of the page. */
export const scenarios: readonly Scenario[] = [
  embeddedKill,
  kill,
  brokerDown,
  postgresRestart,
  packets,
  poison,
  restore,
  replays,
  relays,
  popularCode,
  topicAnew,
  customersAway,
  codesWithoutKafka,
];
