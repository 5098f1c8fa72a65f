import type { DestinationStream } from 'pino';
import colors from 'picocolors';

const colorOf: Record<string, (text: string) => string> = {
  fatal: colors.red,
  error: colors.red,
  warn: colors.yellow,
  info: colors.green,
};

/** Writes log lines for people: time, level, who, text, and the remaining fields. */
export const readableLines = (output: { write(text: string): unknown }): DestinationStream => ({
  write(line) {
    const { time, level, where, msg, stack, err, ...fields } = JSON.parse(line) as Record<string, unknown>;
    const trace = stack ?? (err as { stack?: string } | undefined)?.stack;
    const rest = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    const paint = colorOf[String(level)] ?? colors.dim;
    const parts = [
      String(time).slice(11, 23),
      paint(String(level).padEnd(5)),
      where ? colors.dim(`[${where}]`) : '',
      msg,
      rest.length > 0 ? colors.dim(rest.join(' ')) : '',
    ];
    output.write(`${parts.filter(Boolean).join(' ')}${trace ? `\n${trace}` : ''}\n`);
  },
});
