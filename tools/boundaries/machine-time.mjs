// Where business code is, only machine time may be read from a clock directly, and the code has to say so. Business time is an
// argument, or is asked of the project's `BusinessClock`. Source: architecture §10.
const sqlClock =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(\s*\)|\b(?:current_timestamp|current_date|current_time|localtimestamp)\b/i;

const says = /machine time/i;

/** Reports a clock that is read in JavaScript or in a text of SQL, unless a comment before the statement, member or declaration
 *  around it says `Machine time`. */
export const machineTime = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      unsaid:
        'Business time is an argument or comes from the BusinessClock. Where the machine’s is meant, a comment says "Machine time" and why.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    // The comment of a decorated class or member stands before its decorators.
    const firstOf = (node) => (node.declaration ?? node).decorators?.[0] ?? node;
    const isSaid = (node) =>
      [node, ...sourceCode.getAncestors(node)].some((around) =>
        sourceCode.getCommentsBefore(firstOf(around)).some(({ value }) => says.test(value)),
      );
    const report = (node) => {
      if (!isSaid(node)) context.report({ node, messageId: 'unsaid' });
    };
    const isDate = (node) => node.type === 'Identifier' && node.name === 'Date';
    return {
      NewExpression: (node) => {
        if (isDate(node.callee) && node.arguments.length === 0) report(node);
      },
      CallExpression: ({ callee }) => {
        if (callee.type === 'MemberExpression' && isDate(callee.object) && callee.property.name === 'now')
          report(callee);
      },
      Literal: (node) => {
        if (typeof node.value === 'string' && sqlClock.test(node.value)) report(node);
      },
      TemplateElement: (node) => {
        if (sqlClock.test(node.value.raw)) report(node);
      },
    };
  },
};
