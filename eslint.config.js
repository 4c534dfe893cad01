import tseslint from 'typescript-eslint';

/**
 * Which folder may import what (docs/ARCHITECTURE.md). `*` forms match both `core/x.ts` seen from a neighbour
 * (`../core/x.ts`) and from a folder below it (`../../core/x.ts`).
 */
const FOLDERS = ['core', 'workflows', 'activities', 'models', 'tools', 'worker', 'client', 'cli', 'console', 'examples', 'bench', 'test'];
const MAY_IMPORT = {
  core: [],
  workflows: ['core'],
  models: ['core'],
  tools: ['core'],
  activities: ['core', 'models', 'tools'],
  // The workflow code reaches the worker as a bundle: an import would run it outside its sandbox.
  worker: ['core', 'models', 'tools', 'activities'],
  client: ['core'],
  console: ['core', 'client'],
  cli: ['core', 'client', 'worker', 'models', 'console', 'tools'],
};
/** Message definitions and types only: clients send what workflows declare. */
const CLIENT_MAY_NAME = ['workflows/messages.ts'];

const NODE_MODULES = ['node:*', 'fs', 'path', 'os', 'crypto', 'child_process', 'http', 'https', 'net', 'url', 'util', 'stream'];
const TEMPORAL_OUTSIDE_SANDBOX = ['activity', 'client', 'worker', 'testing', 'envconfig', 'proto', 'core-bridge'].map((name) => `@temporalio/${name}`);

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/', '.caseworker/', 'test/histories/*/'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // `const { gone, ...rest }` is how a field is left out, and `_` is how an argument is passed over.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // An interface of promises may be met without waiting for anything.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      'no-restricted-syntax': ['error', ...borderRules()],
      eqeqeq: ['error', 'always'],
      'no-control-regex': 'error',
      // Functions are passed around by name here; only errors and owners of a resource are classes.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  ...Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({ files: [`${folder}/**/*.ts`, `${folder}/**/*.tsx`], rules: importRule(folder, allowed) })),
  {
    files: ['core/**/*.ts', 'workflows/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', ...['Intl', 'process', 'Buffer', 'setTimeout', 'setInterval', 'fetch', 'crypto'].map(outsideSandbox)],
      'no-restricted-syntax': ['error', ...borderRules(), ...sharingRules()],
    },
  },
  {
    files: ['core/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...borderRules(), ...sharingRules(), ...purityRules()] },
  },
  {
    files: ['test/**/*.ts'],
    // vitest's matchers (`expect.any`, `toHaveBeenCalled`) and odd data given on purpose are typed as any.
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      'no-restricted-syntax': 'off',
    },
  },
  { files: ['**/*.js'], extends: [tseslint.configs.disableTypeChecked] },
);

function importRule(folder, allowed) {
  const others = FOLDERS.filter((other) => other !== folder && !allowed.includes(other));
  const exceptions = folder === 'client' ? CLIENT_MAY_NAME.map((path) => `!**/../${path}`) : [];
  const patterns = [{ group: [...others.map((other) => `**/../${other}/**`), ...exceptions], message: `${folder}/ may import ${allowed.join(', ') || 'nothing'} beside itself.` }];
  if (folder === 'core' || folder === 'workflows') patterns.push({ group: NODE_MODULES, message: `${folder}/ knows no Node.` });
  if (folder === 'core') patterns.push({ group: ['@temporalio/*', 'zod'], message: 'core/ is plain TypeScript.' });
  if (folder === 'workflows') patterns.push({ group: [...TEMPORAL_OUTSIDE_SANDBOX, 'zod'], message: 'Not in the workflow sandbox.' });
  return { 'no-restricted-imports': ['error', { patterns }] };
}

function outsideSandbox(name) {
  return { name, message: 'Differs between processes or Node versions: do it in an activity.' };
}

/** A double assertion hides what a parser should find. */
function borderRules() {
  return [{ selector: 'TSAsExpression > TSAsExpression', message: 'Parse at borders, do not cast.' }];
}

/** A worker loads a module once for all its runs: what one of them left in it, another would find, and its replay would not. */
function sharingRules() {
  const message = 'Modules are shared by all runs: keep it in the run, or in a WeakMap by what decides it alone.';
  const top = ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration';
  return [
    { selector: `${top}[kind!='const']`, message },
    { selector: `${top} > VariableDeclarator > NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0]`, message },
    { selector: `${top} > VariableDeclarator > ArrayExpression[elements.length=0]`, message },
    { selector: `${top} > VariableDeclarator > ObjectExpression[properties.length=0]`, message },
  ];
}

function purityRules() {
  const message = 'core/ has no clock, no chance and no locale: pass the value in.';
  return [
    // With an argument it reads no clock: a time that was passed in, in words.
    { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message },
    { selector: "CallExpression[callee.name='Date']", message },
    { selector: "MemberExpression[object.name='Date'][property.name='now']", message },
    { selector: "MemberExpression[object.name='Math'][property.name='random']", message },
    { selector: 'MemberExpression[property.name=/^(toLocale.*|localeCompare)$/]', message },
    { selector: 'Literal[regex.pattern=/\\\\p\\{/]', message: 'What \\p{…} matches differs between Node versions.' },
  ];
}
