// Lints texts as if they were the files named, and prints the findings of each as JSON.
// Argument: [{ filePath, code }] as JSON.
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

// Rules that need types want a file that exists; boundaries need none.
const eslint = new ESLint({ overrideConfig: [tseslint.configs.disableTypeChecked] });
const findings = [];
for (const { filePath, code } of JSON.parse(process.argv[2])) {
  const results = await eslint.lintText(code, { filePath });
  const messages = results.flatMap((result) => result.messages);
  findings.push(messages.map(({ ruleId, message }) => ({ rule: ruleId, message })));
}
console.log(JSON.stringify(findings));
