import type { JsonSchema } from '@scrip/edge';
import { rowsMax } from './csv/file-rows';

/** As `csvBody`, with further fields. */
export const csvBodyWith = (further: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: ['file'],
  properties: {
    ...further,
    mapping: {
      type: 'string',
      description:
        'JSON: what headers of the file stand for, such as `{"E-Mail": "Email", "Remarks": null}`; null leaves a column out. ' +
        'Comes before `file`.',
    },
    dry_run: {
      type: 'string',
      enum: ['true', 'false'],
      description: 'Whether to only tell what an import would come to. Comes before `file`.',
    },
    file: {
      type: 'string',
      format: 'binary',
      description: `Comma separated values in UTF-8, with a header line and at most ${rowsMax} rows.`,
    },
  },
});

/** The schema of the form that an import takes, for `Operation`. Source: reference 07 §11. */
export const csvBody: JsonSchema = csvBodyWith({});
