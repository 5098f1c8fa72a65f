export { ContextExports } from './context-exports';
export { type ExportKind, exportCondition } from './export-kind';
export { exportsOfContext } from './exports-of-context';
