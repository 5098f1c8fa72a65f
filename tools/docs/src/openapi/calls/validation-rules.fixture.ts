import type { DocumentedCaller } from './documented-caller.fixture';

export const askValidationRules = async ({ send }: DocumentedCaller): Promise<void> => {
  const { answer: campaign } = await send('POST', '/v1/campaigns', {
    body: {
      name: 'Ruled',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 5 } },
    },
  });
  const { answer: rule } = await send('POST', '/v1/validation-rules', {
    body: {
      name: 'Large orders',
      rules: { '1': { name: 'order.amount', conditions: { $more_than: [5_000] } }, logic: '1' },
    },
  });
  const validationRuleId = rule.id as string;
  const parameters = { validationRuleId };
  const { answer: assignment } = await send('POST', '/v1/validation-rules/{validationRuleId}/assignments', {
    parameters,
    body: { related_object_type: 'campaign', related_object_id: campaign.id as string },
  });
  await send('GET', '/v1/validation-rules/{validationRuleId}/assignments', { parameters });
  await send('GET', '/v1/validation-rules-assignments', { query: `?rule=${validationRuleId}` });
  await send('GET', '/v1/validation-rules/{validationRuleId}', { parameters });
  await send('PUT', '/v1/validation-rules/{validationRuleId}', {
    parameters,
    body: { name: 'Small orders' },
  });
  await send('GET', '/v1/validation-rules', { query: '?order=name' });
  await send('DELETE', '/v1/validation-rules/{validationRuleId}/assignments/{assignmentId}', {
    parameters: { validationRuleId, assignmentId: assignment.id as string },
  });
  await send('DELETE', '/v1/validation-rules/{validationRuleId}', { parameters });
};
