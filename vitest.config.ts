import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{render,functions,k8s,test,bench,scripts}/**/*.test.ts'],
    testTimeout: 60_000,
  },
});
