import { Logger } from '@nestjs/common';
import { type LogEntry, logLevel } from 'kafkajs';

// What kafkajs retries by itself, or what our own loops report and then retry. Processes that start together create the
// same topics at the same time.
const passing =
  /coordinator|rebalanc|not aware of this member|generation|heartbeat|connection|disconnect|closed|timed out|timeout|stopped|leader|Limiting retries|no broker|does not host|Topic creation errors|Could not create topics|ECONNREFUSED|Crash: KafkaJS|Restarting/i;

/** Whether an error is tried again and usually gone then. */
export const passesByItself = (text: string): boolean => passing.test(text);

/** The text of an entry, and whether it is worth a warning. */
export const rankedEntry = ({ namespace, level, log }: LogEntry): { text: string; warning: boolean } => {
  const { message, error } = log as { message: string; error?: unknown };
  const cause = error === undefined ? '' : `: ${error instanceof Error ? error.message : String(error)}`;
  const told = message + cause;
  return { text: `${namespace} ${told}`, warning: level <= logLevel.WARN && !passesByItself(told) };
};

/** What kafkajs has to say, in Nest's log: it calls ERROR what it retries and gets over. */
export const kafkaLogCreator = () => {
  const log = new Logger('Kafka');
  return (entry: LogEntry): void => {
    const { text, warning } = rankedEntry(entry);
    if (warning) log.warn(text);
    else log.debug(text);
  };
};
