import { defineConfig } from 'oxlint'

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'no-console': 'error',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'unicorn/no-new-array': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/no-array-for-each': 'error',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/require-module-specifiers': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-unassigned-import': 'off',
    'import/no-cycle': 'error',
    'promise/always-return': 'off',
    'promise/no-multiple-resolved': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'no-underscore-dangle': 'off',
    'preserve-caught-error': 'off',
  },
  ignorePatterns: [
    '**/dist/**',
    '**/node_modules/**',
    'packages/analytics/src/beacon-script/beacon.js',
    'packages/analytics/src/view-script/views.js',
  ],
})
